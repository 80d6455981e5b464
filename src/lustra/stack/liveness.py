"""Whether supervised processes live: they say so (core/process/watchdog), or they are asked the question of their
start.

Rules: a sign counts for the process that the kernel says has sent it, so nobody else can keep a frozen one alive. Time
is counted in our own rounds and not read from a clock: if the machine slept, or we were stopped, nobody is to blame.
"""

import asyncio
import contextlib
import secrets
import socket
import struct
from collections.abc import Awaitable, Callable

import psutil

FROZEN_S = 25.0  # without a sign
UNBORN_S = 120.0  # without a first sign: a process that loads on a busy machine
ROUND_S = 1.0
QUESTION_S = 5.0
ANSWER_S = 5.0
SENDER = struct.Struct("3i")  # pid, uid, gid


class NotYet(Exception):
    """Raised by a readiness question: the process does not answer yet, or says that it is not ready."""


class Signs:
    """Where processes say that they live. An address without a file: paths over 107 characters are refused."""

    def __init__(self) -> None:
        self.address = f"@lustra-{secrets.token_hex(16)}"
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.link.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.link.bind("\0" + self.address[1:])
        self.senders: set[int] = set()

    @property
    def environ(self) -> dict[str, str]:
        return {"NOTIFY_SOCKET": self.address, "WATCHDOG_USEC": str(int(FROZEN_S * 1_000_000)), "WATCHDOG_PID": ""}

    def seen(self, pid: int) -> bool:
        """Whether it has given a sign since it was asked for last."""
        with contextlib.suppress(BlockingIOError):
            while True:
                _, extra, *_ = self.link.recvmsg(64, socket.CMSG_SPACE(SENDER.size))
                self.senders |= {SENDER.unpack(data)[0] for _, kind, data in extra if kind == socket.SCM_CREDENTIALS}
        signalled = pid in self.senders
        self.senders.discard(pid)
        return signalled

    def close(self) -> None:
        self.link.close()


async def answers(question: Callable[[], Awaitable[None]]) -> bool:
    """Whether anything comes back; a refusal is an answer."""
    try:
        async with asyncio.timeout(ANSWER_S):
            await question()
    except TimeoutError:
        return False
    except Exception:  # noqa: BLE001  whatever it is, somebody has spoken
        return True
    return True


async def until_frozen(pid: int, signs: Signs | None, question: Callable[[], Awaitable[None]]) -> None:
    """Comes back when a process is to be ended. With `signs` it says by itself that it lives."""
    silent, patience, step = 0.0, UNBORN_S, ROUND_S if signs else QUESTION_S
    while silent < patience:
        await asyncio.sleep(step)
        silent += step
        if signs.seen(pid) if signs else await answers(question):
            silent, patience = 0.0, FROZEN_S


def end_frozen(pid: int) -> None:
    """It and what it has started: a stopped process ends only by SIGKILL, and what it left would hold its memory."""
    with contextlib.suppress(psutil.NoSuchProcess):
        head = psutil.Process(pid)
        for process in [head, *head.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
