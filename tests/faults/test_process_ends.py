"""A process ends when it is asked to, whatever its libraries do with that."""

import asyncio
import contextlib
import os
import signal

import pytest

from lustra.app.processes import runner
from lustra.core.settings import Settings


async def test_a_signal_ends_a_process_whose_library_swallows_the_cancellation(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(runner, "AGAIN_S", 0.05)
    begun = asyncio.Event()

    async def work(_: Settings) -> None:
        begun.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    process = asyncio.create_task(runner.until_cancelled(work, Settings()))
    await begun.wait()
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(process, 20)
    finally:
        for sign in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().remove_signal_handler(sign)
