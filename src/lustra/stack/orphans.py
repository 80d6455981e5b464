"""Ends what a killed supervisor left behind.

Rule: an orphan is known by its command line: one of our programs, and a path in our folder. No pid file is trusted:
pids are used again, and a supervisor killed between fork and write leaves none.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil

PATIENCE_S = 20.0


def alive(process: psutil.Process) -> bool:
    """A dead process that its new parent has not collected yet (a zombie) is not alive."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def words_of(process: psutil.Process) -> list[str]:
    """Its command line. One that was forked (stack/loader) has it as one word, with nothing after it."""
    words = [word for word in process.cmdline() if word]
    return words[0].split() if len(words) == 1 else words


def find(folder: Path, ours: Callable[[list[str]], bool]) -> list[psutil.Process]:
    """Backends of PostgreSQL carry other titles, so only its head matches; they follow it."""

    processes: list[psutil.Process] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            words = words_of(process)
            text = f" {' '.join(words)} "
            if process.pid != os.getpid() and (f"{folder}/" in text or f" {folder} " in text) and ours(words):
                processes.append(process)
    return processes


def end(heads: list[psutil.Process], first: signal.Signals = signal.SIGINT) -> list[int]:
    """SIGINT is the fast shutdown of PostgreSQL and NATS alike, and Ctrl-C to ours."""
    for head in heads:
        if alive(head):
            head.send_signal(first)
    until = time.monotonic() + PATIENCE_S
    while left := [head for head in heads if alive(head)]:
        if time.monotonic() > until:
            for head in left:
                head.kill()
        time.sleep(0.01)
    return [head.pid for head in heads]
