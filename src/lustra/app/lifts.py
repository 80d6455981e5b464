"""`lustra lifts`."""

import asyncio
import contextlib
import signal

from lustra.core import logs
from lustra.core.settings import Settings
from lustra.lifts.main import run


async def until_told(settings: Settings) -> None:
    work = asyncio.create_task(run(settings))
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, work.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await work


def main() -> None:
    import uvloop  # noqa: PLC0415  only where a loop is made

    logs.set_up("lifts")
    uvloop.run(until_told(Settings.read()))
