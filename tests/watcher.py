"""Processes that a test run starts end with it, also when a timeout kills it before any fixture is torn down."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Its input closes when the run is gone, however that ended. SIGINT: the fast shutdown of PostgreSQL, NATS and ours.
WATCH = """
import contextlib, os, signal, sys
sys.stdin.read()
for pid in sys.argv[1:]:
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(pid), signal.SIGINT)
"""


@contextmanager
def ended_with_us(*pids: int) -> Iterator[None]:
    """While in here, the death of this process interrupts these."""
    words = [sys.executable, "-I", "-c", WATCH, *map(str, pids)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True) as watcher:
        try:
            yield
        finally:
            watcher.kill()
