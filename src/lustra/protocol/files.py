"""Files of a robot that the server lists, requests and deletes: logs, recordings, backups; and lines of its logs as
they are written.

A robot lists them by `files` events, and uploads one on request: by PUT to the signed URL of the order, with `size`
and `sha256` of the bytes in the query. The server stores the file only if both are right.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from lustra.protocol.telemetry import Payload

LogKind = Literal["device", "pad", "rosbag", "navlog"]
TextLogKind = Literal["device", "pad", "navlog"]
FileKind = Literal["device", "pad", "rosbag", "navlog", "backup"]
MOST_FILES = 400  # of a kind in one event
MOST_LINES = 200  # of a log, in one message
LONGEST_LINE = 2000  # letters
FileName = Annotated[str, Meta(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Number = Annotated[int, Meta(ge=1, le=(1 << 53) - 1)]
Bytes = Annotated[int, Meta(ge=0, le=1 << 50)]
Coordinate = Annotated[float, Meta(ge=-1e6, le=1e6)]


class RecordedAlarm(msgspec.Struct, kw_only=True):
    """An alarm of which there is a recording."""

    id: Annotated[str, Meta(min_length=1, max_length=64, description="Id of the OpenAlarm.")]
    code: Annotated[str, Meta(min_length=1, max_length=64, description="Code of the OpenAlarm.")]


class Trigger(msgspec.Struct, kw_only=True):
    """Why a recording was made, and where the robot was then. The server requests such a recording by itself."""

    by: Annotated[
        Literal["alarm", "order"],
        Meta(description="`alarm`: made by the robot itself, with sensor data from before it; `order`: by a person."),
    ]
    at: Annotated[int, Meta(gt=0, le=1 << 50, description="When, ms.")]
    alarms: Annotated[list[RecordedAlarm], Meta(max_length=100, description="Raised in it, or open when it began.")] = (
        msgspec.field(default_factory=list[RecordedAlarm])
    )
    map: Annotated[str, Meta(max_length=256, description="Name of the loaded map; empty: none.")] = ""
    x: Annotated[Coordinate | None, Meta(description="Position on that map, m.")] = None
    y: Annotated[Coordinate | None, Meta(description="Position on that map, m.")] = None


class RobotFile(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A file on the robot's disk."""

    name: Annotated[FileName, Meta(description="Name of the file, without a folder.")]
    size: Annotated[Bytes, Meta(description="Bytes.")]
    time: Annotated[int, Meta(gt=0, le=1 << 50, description="Time of its newest content, ms since 1970.")]
    trigger: Annotated[Trigger | None, Meta(description="Why a recording was made; null: another file.")] = None


class FileList(msgspec.Struct, kw_only=True):
    """All files of one kind that the robot has; the newest ones, if there are more than fit."""

    files: Annotated[list[RobotFile], Meta(max_length=MOST_FILES, description="The files.")]


class SendFile(msgspec.Struct, kw_only=True):
    """Upload a file as it is now, by PUT to the signed URL. The same `kind` and `number` again is a new order, also
    after a failure. The answer has `at` and `file`, a FileProgress."""

    kind: Annotated[FileKind, Meta(description="Kind of the file.")]
    number: Annotated[Number, Meta(description="Number of the order.")]
    name: Annotated[str, Meta(description="Name of the file.")] = ""
    url: Annotated[str, Meta(description="Signed URL.")] = ""
    largest: Annotated[int, Meta(description="Bytes that it may have; refuse to send more.")] = 0
    drop: Annotated[bool, Meta(description="The order ends here.")] = False


class FileProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with an upload."""

    kind: Annotated[FileKind, Meta(description="Kind of the file.")]
    number: Annotated[Number, Meta(description="Number of the order.")]
    state: Annotated[Literal["packing", "sending", "sent", "failed", "dropped"], Meta(description="How far it is.")]
    have: Annotated[Bytes, Meta(description="Bytes sent.")] = 0
    size: Annotated[Bytes, Meta(description="Bytes of the file.")] = 0
    reason: Annotated[str, Meta(max_length=64, description="Why it failed: a reason of the catalogue.")] = ""


class DeleteFiles(msgspec.Struct, kw_only=True):
    """Delete these files, except one that is being written. The answer has `deleted`, the names of those that are
    gone."""

    kind: Annotated[LogKind, Meta(description="Kind of the files.")]
    names: Annotated[list[str], Meta(min_length=1, max_length=MOST_FILES, description="Their names.")]


class FollowLog(msgspec.Struct, kw_only=True):
    """Somebody is reading this log as it is written: publish its new lines on `live.log`. The order is renewed as long
    as somebody reads. The answer has `log`, a LogLines with the lines before."""

    kind: Annotated[TextLogKind, Meta(description="Kind of the log.")]
    seconds: Annotated[float, Meta(ge=0, le=120, description="For how long, s.")]
    last: Annotated[int, Meta(ge=0, le=MOST_LINES, description="How many of the newest lines to answer.")] = 0


class LogLines(Payload):
    """Lines of a log as the robot writes them, at most twice a second, with up to 200 lines and 32 KB. Lines are
    numbered from any number on in each `stream`; missing numbers are lines that were too many to send. They are not
    stored: the file has them all."""

    kind: Annotated[TextLogKind, Meta(description="Kind of the log.")]
    stream: Annotated[str, Meta(min_length=1, max_length=64, description="Names this start of the robot's program.")]
    first: Annotated[int, Meta(ge=-(1 << 53), le=1 << 53, description="Number of the first of these lines.")]
    lines: Annotated[
        list[Annotated[str, Meta(max_length=LONGEST_LINE)]],
        Meta(max_length=MOST_LINES, description="The lines, oldest first, without their ends."),
    ]
