"""A process that works until it is asked to end."""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable

import uvloop

from lustra.core.process import logs, metrics, watchdog
from lustra.core.settings import Settings

Work = Callable[[Settings], Awaitable[None]]
AGAIN_S = 10.0


async def until_cancelled(work: Work, settings: Settings) -> None:
    """Runs `work` until SIGINT or SIGTERM cancels it: again where a library swallowed that (core/process/tasks)."""
    metrics.open_page(settings)
    loop = asyncio.get_running_loop()
    working = asyncio.ensure_future(work(settings))

    def cancel() -> None:
        working.cancel()
        loop.call_later(AGAIN_S, cancel)

    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, cancel)
    async with watchdog.reported():
        with contextlib.suppress(asyncio.CancelledError):
            await working


def run_until_stopped(name: str, work: Work) -> None:
    logs.set_up(name)
    uvloop.run(until_cancelled(work, Settings.read()))
