"""A log of lines on the robot's disk: a new file each day and after so many bytes, the oldest go first.

A line begins with its time in UTC (ISO 8601, ms) and its level; what follows is one line, whatever was given.
"""

from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

MOST_BYTES = 1 << 20  # of a file
MOST_FILES = 10
LONGEST = 2000  # letters of a line
Level = Literal["INFO", "WARN", "ERROR"]


@dataclass
class TextLog:
    folder: Path
    prefix: str
    name: str = ""
    size: int = 0

    def write(self, now_ms: int, text: str, level: Level = "INFO") -> None:
        at = datetime.fromtimestamp(now_ms / 1000, timezone.utc)
        line = f"{at.strftime('%Y-%m-%dT%H:%M:%S')}.{now_ms % 1000:03d}Z {level} {' '.join(text.split())[:LONGEST]}\n"
        data = line.encode("utf-8", "replace")
        self.turn(f"{self.prefix}-{at:%Y-%m-%d}", len(data))
        with (self.folder / self.name).open("ab") as out:
            out.write(data)
        self.size += len(data)

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
