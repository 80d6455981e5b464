"""A log of lines on the robot's disk: a new file each day and after so many bytes, the oldest go first.

A line begins with its time in UTC (ISO 8601, ms) and its level; what follows is one line, whatever was given.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

MOST_BYTES = 1 << 20  # of a file
MOST_FILES = 10
LONGEST = 2000  # letters of a line, its time and level among them
MOST_RECENT = 400  # lines in memory
MOST_READ = 128 << 10  # bytes of the newest file, for lines of before
Level = Literal["INFO", "WARN", "ERROR"]


@dataclass
class TextLog:
    folder: Path
    prefix: str
    name: str = ""
    size: int = 0
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_RECENT))
    written: int = 0  # lines of this life

    def write(self, now_ms: int, text: str, level: Level = "INFO") -> None:
        at = datetime.fromtimestamp(now_ms / 1000, timezone.utc)
        line = f"{at.strftime('%Y-%m-%dT%H:%M:%S')}.{now_ms % 1000:03d}Z {level} {' '.join(text.split())}"[:LONGEST]
        data = f"{line}\n".encode("utf-8", "replace")
        self.turn(f"{self.prefix}-{at:%Y-%m-%d}", len(data))
        with (self.folder / self.name).open("ab") as out:
            out.write(data)
        self.size += len(data)
        self.recent.append(line)
        self.written += 1

    def read_last(self, most: int) -> list[str]:
        """The newest lines of the newest file, also of before this life."""
        files = sorted(self.folder.glob(f"{self.prefix}-*.log"))
        if not files or most == 0:
            return []
        with files[-1].open("rb") as opened:
            opened.seek(max(0, files[-1].stat().st_size - MOST_READ))
            lines = opened.read().decode("utf-8", "replace").splitlines()
        return [line[:LONGEST] for line in lines[-most:]]

    def turn(self, day: str, more: int) -> None:
        """Goes to the next file where the day or the room in this one is over."""
        if self.name.startswith(day) and self.size + more <= MOST_BYTES and (self.folder / self.name).exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        files = sorted(self.folder.glob(f"{self.prefix}-*.log"))
        own = [file for file in files if file.name.startswith(day)]
        last = own[-1] if own else None
        if last and last.stat().st_size + more <= MOST_BYTES:
            self.name, self.size = last.name, last.stat().st_size
            return
        number = int(last.stem.rsplit("-", 1)[1]) + 1 if last else 1
        self.name, self.size = f"{day}-{number:03d}.log", 0
        for old in files[: len(files) - MOST_FILES + 1]:
            old.unlink(missing_ok=True)
