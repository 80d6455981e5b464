"""`lustra gate`: the process that answers the bus who may log in."""

import asyncio

from lustra.core.process import logs, metrics, watchdog
from lustra.core.settings import Settings
from lustra.gate.process import run


async def serve(settings: Settings) -> None:
    metrics.open_page(settings)
    async with watchdog.reported():
        await run(settings)


def main() -> None:
    logs.set_up("gate")
    asyncio.run(serve(Settings.read()))
