"""`lustra db upgrade`."""

from lustra.core.migrations import upgrade
from lustra.core.settings import Settings


def main() -> None:
    upgrade(Settings.read().database_url)
