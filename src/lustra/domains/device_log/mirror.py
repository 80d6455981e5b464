"""What robots say of their files and of those that they send up.

Rules: a list takes the place of the one before, by the robot's own clock; the file belongs to the robot's owner of that
time. What neither the robot has nor a copy is left of goes. Only while an upload runs its robot's words on it count.
"""

from typing import get_args

import msgspec

from lustra.core.db import Connection
from lustra.core.scope import system
from lustra.domains.device_log import queries
from lustra.protocol.bus import Event
from lustra.protocol.files import FileList, FileProgress, LogKind
from lustra.protocol.flaws import Flawed

AS_ROBOTS = system("robots report their own files")
KINDS: tuple[str, ...] = get_args(LogKind)


async def keep_files(db: Connection, sn: str, event: Event) -> None:
    if event.name not in KINDS:
        raise Flawed("name", "unknown_value")
    files = msgspec.convert(event.content, FileList).files
    by_name = {file.name: file for file in files}
    names, rows = list(by_name), list(by_name.values())
    async with db.transaction():
        await db.execute(
            AS_ROBOTS.sql(queries.STORE_LIST),
            sn,
            event.at,
            event.name,
            names,
            [file.size for file in rows],
            [file.time for file in rows],
            [msgspec.json.encode(file.trigger).decode() if file.trigger else None for file in rows],
        )
        await db.execute(AS_ROBOTS.sql(queries.DROP_EMPTY), sn)


async def keep_upload(db: Connection, sn: str, event: Event) -> None:
    progress = msgspec.convert(event.content, FileProgress)
    if progress.kind not in KINDS:
        return
    await db.execute(
        AS_ROBOTS.sql(queries.STORE_PROGRESS),
        sn,
        event.at,
        progress.number,
        progress.state,
        progress.have,
        progress.size,
        progress.reason,
    )
