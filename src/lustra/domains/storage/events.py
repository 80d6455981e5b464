"""What higher domains may want to know of the room for files."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiskMeasured:
    """Bytes free on the disk where files lie, and those that uploads leave."""

    free: int
    reserve: int
