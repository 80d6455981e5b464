"""What the bus and the database may plan with, by the room that the disk has at the start.

Rule: streams together get half of what is free and what they hold already, so that a small disk has small streams and
a start in trouble is still a start; a stream is never made smaller than what it holds (core/bus).
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

MB = 1 << 20
# that a first start writes, and any other
FIRST_MB = 250
AGAIN_MB = 48
STREAMS = 5  # of so many bytes, at most: three whole ones and smaller ones, with their indexes
LEAST_STREAM = 8 * MB


@dataclass(frozen=True, slots=True)
class Room:
    stream_bytes: int  # what one stream may take
    bus_bytes: int  # what the bus may promise to its streams, also to those that were made when there was more room
    wal_mb: int  # PostgreSQL's `max_wal_size`


def plan_room(folder: Path, largest_stream: int) -> Room:
    """Raises SystemExit, in words, where a start could only fail."""
    disk = shutil.disk_usage(folder)
    least = AGAIN_MB if (folder / "pg").exists() else FIRST_MB
    if disk.free < least * MB:
        raise SystemExit(
            f"The disk of {folder} is full: {disk.free // MB} MB are free and {least} MB are needed to start. "
            "Make room on it, or choose another folder with --data."
        )
    budget = disk.free + size_of(folder / "nats" / "jetstream")
    stream = max(LEAST_STREAM, min(largest_stream, budget // 2 // STREAMS))
    promised = max(disk.total // 2, 2 * STREAMS * largest_stream)
    return Room(stream, promised, min(1024, max(64, disk.free // 8 // MB)))


def size_of(folder: Path) -> int:
    """Bytes on the disk of all files below; 0 where there is no such folder."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())
