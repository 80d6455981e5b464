"""Runs a command for so many minutes at most: within.py MINUTES COMMAND …

What hangs is named with all that it has started, interrupted so that it can say how far it came, and killed. What a
command leaves behind is named and ended as well: it would keep the output of whoever called us open, so that a run that
has ended looks like one that goes on. Exit code of the command; 124, as of coreutils' timeout, if time was up.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time

import psutil

from lustra.stack.loader import adopt_orphans

TIME_UP = 124
INTERRUPTED = 128 + signal.SIGINT
LAST_WORDS_S = 30.0
END_S = 5.0
LOOK_S = 0.05
WIDEST = 160


def descendants() -> list[psutil.Process]:
    """Those that live: neither gone meanwhile nor ended and not collected yet."""
    living: list[psutil.Process] = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                living.append(process)
    return living


def describe(process: psutil.Process) -> str:
    try:
        return f"  {process.pid} {' '.join(process.cmdline())}"[:WIDEST]
    except psutil.NoSuchProcess:
        return f"  {process.pid} (ended)"


def end_descendants(why: str) -> None:
    """What has ended in a moment by itself is no news: a watcher sees the end of who it watches a little later."""
    until = time.monotonic() + END_S
    while (left := descendants()) and time.monotonic() < until:
        time.sleep(LOOK_S)
    if left:
        print(why, *map(describe, left), sep="\n", flush=True)
    while left := descendants():
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, END_S)


def wait(command: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Exit code of the command; None if it still runs then. Of whatever else ends nobody but us can let go: until then
    it would look alive to who goes by its process id, as PostgreSQL does.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == command.pid:
            command.returncode = os.waitstatus_to_exitcode(status)
            return command.returncode
        if not pid:
            time.sleep(LOOK_S)
    return None


def run(minutes: float, words: list[str]) -> int:
    adopt_orphans(yes=True)
    name = " ".join(words)[:WIDEST]
    command = subprocess.Popen(words)
    try:
        code = wait(command, minutes * 60)
    except KeyboardInterrupt:  # the terminal has told the command too
        wait(command, LAST_WORDS_S)
        code = INTERRUPTED
    if code is None:
        print(f"not done within {minutes:g} minutes: {name}", *map(describe, descendants()), sep="\n", flush=True)
        command.send_signal(signal.SIGINT)
        wait(command, LAST_WORDS_S)
        code = TIME_UP
    end_descendants(f"left behind by {name}:")
    return code


if __name__ == "__main__":
    sys.exit(run(float(sys.argv[1]), sys.argv[2:]))
