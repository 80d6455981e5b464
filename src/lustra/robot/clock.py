"""Times in ms of what a robot sends: never one twice, over restarts and steps of the machine's clock."""

import os
import time
from collections.abc import Callable
from pathlib import Path

AHEAD_MS = 4000  # the mark on the disk is written as seldom as this


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Clock:
    """The file holds a mark that no used time has passed yet; a new process begins behind it."""

    def __init__(self, file: Path, now: Callable[[], int]) -> None:
        self.file, self.now = file, now
        self.last = int(file.read_text()) if file.exists() and file.read_text().strip().isdigit() else 0
        self.mark = self.last

    def at(self) -> int:
        self.last = max(self.now(), self.last + 1)
        if self.last > self.mark:
            self.mark = self.last + AHEAD_MS
            held = os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o600)
            os.pwrite(held, str(self.mark).encode(), 0)  # as long as the one before: in place, without a rename
            os.close(held)
        return self.last
