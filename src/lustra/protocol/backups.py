"""Data backups: the server's orders, and the robot's progress. The archive itself is described in
docs/robot-backup.md."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

ItemKind = Literal["map", "task", "path", "group", "timetask", "elevator_timetask", "setting"]


class BackupItem(msgspec.Struct, kw_only=True):
    """One item of a robot's data. Two of one kind and name with the same `digest` have the same content, whatever their
    revisions."""

    kind: Annotated[ItemKind, Meta(description="What it is.")]
    name: Annotated[str, Meta(min_length=1, max_length=256, description='Its name; of a task "map/task".')]
    digest: Annotated[str, Meta(min_length=1, max_length=64, description="The robot's own digest of its content.")]


Items = Annotated[list[BackupItem], Meta(max_length=20_000)]
Versions = dict[Annotated[str, Meta(max_length=64)], Annotated[str, Meta(max_length=64)]]
Reason = Annotated[str, Meta(max_length=64)]
Size = Annotated[int, Meta(ge=0)]


class Backup(msgspec.Struct, kw_only=True):
    """`pack`: pack all your data into one archive. `upload`: upload that archive as files are, by PUT to the signed URL
    with its `size` and `sha256` in the query. `drop`: the order ends here."""

    number: Annotated[int, Meta(description="Number of the order.")]
    attempt: Annotated[int, Meta(description="Which attempt at this order it is.")]
    action: Annotated[Literal["pack", "upload", "drop"], Meta(description="What to do.")]
    url: Annotated[str, Meta(description="Signed URL for the archive.")] = ""
    sha256: Annotated[str, Meta(description="Of the archive to upload, hexadecimal.")] = ""


class BackupProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with a backup. If the upload fails, the packed archive stays and can be uploaded again."""

    number: Annotated[int, Meta(description="Number of the order.")]
    attempt: Annotated[int, Meta(description="Which attempt at this order it is.")]
    state: Annotated[
        Literal["packing", "packed", "uploading", "uploaded", "failed", "dropped"], Meta(description="How far it is.")
    ]
    have: Annotated[Size, Meta(description="Bytes sent.")] = 0
    reason: Annotated[Reason, Meta(description="Why it failed: a reason of the catalogue.")] = ""
    size: Annotated[Size, Meta(description="Bytes of the packed archive.")] = 0
    sha256: Annotated[str, Meta(max_length=64, description="Of the packed archive, hexadecimal.")] = ""
    format: Annotated[int, Meta(description="Format of the packed archive.")] = 0
    items: Annotated[Items, Meta(description="What the packed archive contains.")] = []
    versions: Annotated[Versions, Meta(description="Versions that the robot ran, by part.")] = {}


class Contents(msgspec.Struct, kw_only=True):
    """List your current data. The answer has `items` and `versions` as a backup's progress does."""


class Restore(msgspec.Struct, kw_only=True):
    """Fetch the archive and replace your maps, tasks, paths, groups, schedules and settings by its contents, all of
    them or none, and not while a task is running."""

    number: Annotated[int, Meta(description="Number of the order.")]
    url: Annotated[str, Meta(description="Signed URL of the archive.")] = ""
    size: Annotated[int, Meta(description="Bytes of the archive.")] = 0
    sha256: Annotated[str, Meta(description="Of the archive, hexadecimal.")] = ""
    until: Annotated[int, Meta(description="Start nothing after this, ms since 1970.")] = 0
    drop: Annotated[bool, Meta(description="The order ends here, unless it is done.")] = False


class RestoreProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with a restore. `waiting`: it has the whole archive and waits for what `reason` says."""

    number: Annotated[int, Meta(description="Number of the order.")]
    state: Annotated[Literal["loading", "waiting", "restored", "failed", "dropped"], Meta(description="How far it is.")]
    have: Annotated[Size, Meta(description="Bytes on its disk.")] = 0
    reason: Annotated[Reason, Meta(description="What it waits for, or why it failed.")] = ""
