"""`lustra relay`."""

from lustra.core.process import logs
from lustra.core.settings import Settings
from lustra.relay.process import run


def main() -> None:
    logs.set_up("relay")
    run(Settings.read())
