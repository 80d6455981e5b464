"""Processes by fork from one that has loaded their modules, the loader: they start at once, and what is loaded lies in
memory once for all of them.

Rules: the loader has no secret, no connection and no thread. It reads no request: the process that it forks does. That
becomes a child of the supervisor, so that the end of the loader ends nobody, and it learns of nobody's end.
"""

import asyncio
import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from setproctitle import getproctitle, setproctitle

COMMAND = "loader"  # of the command line
CONTROL = "LUSTRA_LOADER_FD"  # variable with the descriptor on which the loader is asked
PID = struct.Struct("i")
MOST_DESCRIPTORS = 16
LONGEST_NAME = 100  # bytes of a command's
UNKNOWN = 255  # exit code of what somebody else has waited for, as asyncio has it
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux's prctl


class Forked:
    """As much of asyncio's Process as the supervisor uses."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        loop = asyncio.get_running_loop()
        self._end: asyncio.Future[int] = loop.create_future()
        threading.Thread(target=self._collect, args=(loop,), name=f"wait for {pid}", daemon=True).start()

    def _collect(self, loop: asyncio.AbstractEventLoop) -> None:
        code = UNKNOWN
        with contextlib.suppress(ChildProcessError):
            _, status = os.waitpid(self.pid, 0)
            code = os.waitstatus_to_exitcode(status)
        with contextlib.suppress(RuntimeError):  # the loop was closed before
            loop.call_soon_threadsafe(self._ended, code)

    def _ended(self, code: int) -> None:
        self.returncode = code
        self._end.set_result(code)

    async def wait(self) -> int:
        return await asyncio.shield(self._end)

    def send_signal(self, sign: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, sign)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Loader:
    """The supervisor's side. Its process inherits `theirs`, also when it is started again."""

    def __init__(self) -> None:
        adopt_orphans(yes=True)
        self.ours, self.theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        self.ours.setblocking(False)  # noqa: FBT003  the library's own

    async def fork(
        self, words: Sequence[str], environ: Mapping[str, str], out: int, err: int, sockets: Mapping[str, socket.socket]
    ) -> Forked:
        """A process that does `words` of the command line, with this environment and no other, and is told the
        descriptors of `sockets` by these variables. OSError: the loader has ended, or is too busy to be asked.
        """
        here, theirs = socket.socketpair()
        with here:
            here.setblocking(False)  # noqa: FBT003  the library's own
            with theirs:
                socket.send_fds(self.ours, [words[0].encode()[:LONGEST_NAME]], [theirs.fileno()])
            loop = asyncio.get_running_loop()
            answer = await loop.sock_recv(here, PID.size)
            if len(answer) < PID.size:
                raise ConnectionResetError("the loader has ended")
            request = {"words": list(words), "environ": dict(environ), "sockets": list(sockets)}
            socket.send_fds(here, [b"."], [out, err, *(opened.fileno() for opened in sockets.values())])
            await loop.sock_sendall(here, json.dumps(request).encode())
        return Forked(PID.unpack(answer)[0])

    def close(self) -> None:
        """Whoever waits for a process is refused. Nobody collects orphans any more, so they are the system's again."""
        adopt_orphans(yes=False)
        self.ours.close()
        self.theirs.close()


def adopt_orphans(*, yes: bool) -> None:
    """Whether processes whose parent has ended become children of this one, which then has to let go of them."""
    ctypes.CDLL(None).prctl(SUBREAPER, int(yes), 0, 0, 0)


def collect_adopted(before: int) -> int:
    """Lets go of what processes of ours have left behind and that has ended since: what nobody has waited for since the
    last time, when we gave its pid. 0: there is nothing.
    """
    try:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return 0
    if ended is None:
        return 0
    if ended.si_pid == before:
        os.waitpid(before, os.WNOHANG)
    return ended.si_pid


def serve(steps: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Loads what each command needs, one after the other, and forks what is asked for as soon as that is loaded; of
    commands that are no step, at last. Comes back in what was forked alone, with the words of its command; the loader
    ends with its supervisor.
    """
    getproctitle()  # finds its place in memory by the environment that this process was started with
    control = socket.socket(fileno=int(os.environ[CONTROL]))
    gc.disable()  # imports make hardly any garbage
    loaded: set[str] = set()
    waiting: list[tuple[str, int]] = []
    for command, modules in steps:
        for module in modules:
            import_module(module)
        gc.freeze()  # what stays is not looked at again, so its pages stay shared
        loaded.add(command)
        while select.select([control], [], [], 0)[0]:
            waiting.append(receive(control))
        for name, descriptor in [each for each in waiting if each[0] in loaded]:
            waiting.remove((name, descriptor))
            if request := fork_for(descriptor):
                return become(request, control, waiting)
    while True:
        while waiting:
            if request := fork_for(waiting.pop(0)[1]):
                return become(request, control, waiting)
        waiting.append(receive(control))


def receive(control: socket.socket) -> tuple[str, int]:
    """A command, and the descriptor of the request of which only the forked process reads more."""
    name, descriptors, *_ = socket.recv_fds(control, LONGEST_NAME, 1)
    if not name:
        sys.exit()
    return name.decode(errors="replace"), descriptors[0]


def fork_for(descriptor: int) -> socket.socket | None:
    """The request, in the forked process; None in the loader."""
    if between := os.fork():
        os.waitpid(between, 0)
        os.close(descriptor)
        return None
    between = os.getpid()
    if os.fork():
        os._exit(0)
    while os.getppid() == between:  # until then the supervisor could not wait for us
        time.sleep(0.001)
    request = socket.socket(fileno=descriptor)
    try:
        request.sendall(PID.pack(os.getpid()))
    except OSError:  # it is not waited for any more
        sys.exit()
    return request


def become(request: socket.socket, control: socket.socket, waiting: Iterable[tuple[str, int]]) -> list[str]:
    control.close()
    for _, descriptor in waiting:
        os.close(descriptor)
    os.setsid()
    with request, request.makefile("rb") as text:
        mark, descriptors, *_ = socket.recv_fds(request, 1, MOST_DESCRIPTORS)
        if not mark:  # it is not waited for any more
            sys.exit()
        details = json.load(text)
    out, err, *opened = descriptors
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (out, 1), (err, 2)):
        os.dup2(source, target)
        os.close(source)
    os.environ.clear()
    os.environ.update(details["environ"])
    os.environ.update(zip(details["sockets"], map(str, opened), strict=True))
    setproctitle(" ".join([*sys.orig_argv[: sys.orig_argv.index(COMMAND)], *details["words"]]))
    gc.enable()
    return details["words"]
