"""Runs a command for so many minutes at most: within.py MINUTES COMMAND …

What hangs is named with all that it has started, interrupted so that it can say how far it came, and killed. What a
command leaves behind is named and ended as well: it would keep the output of whoever called us open, so that a run that
has ended looks like one that goes on. Exit code of the command; 124, as of coreutils' timeout, if time was up.
"""

import ctypes
import signal
import subprocess
import sys
import time

import psutil

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux: processes whose parent has ended become children of ours
TIME_UP = 124
LAST_WORDS_S = 30.0
END_S = 5.0
WIDEST = 160


def descendants() -> list[psutil.Process]:
    return [each for each in psutil.Process().children(recursive=True) if each.status() != psutil.STATUS_ZOMBIE]


def describe(process: psutil.Process) -> str:
    try:
        return f"  {process.pid} {' '.join(process.cmdline())}"[:WIDEST]
    except psutil.NoSuchProcess:
        return f"  {process.pid} (ended)"


def end_descendants(why: str) -> None:
    """What has ended in a moment by itself is no news: a watcher sees the end of who it watches a little later."""
    until = time.monotonic() + END_S
    while (left := descendants()) and time.monotonic() < until:
        time.sleep(0.05)
    if left:
        print(why, *map(describe, left), sep="\n", flush=True)
    while left := descendants():
        for process in left:
            process.kill()
        psutil.wait_procs(left, END_S)


def run(minutes: float, words: list[str]) -> int:
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    name = " ".join(words)[:WIDEST]
    with subprocess.Popen(words) as command:
        try:
            code = command.wait(minutes * 60)
        except KeyboardInterrupt:  # the terminal has told it too
            return command.wait()
        except subprocess.TimeoutExpired:
            print(f"not done within {minutes:g} minutes: {name}", *map(describe, descendants()), sep="\n", flush=True)
            command.send_signal(signal.SIGINT)
            try:
                command.wait(LAST_WORDS_S)
            except subprocess.TimeoutExpired:
                command.kill()
            code = TIME_UP
        end_descendants(f"left behind by {name}:")
        return code


if __name__ == "__main__":
    sys.exit(run(float(sys.argv[1]), sys.argv[2:]))
