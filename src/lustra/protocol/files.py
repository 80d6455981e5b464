"""Files of a robot that the server lists, asks for and has deleted: logs, recordings, backups; and lines of its logs as
it writes them.

A robot says by `files` events which it has, and sends one up when it is asked to: by PUT to the signed URL of the
order, with `size` and `sha256` of the bytes in the query. The server stores the file only if both are right.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from lustra.protocol.telemetry import Payload

LogKind = Literal["device", "pad", "rosbag", "navlog"]
TextLogKind = Literal["device", "pad", "navlog"]
FileKind = Literal["device", "pad", "rosbag", "navlog", "backup"]
MOST_FILES = 400  # of a kind that one event tells of
MOST_LINES = 200  # of a log, in one message
LONGEST_LINE = 2000  # letters
FileName = Annotated[str, Meta(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Number = Annotated[int, Meta(ge=1, le=(1 << 53) - 1)]
Bytes = Annotated[int, Meta(ge=0, le=1 << 50)]


class RecordedAlarm(msgspec.Struct, kw_only=True):
    """An alarm that a recording has. `id` and `code` are those of the OpenAlarm."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=64)]


class Trigger(msgspec.Struct, kw_only=True):
    """Why a recording was made, and where the robot was then, on which of its maps. `alarms`: raised in it, or open as
    it began. The server asks for such a recording of itself."""

    by: Annotated[
        Literal["alarm", "order"],
        Meta(description="`alarm`: by the robot itself, with what its sensors said before; `order`: a person's."),
    ]
    at: Annotated[int, Meta(gt=0, le=1 << 50, description="When, ms.")]
    alarms: Annotated[list[RecordedAlarm], Meta(max_length=100)] = msgspec.field(default_factory=list[RecordedAlarm])
    map: Annotated[str, Meta(max_length=256, description="Name of the map; empty: none is loaded.")] = ""
    x: Annotated[float, Meta(ge=-1e6, le=1e6, description="On that map, m.")] | None = None
    y: Annotated[float, Meta(ge=-1e6, le=1e6, description="On that map, m.")] | None = None


class RobotFile(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A file on the robot's disk. `time`: ms of its newest content. `trigger`: only of a recording of sensors."""

    name: FileName
    size: Bytes
    time: Annotated[int, Meta(gt=0, le=1 << 50)]
    trigger: Trigger | None = None


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


class FollowLog(msgspec.Struct, kw_only=True):
    """Somebody reads this log as it is written: say its new lines on `live.log` for so many seconds. It is renewed
    while somebody does. The answer carries `log`, a LogLines with at most the newest `last` lines of before."""

    kind: TextLogKind
    seconds: Annotated[float, Meta(ge=0, le=120)]
    last: Annotated[int, Meta(ge=0, le=MOST_LINES)] = 0


class LogLines(Payload):
    """Lines of a log as the robot writes them, each two times a second at most, 200 lines and 32 KB of them. A line is
    `first` + its place here, counted from any number at each start of the robot's program (`stream`): numbers that are
    missing are lines that were too many to be said. Nothing keeps them, and the file has all."""

    kind: TextLogKind
    stream: Annotated[str, Meta(min_length=1, max_length=64)]
    first: Annotated[int, Meta(ge=-(1 << 53), le=1 << 53, description="Number of the first of these lines.")]
    lines: Annotated[
        list[Annotated[str, Meta(max_length=LONGEST_LINE)]],
        Meta(max_length=MOST_LINES, description="The lines, oldest first, without their ends."),
    ]
