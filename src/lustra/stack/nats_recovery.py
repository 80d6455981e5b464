"""Sees to it that the bus stores again after a full disk.

Rule: a stream of NATS whose write failed for want of room refuses everything until the server is started again, and
nothing but its log says so: values may still be kept in others. So: when the log has said it, or no value is kept
although NATS is connected, and the disk has room, NATS is ended gracefully, and its supervisor starts it; not more than
once in a while, since something else may be wrong with it.
"""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from lustra.core.bus import Bus

EACH_S = 1.0
ANSWER_S = 3.0
AGAIN_S = 15.0
ROOM = 64 << 20  # bytes free
FAILURES = 3  # values in a row that were not kept
FULL = b"no space left on device"


class Log:
    """What was written to a log since it was read last; it may have turned meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.end = self.size()

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def news(self) -> bytes:
        size = self.size()
        begin, self.end = (self.end if self.end <= size else 0), size
        if begin == size:
            return b""
        with self.path.open("rb") as file:
            file.seek(begin)
            return file.read(size - begin)


async def keeps_value(bus: Bus) -> bool:
    """Whether the bus stores what is written. True where it is not connected: that passes by itself."""
    if not bus.up:
        return True
    try:
        async with asyncio.timeout(ANSWER_S):
            await bus.put("ready", "up", int(time.time()))
    except Exception:  # noqa: BLE001  the library has many names for it
        return not bus.up
    return True


async def keep_storing(bus: Bus, folder: Path, log: Path, start_again: Callable[[], Awaitable[None]]) -> None:
    """For as long as its task lives. `log`: what NATS says."""
    failures, stuck, last, lines = 0, False, -AGAIN_S, Log(log)
    while True:
        await asyncio.sleep(EACH_S)
        failures = 0 if await keeps_value(bus) else failures + 1
        stuck = FULL in lines.news() or stuck
        roomy = shutil.disk_usage(folder).free >= ROOM
        if (stuck or failures >= FAILURES) and roomy and time.monotonic() - last >= AGAIN_S:
            await start_again()
            lines.news()  # its last words of before
            failures, stuck, last = 0, False, time.monotonic()
