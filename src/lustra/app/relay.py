"""`lustra relay`."""

from lustra.core.settings import Settings
from lustra.relay.process import run


def main() -> None:
    run(Settings.read())
