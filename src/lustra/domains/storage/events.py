"""What higher domains may want to know of the room for files."""

from dataclasses import dataclass

from lustra.core.files.objects import Stored


@dataclass(slots=True)
class RobotFileStored:
    """A robot has sent up the file of an order, whole. Whoever gave that order enters it in its row, and says who holds
    the bytes from now on (`owner_id`) and what they take the place of (`former`). `owner_id` None: no order
    waits for it any more, and nothing is stored."""

    kind: str
    number: int
    stored: Stored
    owner_id: int | None = None
    former: str = ""


@dataclass(frozen=True, slots=True)
class DiskMeasured:
    """Bytes free on the disk where files lie, and those that uploads leave."""

    free: int
    reserve: int
