"""`lustra gate`: the process that answers the bus who may log in."""

import asyncio

from lustra.core import logs
from lustra.core.settings import Settings
from lustra.gate.process import run


def main() -> None:
    logs.set_up("gate")
    asyncio.run(run(Settings.read()))
