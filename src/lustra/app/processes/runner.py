"""A process that works until it is asked to end."""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable

import uvloop

from lustra.core.process import logs, metrics, watchdog
from lustra.core.settings import Settings

Work = Callable[[Settings], Awaitable[None]]


async def until_cancelled(work: Work, settings: Settings) -> None:
    """Runs `work` until SIGINT or SIGTERM cancels it."""
    metrics.open_page(settings)
    working = asyncio.ensure_future(work(settings))
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, working.cancel)
    async with watchdog.reported():
        with contextlib.suppress(asyncio.CancelledError):
            await working


def run_until_stopped(name: str, work: Work) -> None:
    logs.set_up(name)
    uvloop.run(until_cancelled(work, Settings.read()))
