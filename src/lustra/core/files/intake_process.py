"""Reads one handed-in file per process: `python -m lustra.core.files.intake_process MODULE…`, started by
core/files/intake.

Rules: this process has loaded the readers and forks once for each request, so that a reader starts in milliseconds and
what one file does to its process touches no other. A reader has a bounded time, memory and size of result, set before
the first byte of the file is looked at; it opens no file and no connection, and inherits no secret. What a
reader answers is plain data (msgpack), never code.
"""

import contextlib
import gc
import os
import resource
import selectors
import signal
import socket
import sys
import traceback
import warnings
from importlib import import_module
from typing import Any, Literal, NoReturn, get_type_hints

import msgspec

from lustra.core.errors import Refusal

CPU_S = 5  # the kernel counts and ends it
WALL_S = 60  # on a busy machine it may wait that long for its turns
MEMORY = 416 << 20  # bytes of address space beside what the parent had loaded
LARGEST_RESULT = 256 << 20
OPEN_FILES = 64
NICE = 5  # calls go before readers
MOST_FDS = 64
LONGEST_TRACE = 4000
HEAVY = 3  # exit codes: no memory
BROKEN = 4  # the answer could not be written


class Request(msgspec.Struct, array_like=True):
    """`work` is "module:function", `names` are those of the files, whose descriptors follow the two of request and
    result."""

    work: str
    names: list[str]
    arguments: list[msgspec.Raw]


class Spent(msgspec.Struct, array_like=True):
    """What a reader's process took: `status` as waitpid gives it, `memory` its largest resident size in bytes."""

    number: int
    status: int
    cpu_s: float
    memory: int


class Answer(msgspec.Struct, array_like=True):
    """`content`: the result; code, field, reason and values of a refusal; or the trace of a fault of ours."""

    outcome: Literal["read", "refused", "fault"]
    content: msgspec.Raw


def packed(outcome: Literal["read", "refused", "fault"], content: object) -> bytes:
    return msgspec.msgpack.encode(Answer(outcome, msgspec.Raw(msgspec.msgpack.encode(content))))


def answer_request(request: Request, files: dict[str, bytes]) -> bytes:
    module, name = request.work.split(":")
    work: Any = getattr(import_module(module), name)
    try:
        hints = [kind for parameter, kind in get_type_hints(work).items() if parameter != "return"]
        values = [
            msgspec.msgpack.decode(value, type=kind) for value, kind in zip(request.arguments, hints[1:], strict=True)
        ]
        return packed("read", work(files, *values))
    except Refusal as refusal:
        return packed("refused", (int(refusal.code), refusal.field, refusal.reason, plain_values(refusal)))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001  whatever a hostile file made of our code is logged
        return packed("fault", traceback.format_exc()[-LONGEST_TRACE:])


def plain_values(refusal: Refusal) -> dict[str, Any]:
    return {
        name: value if isinstance(value, int | float | str | None) else str(value)
        for name, value in refusal.values.items()
    }


def read_whole(fd: int) -> bytes:
    """All bytes of a memory file, whose offset stands at its end."""
    os.lseek(fd, 0, os.SEEK_SET)
    with open(fd, "rb", closefd=False) as file:
        return file.read()


def limit_process(
    *, memory: int = MEMORY, cpu_s: int = CPU_S, wall_s: int = WALL_S, largest: int = LARGEST_RESULT
) -> None:
    """`memory` beside what is loaded now, `largest` bytes of a file that it writes."""
    with open("/proc/self/statm") as statm:  # noqa: PTH123  no folder is walked: the file is the kernel's
        size = int(statm.read().split()[0]) * resource.getpagesize()
    for kind, most in (
        (resource.RLIMIT_AS, size + memory),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, largest),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    signal.setitimer(signal.ITIMER_REAL, wall_s)
    os.nice(NICE)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as first:  # noqa: PTH123  as above
        first.write("1000")  # should memory run out after all, this one goes, and not the server


def run_reader(fds: list[int], links: list[socket.socket]) -> NoReturn:
    """In the forked process, which ends here. `links`: what the parent alone speaks by."""
    code = BROKEN
    try:
        signal.set_wakeup_fd(-1)
        for link in links:
            link.close()
        for number in (signal.SIGCHLD, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        limit_process()
        request = msgspec.msgpack.decode(read_whole(fds[0]), type=Request)
        files = {name: read_whole(fd) for name, fd in zip(request.names, fds[2:], strict=True)}
        answer = answer_request(request, files)
        with open(fds[1], "wb", closefd=False) as out:
            out.write(answer)
        code = 0
    except MemoryError:
        code = HEAVY
    finally:
        os._exit(code)


def reap(link: socket.socket, running: dict[int, int]) -> None:
    """Sends to the server how each reader ended that has."""
    while running:
        pid, status, usage = os.wait4(-1, os.WNOHANG)
        if not pid:
            return
        spent = Spent(running.pop(pid), status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
        link.send(msgspec.msgpack.encode(spent))


def wake_up(_number: int, _frame: object) -> None:
    """Empty, but needed: only a signal that has a handler in Python ends a wait."""


def serve(link: socket.socket) -> NoReturn:
    """Starts readers as the server asks, until the server closes the link or dies."""
    woken, wake = socket.socketpair()
    for end in (woken, wake):
        end.settimeout(0)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, wake_up)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes its end
    running: dict[int, int] = {}
    with selectors.DefaultSelector() as ready:
        ready.register(link, selectors.EVENT_READ)
        ready.register(woken, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select():
                if key.fileobj is woken:
                    woken.recv(4096)
                    reap(link, running)
                    continue
                number, fds, _, _ = socket.recv_fds(link, 64, MOST_FDS)
                if not number:
                    os._exit(0)
                if (pid := os.fork()) == 0:
                    run_reader(fds, [link, woken, wake])
                running[pid] = int(number)
                for fd in fds:
                    os.close(fd)


def main() -> None:
    link = socket.socket(fileno=int(sys.argv[1]))
    for module in sys.argv[2:]:
        import_module(module)
    warnings.simplefilter("ignore")  # a library's, of what is odd in a file
    gc.collect()
    gc.disable()
    gc.freeze()  # forked processes share what is loaded
    serve(link)


if __name__ == "__main__":
    main()
