"""The server's copy of the maps that robots own.

Rules: a robot's map has one mirror for each owner that the robot had, by the time of the change; a change moves it
forward only, by the robot's own clock; every revision stays; pictures are stored by their content, so a map that comes
twice takes no more room.
"""

import msgspec
import structlog

from lustra.core import quota
from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.core.files.intake import Intake
from lustra.core.files.objects import Objects
from lustra.core.scope import robots_own
from lustra.domains.device.api import enter_place
from lustra.domains.map import queries
from lustra.domains.map.reading import Drawn, read_content
from lustra.protocol.bus import Event
from lustra.protocol.flaws import Flawed

TELL_FULL = "select tell_maps_full($1, $2, $3, $4, $5)"
log = structlog.get_logger(__name__)
PASSING = (Code.BUSY, Code.UNAVAILABLE)


async def read(intake: Intake, sn: str, event: Event) -> Drawn | None:
    """The map that the event tells of, None if it tells that it is gone. What the robot made of it is read in a process
    of its own, and without a connection to the database: it may take seconds. Raises Flawed, and Refusal with
    UNAVAILABLE when it may be better next time."""
    if event.deleted:
        return None
    try:
        return await intake.read(sn, read_content, {"content": msgspec.json.encode(event.content)}, field="content")
    except Refusal as why:
        if why.code in PASSING:
            raise
        raise Flawed("content") from why


async def keep(
    db: Connection, objects: Objects, sn: str, event: Event, drawn: Drawn | None, *, quota_gb: str = ""
) -> None:
    """The picture first: a row never names one that is not there. Raises
    Flawed when its owner holds as many maps as it may, of which owner and administrators are notified once a day."""
    if drawn is None:
        await db.execute(robots_own.sql(queries.DROP_MAP), sn, event.name, event.at)
        return
    marks = msgspec.json.encode(drawn.marks).decode()
    most = quota.read_limits(quota_gb)["maps"]
    revision = f"map_version/{sn}/{event.name}/{event.revision}"
    for place, size in ((drawn.path, len(drawn.png)), (revision, len(marks))):
        row = await db.fetchrow(robots_own.sql(queries.HOLD_MAP), sn, event.at, place, size, most)
        if row is not None and row["used"] != quota.HELD:
            used, limit = quota.size_text(row["used"]), quota.size_text(most)
            log.warning("map.quota", sn=sn, name=event.name, used=used, limit=limit)
            await db.execute(TELL_FULL, row["robot"], row["owner"], event.name, used, limit)
            raise Flawed("content", "no_room")
    await objects.put_bytes(drawn.path, drawn.png)
    if event.was:
        await db.execute(robots_own.sql(queries.RENAME_MAP), sn, event.was, event.name, event.at)
    await db.execute(
        robots_own.sql(queries.STORE_MAP),
        sn,
        event.name,
        drawn.building,
        drawn.floor,
        event.revision,
        event.at,
        drawn.width,
        drawn.height,
        drawn.resolution,
        *drawn.origin,
        drawn.area,
        marks,
        drawn.path,
    )
    await enter_place(db, sn, drawn.building, drawn.floor, event.at)
