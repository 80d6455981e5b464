"""Data backups: what the server orders of a robot, and what the robot says of it. The archive itself is described in
docs/robot-backup.md."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

ItemKind = Literal["map", "task", "path", "group", "timetask", "elevator_timetask", "setting"]


class BackupItem(msgspec.Struct, kw_only=True):
    """One thing that a robot holds. `name`: of a task "map/task". Two of one kind and name with the same `digest` are
    the same, whatever their revisions; the digest is the robot's own."""

    kind: ItemKind
    name: Annotated[str, Meta(min_length=1, max_length=256)]
    digest: Annotated[str, Meta(min_length=1, max_length=64)]


Items = Annotated[list[BackupItem], Meta(max_length=20_000)]
Versions = dict[Annotated[str, Meta(max_length=64)], Annotated[str, Meta(max_length=64)]]
Reason = Annotated[str, Meta(max_length=64)]
Size = Annotated[int, Meta(ge=0)]


class Backup(msgspec.Struct, kw_only=True):
    """`pack`: pack all that you hold into one archive. `upload`: put that archive, of that SHA-256, to the signed URL,
    with `size` and `sha256` of it in the query, as files are sent up. `drop`: do neither any more. An order has a
    `number`, which a later `attempt` at it keeps; what is said of it carries both."""

    number: int
    attempt: int
    action: Literal["pack", "upload", "drop"]
    url: str = ""
    sha256: str = ""


class BackupProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with a backup. `packed`: the archive lies on its disk, with this size, SHA-256, format, items
    and versions. `uploading`: `have` bytes of it are sent. `failed` with a reason of the catalogue; an archive that is
    packed stays, to be uploaded again."""

    number: int
    attempt: int
    state: Literal["packing", "packed", "uploading", "uploaded", "failed", "dropped"]
    have: Size = 0
    reason: Reason = ""
    size: Size = 0
    sha256: Annotated[str, Meta(max_length=64)] = ""
    format: int = 0
    items: Items = []
    versions: Versions = {}


class Contents(msgspec.Struct, kw_only=True):
    """Say what you hold now: `items` and `versions` as in a backup."""


class Restore(msgspec.Struct, kw_only=True):
    """Fetch the archive at the signed URL and hold what it holds, and nothing else: maps, tasks, paths, groups,
    schedules and settings. Size and checksum are the archive's. All of it or nothing; not while a task runs, and not
    after `until` (ms). `drop`: do not, if it is not done yet."""

    number: int
    url: str = ""
    size: int = 0
    sha256: str = ""
    until: int = 0
    drop: bool = False


class RestoreProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with it: `loading` the archive, `waiting` with all of it for what `reason` says, `restored`,
    `failed` with a reason, or `dropped`. `have`: bytes that it has."""

    number: int
    state: Literal["loading", "waiting", "restored", "failed", "dropped"]
    have: Size = 0
    reason: Reason = ""
