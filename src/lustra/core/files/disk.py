"""Free space on the disk, and how much of it uploads leave alone.

Rule: the reserve is for the database and the bus, which stop working on a full disk. It is the smaller of a number of
MB and a share of the disk, so that a small disk is not all reserve.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse

SHARE = 0.05  # of the disk, at most
MB = 1 << 20
LOW = 2  # times the reserve


@dataclass(frozen=True, slots=True)
class Space:
    """Bytes that this process may still write, of so many in all, and the bytes that uploads leave."""

    free: int
    total: int
    reserve: int

    @property
    def low(self) -> bool:
        """Whether so little is free that uploads will soon be refused."""
        return self.free < LOW * self.reserve

    @property
    def for_uploads(self) -> int:
        return max(0, self.free - self.reserve)


def measure_space(folder: Path, reserve_mb: int) -> Space:
    """Of the file system that the folder lies on. Raises OSError when there is no such folder."""
    usage = shutil.disk_usage(folder)
    return Space(usage.free, usage.total, min(reserve_mb * MB, int(usage.total * SHARE)))


def folder_of(objects_url: str) -> Path | None:
    """Where files lie on a disk of this machine; None: they lie in S3."""
    url = urlparse(objects_url)
    return Path(url.path) if url.scheme == "file" else None
