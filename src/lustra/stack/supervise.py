"""Starts processes, waits until they answer, starts dead ones again, ends them in order.

Rules: each child has a session of its own (Ctrl-C reaches us alone) and its own log, which turns by size while it
runs; a child that dies is started again at once, then with growing pauses while it keeps dying; one that gives no sign
of life is killed, and so started again; what was started last is ended first.
"""

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from lustra.stack import log_files
from lustra.stack.liveness import NotYet, Signs, end_frozen, until_frozen
from lustra.stack.loader import CONTROL, Loader, collect_adopted

READY_S = 60.0  # crash recovery of a large database may take long
STEADY_S = 10.0  # who lived so long did not die of its start
LONGEST_PAUSE_S = 10.0
END_S = 15.0
FORK_S = 60.0  # the loader may still be loading, on a busy machine
PRIVATE = 0o077  # what others may not do with the files of a process
TURN_EACH_S = 1.0  # how often the logs' sizes are looked at
LOG_BYTES = 20 << 20
OLD_LOGS = 3


class Process(Protocol):
    """Of asyncio, or one that was forked."""

    pid: int

    @property
    def returncode(self) -> int | None: ...

    async def wait(self) -> int: ...

    def send_signal(self, signal: int, /) -> None: ...

    def kill(self) -> None: ...


class Stopped(Exception):
    """We were asked to stop while something was starting."""


async def at_once() -> None:
    """For processes that have no question to ask: being alive is being ready."""


@dataclass(frozen=True)
class Service:
    """`reports`: it says by itself that it lives (core/process/watchdog); any other is asked `ready` again and again.

    `sockets`: what it inherits, by the variable that tells it the descriptor. `words`: of our command line, for a
    process that the loader can fork.
    """

    name: str
    command: Sequence[str | Path]
    ready: Callable[[], Awaitable[None]] = at_once
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    as_user: Mapping[str, Any] = field(default_factory=dict[str, Any])
    end: signal.Signals = signal.SIGTERM
    reports: bool = False
    sockets: Mapping[str, socket.socket] = field(default_factory=dict[str, socket.socket])
    words: Sequence[str] = ()


class Supervisor:
    def __init__(
        self, logs: Path, say: Callable[[str], None], *, log_bytes: int = LOG_BYTES, old_logs: int = OLD_LOGS
    ) -> None:
        self.logs, self.say, self.log_bytes, self.old_logs = logs, say, log_bytes, old_logs
        self.logs.mkdir(mode=0o700, exist_ok=True)
        self.stopping = asyncio.Event()
        self.services: list[Service] = []
        self.processes: dict[str, Process] = {}
        self.keepers: list[asyncio.Task[None]] = []
        self.signs = Signs()
        self.loader: Loader | None = None

    async def start_loader(self, service: Service) -> None:
        """What has `words` comes from it from now on."""
        self.loader = Loader()
        await self.start(replace(service, sockets={CONTROL: self.loader.theirs}))

    async def start(self, *services: Service) -> None:
        """Starts them side by side; done when all answer, or when we are asked to stop."""
        if not self.keepers:
            self.keepers.append(asyncio.create_task(self.look_after(), name="logs"))
        for service in services:
            self.services.append(service)
            self.keepers.append(asyncio.create_task(self.keep(service), name=service.name))
        await asyncio.gather(*map(self.ready, services))

    async def ready(self, service: Service) -> None:
        until = time.monotonic() + READY_S
        while not self.stopping.is_set():
            try:
                return await asyncio.wait_for(service.ready(), 5)
            except (NotYet, TimeoutError, OSError):
                if time.monotonic() > until:
                    raise SystemExit(f"{service.name} does not start:\n{self.tail(service.name)}") from None
            await self.pause(0.03)
        raise Stopped

    async def keep(self, service: Service) -> None:
        wait = 0.0
        while not self.stopping.is_set():
            began, process = time.monotonic(), await self.spawn(service)
            self.processes[service.name] = process
            if self.stopping.is_set():  # it was not there yet when all others were ended
                await self.end(service)
                return
            watcher = asyncio.create_task(self.watch(service, process), name=f"watch {service.name}")
            code = await process.wait()
            watcher.cancel()
            if self.stopping.is_set():
                return
            wait = 0.0 if time.monotonic() - began > STEADY_S else min(max(0.2, wait * 2), LONGEST_PAUSE_S)
            self.say(f"{service.name} ended ({describe_exit(code)}), starting it again")
            await self.pause(wait)

    async def watch(self, service: Service, process: Process) -> None:
        await until_frozen(process.pid, self.signs if service.reports else None, service.ready)
        if not self.stopping.is_set():
            self.say(f"{service.name} gives no sign of life, killing it")
            end_frozen(process.pid)

    async def spawn(self, service: Service, out: int | None = None) -> Process:
        """`out`: where its standard output goes, if not into the log."""
        environ = {**os.environ, **service.environ, **(self.signs.environ if service.reports else {})}
        with (self.logs / f"{service.name}.log").open("ab") as log:
            outputs = (log.fileno() if out is None else out, log.fileno())
            if service.words and self.loader:
                try:
                    async with asyncio.timeout(FORK_S):
                        return await self.loader.fork(service.words, environ, *outputs, service.sockets)
                except (TimeoutError, OSError) as why:
                    if self.stopping.is_set():
                        raise Stopped from None
                    self.say(f"the loader gives no {service.name} ({str(why) or 'no answer'}), it is loaded anew")
                    self.send("loader", signal.SIGKILL)
            return await self.execute(service, environ, *outputs)

    async def execute(self, service: Service, environ: Mapping[str, str], out: int, err: int) -> Process:
        descriptors = {name: opened.fileno() for name, opened in service.sockets.items()}
        return await asyncio.create_subprocess_exec(
            *service.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd="/",
            start_new_session=True,
            umask=PRIVATE,
            pass_fds=tuple(descriptors.values()),
            env={**environ, **{name: str(number) for name, number in descriptors.items()}},
            **service.as_user,
        )

    async def once(self, service: Service) -> str:
        """Runs a process to its end and gives what it printed; its failure is ours."""
        readable, writable = os.pipe()
        try:
            process = await self.spawn(service, writable)
        finally:
            os.close(writable)
            output = asyncio.create_task(asyncio.to_thread(read_whole, readable))
        work, stop = asyncio.create_task(process.wait()), asyncio.create_task(self.stopping.wait())
        await asyncio.wait([work, stop], return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        stopped = not work.done()
        if stopped:
            process.send_signal(signal.SIGTERM)
        code, printed = await work, await output
        if stopped:
            raise Stopped
        if code:
            raise SystemExit(f"{service.name} failed ({describe_exit(code)}):\n{self.tail(service.name)}{printed}")
        return printed

    def beside(self, service: Service) -> None:
        """Runs a process to its end while everything else goes on; its failure is reported."""

        async def work() -> None:
            try:
                await self.once(service)
            except SystemExit as why:
                self.say(str(why))
            except Stopped:
                return
            await self.stopping.wait()

        self.keepers.append(asyncio.create_task(work(), name=service.name))

    async def run(self) -> None:
        """Until asked to stop. A keeper that itself fails is a fault of ours: it ends everything."""
        stop = asyncio.create_task(self.stopping.wait())
        done, _ = await asyncio.wait([stop, *self.keepers], return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        for task in done - {stop}:
            task.result()

    async def stop(self) -> None:
        """Ends our own processes side by side, then PostgreSQL and NATS, which they need until the end."""
        self.stopping.set()
        if self.loader:
            self.loader.close()
        ours = [s for s in self.services if s.end == signal.SIGTERM]
        await asyncio.gather(*map(self.end, ours))
        for service in reversed([s for s in self.services if s not in ours]):
            await self.end(service)
        await asyncio.gather(*self.keepers, return_exceptions=True)
        self.signs.close()

    async def end(self, service: Service) -> None:
        process = self.processes.get(service.name)
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(service.end)
        try:
            await asyncio.wait_for(process.wait(), END_S)
        except TimeoutError:
            self.say(f"{service.name} does not end, killing it")
            process.kill()
            await process.wait()

    def send(self, name: str, sign: signal.Signals) -> None:
        """To a process that runs; nothing where it does not."""
        process = self.processes.get(name)
        if process and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(sign)

    async def pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.stopping.wait(), seconds)

    async def look_after(self) -> None:
        """Begins new log files where they have grown too long, also for processes that have ended; lets go of what
        others have left behind."""
        ended = 0
        while not self.stopping.is_set():
            for path in self.logs.glob("*.log"):
                await asyncio.to_thread(log_files.turn, path, self.log_bytes, self.old_logs)
            ended = collect_adopted(ended)
            await self.pause(TURN_EACH_S)

    def tail(self, name: str, lines: int = 15) -> str:
        path = self.logs / f"{name}.log"
        text = path.read_text(errors="replace") if path.exists() else ""
        return "\n".join([*text.splitlines()[-lines:], f"(the whole log: {path})", ""])


def read_whole(descriptor: int) -> str:
    with open(descriptor, encoding="utf-8", errors="replace") as text:
        return text.read()


def describe_exit(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"code {code}"
