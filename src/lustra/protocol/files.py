"""Files of a robot that the server lists, asks for and has deleted: logs, recordings, backups.

A robot says by `files` events which it has, and sends one up when it is asked to: by PUT to the signed URL of the
order, with `size` and `sha256` of the bytes in the query. The server stores the file only if both are right.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

LogKind = Literal["device", "pad", "rosbag", "navlog"]
FileKind = Literal["device", "pad", "rosbag", "navlog", "backup"]
MOST_FILES = 400  # of a kind that one event tells of
FileName = Annotated[str, Meta(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Number = Annotated[int, Meta(ge=1, le=(1 << 53) - 1)]
Bytes = Annotated[int, Meta(ge=0, le=1 << 50)]


class RobotFile(msgspec.Struct, kw_only=True):
    """A file on the robot's disk. `time`: ms of its newest content."""

    name: FileName
    size: Bytes
    time: Annotated[int, Meta(gt=0, le=1 << 50)]


class FileList(msgspec.Struct, kw_only=True):
    """All files of one kind that the robot has, and no others: the newest, where it has more than fit."""

    files: Annotated[list[RobotFile], Meta(max_length=MOST_FILES)]


class SendFile(msgspec.Struct, kw_only=True):
    """Send a file up: PUT to `url`, as it is now, unless it is larger than `largest` bytes. The same `kind` and
    `number` again is a new order, also after a failure. `drop`: send it no more. The answer carries `at`
    and `file`, a FileProgress."""

    kind: FileKind
    number: Number
    name: str = ""
    url: str = ""
    largest: int = 0
    drop: bool = False


class FileProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with a file that it sends up: `packing` it, `sending` it, `sent`, `failed` with a reason of
    the catalogue, or `dropped`. `have`: bytes that have gone, of `size`."""

    kind: FileKind
    number: Number
    state: Literal["packing", "sending", "sent", "failed", "dropped"]
    have: Bytes = 0
    size: Bytes = 0
    reason: Annotated[str, Meta(max_length=64)] = ""


class DeleteFiles(msgspec.Struct, kw_only=True):
    """Delete these files. The answer carries `deleted`, the names of those that are gone; what is being written
    stays."""

    kind: LogKind
    names: Annotated[list[str], Meta(min_length=1, max_length=MOST_FILES)]
