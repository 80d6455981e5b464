"""A process says that it lives, in systemd's protocol: `lustra up` listens, and so does a unit with `WatchdogSec=`.

Rule: it is said from the event loop, so that a loop that is blocked is as silent as a process that is stopped.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncGenerator, Mapping

ADDRESS = "NOTIFY_SOCKET"
PERIOD = "WATCHDOG_USEC"
PID = "WATCHDOG_PID"
SHARE = 5  # signs in the time after which silence counts: some may be late


async def report_life(environment: Mapping[str, str] = os.environ) -> None:
    """For as long as its task lives; at once done where nobody listens."""
    address, period = environment.get(ADDRESS, ""), environment.get(PERIOD, "")
    if not address or not period or environment.get(PID) not in {None, "", str(os.getpid())}:
        return
    place = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as link:
        sign = b"READY=1\nWATCHDOG=1"
        while True:
            with contextlib.suppress(OSError):  # whoever listens may be busy, or gone
                link.sendto(sign, place)
            sign = b"WATCHDOG=1"
            await asyncio.sleep(int(period) / 1_000_000 / SHARE)


@contextlib.asynccontextmanager
async def reported() -> AsyncGenerator[None, None]:
    task = asyncio.create_task(report_life(), name="alive")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
