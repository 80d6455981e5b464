"""The one place where files are read that people and robots hand in: maps, masks, sheets, archives, pictures.

Rules: a file is read in a process of its own with limits (core/files/intake_process), two at once and one of each
account; who waits, waits in order, and a queue that is full is refused with BUSY. A file that kills its reader, or
takes more time or memory than one may, is refused to whoever handed it in, and nobody else notices.
"""

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, BinaryIO, ParamSpec, Self, TypeVar, get_type_hints

import msgspec
import structlog
from prometheus_client import Counter as Metric
from prometheus_client import Histogram

from lustra.core.errors import Code, Refusal
from lustra.core.files.intake_process import HEAVY, Answer, Request, Spent, read_whole

P = ParamSpec("P")
R = TypeVar("R")
RefusalParts = tuple[int, str, str, dict[str, Any]]  # code, field, reason and values of a refusal
Files = Mapping[str, bytes | int]  # name: content, or an open descriptor of it

AT_ONCE = 2
MOST_WAITING = 32
MOST_OF_ACCOUNT = 4
PATIENCE_S = 20.0
REMEMBERED = 200
TOO_HEAVY = {signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM, signal.SIGXFSZ}  # what the limits end a reader with

READ = Metric("lustra_intake_total", "Files handed in, by reader and outcome", ["work", "outcome"])
CPU = Histogram("lustra_intake_cpu_seconds", "CPU time to read a file", ["work"], buckets=(0.02, 0.1, 0.5, 1, 2, 5))

log = structlog.get_logger(__name__)


class Queue:
    """Seats for readers. `waiting`: of all, `of_one`: of one account, `patience_s`: until whoever waits is refused."""

    def __init__(self, waiting: int, of_account: int, patience_s: float | None) -> None:
        self.waiting, self.of_account, self.patience_s = waiting, of_account, patience_s
        self.seats = asyncio.Semaphore(AT_ONCE)
        self.turns: dict[str, asyncio.Lock] = {}
        self.queued: Counter[str] = Counter()

    @asynccontextmanager
    async def seat(self, account: str) -> AsyncGenerator[None]:
        if self.queued.total() >= self.waiting + AT_ONCE or self.queued[account] > self.of_account:
            raise Refusal(Code.BUSY)
        turn = self.turns.setdefault(account, asyncio.Lock())
        self.queued[account] += 1
        try:
            try:
                async with asyncio.timeout(self.patience_s):
                    await turn.acquire()
                    try:
                        await self.seats.acquire()
                    except BaseException:
                        turn.release()
                        raise
            except TimeoutError:
                raise Refusal(Code.BUSY) from None
            try:
                yield
            finally:
                self.seats.release()
                turn.release()
        finally:
            self.queued[account] -= 1
            if not self.queued[account]:
                del self.queued[account], self.turns[account]


class Intake:
    """`preload`: modules of the readers, loaded once so that reading begins at once."""

    def __init__(
        self,
        preload: Collection[str] = (),
        *,
        waiting: int = MOST_WAITING,
        of_account: int = MOST_OF_ACCOUNT,
        patience_s: float | None = PATIENCE_S,
    ) -> None:
        self.preload = tuple(preload)
        self.queue = Queue(waiting, of_account, patience_s)
        self.numbers = itertools.count(1)
        self.pending: dict[int, asyncio.Future[Spent]] = {}
        self.link: socket.socket | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.spent: deque[Spent] = deque(maxlen=REMEMBERED)  # of the last readers

    async def read(
        self, account: int | str, work: Callable[..., R], files: Files, *arguments: Any, field: str = "file"
    ) -> R:
        """What `work(files, *arguments)` gives, a function of a module that takes the contents by name and answers
        plain data. Refusals come through; one of our own names `field`."""
        reading = asyncio.ensure_future(self._read(str(account), work, files, arguments, field))
        try:
            return await asyncio.shield(reading)
        except asyncio.CancelledError:  # its seat is taken until its process has ended
            reading.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def _read(
        self, account: str, work: Callable[..., R], files: Files, arguments: tuple[Any, ...], field: str
    ) -> R:
        name = f"{work.__module__}:{work.__name__}"
        async with self.queue.seat(account):
            encoded = [msgspec.Raw(msgspec.msgpack.encode(value)) for value in arguments]
            request = msgspec.msgpack.encode(Request(name, list(files), encoded))
            with Descriptors() as fds:
                result = fds.empty("result")
                handed = [fds.holding(request), result, *(fds.of(content) for content in files.values())]
                spent = await self._spend(handed)
                outcome, value = self._outcome(name, spent, result, field)
        READ.labels(name, outcome).inc()
        CPU.labels(name).observe(spent.cpu_s)
        if isinstance(value, Refusal):
            raise value
        return msgspec.msgpack.decode(value, type=result_type(work))

    async def _spend(self, fds: list[int]) -> Spent:
        """Hands the descriptors to a new reader and waits for its end."""
        link, number = self.start(), next(self.numbers)
        future = self.pending[number] = asyncio.get_running_loop().create_future()
        try:
            socket.send_fds(link, [str(number).encode()], fds)
            spent = await future
        except OSError:  # the process that forks is gone; the next request starts another
            self._lost()
            raise Refusal(Code.UNAVAILABLE) from None
        finally:
            self.pending.pop(number, None)
        self.spent.append(spent)
        return spent

    def _outcome(self, name: str, spent: Spent, result: int, field: str) -> tuple[str, msgspec.Raw | Refusal]:
        code = os.waitstatus_to_exitcode(spent.status)
        if code == HEAVY or -code in TOO_HEAVY:
            log.warning("intake.too_heavy", work=name, cpu_s=round(spent.cpu_s, 2), memory=spent.memory, ended=code)
            return "heavy", Refusal(Code.BAD_INPUT, field, reason="too_heavy")
        if code:
            log.warning("intake.died", work=name, cpu_s=round(spent.cpu_s, 2), memory=spent.memory, ended=code)
            return "died", Refusal(Code.BAD_INPUT, field, reason="unreadable")
        answer = msgspec.msgpack.decode(read_whole(result), type=Answer)
        if answer.outcome == "refused":
            kind, where, reason, values = msgspec.msgpack.decode(answer.content, type=RefusalParts)
            return "refused", Refusal(Code(kind), where, reason=reason, **values)
        if answer.outcome == "fault":
            log.error("intake.fault", work=name, trace=msgspec.msgpack.decode(answer.content))
            return "fault", Refusal(Code.BAD_INPUT, field, reason="unreadable")
        return "read", answer.content

    def start(self) -> socket.socket:
        """The link to the process that forks readers, which is started if there is none."""
        if self.link is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            ours.settimeout(0)
            with theirs:
                command = [
                    sys.executable,
                    "-m",
                    "lustra.core.files.intake_process",
                    str(theirs.fileno()),
                    *self.preload,
                ]
                self.process = subprocess.Popen(  # noqa: S603  our own module
                    command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], env=plain_environment(), cwd="/"
                )
            asyncio.get_running_loop().add_reader(ours.fileno(), self._receive_spent)
            self.link = ours
        return self.link

    def _receive_spent(self) -> None:
        if self.link is None:
            return
        try:
            data = self.link.recv(256)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        spent = msgspec.msgpack.decode(data, type=Spent)
        if (future := self.pending.get(spent.number)) and not future.done():
            future.set_result(spent)

    def _lost(self) -> None:
        self.close()
        for future in self.pending.values():
            if not future.done():
                future.set_exception(ConnectionResetError("the process that forks readers is gone"))

    def close(self) -> None:
        """Closes the link, at which the process that forks readers ends."""
        if self.link is not None:
            asyncio.get_running_loop().remove_reader(self.link.fileno())
            self.link.close()
            self.link = None
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class Descriptors:
    """Memory that is handed over as files, given back at the end."""

    def __init__(self) -> None:
        self.own: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for fd in self.own:
            os.close(fd)

    def empty(self, name: str) -> int:
        self.own.append(os.memfd_create(name, os.MFD_CLOEXEC))
        return self.own[-1]

    def holding(self, content: bytes) -> int:
        fd = self.empty("handed-in")
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(fd, rest) :]
        return fd

    def of(self, content: bytes | int) -> int:
        return content if isinstance(content, int) else self.holding(content)


def content_of(file: BinaryIO) -> bytes | int:
    """Of an upload: what lies on the disk is handed over as it lies there."""
    file.seek(0)
    return file.fileno() if getattr(file, "_rolled", True) else file.read()


@cache
def result_type(work: Callable[..., Any]) -> Any:
    return get_type_hints(work)["return"]


def plain_environment() -> dict[str, str]:
    """No secret goes to where hostile files are read; one thread, so that it can fork."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LUSTRA_")}
    return environment | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
