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
from lustra.domains.map.reading import Drawn, read_content
from lustra.protocol.bus import Event

HOLD = """
select d.id robot, o.owner_id owner, hold_object(o.owner_id, 'maps', $3, $4, $5) used
from device d, owner_at(d.id, $2) o
where d.serial_number = $1 and d.deleted_at is null"""
TELL_FULL = "select tell_maps_full($1, $2, $3, $4, $5)"
log = structlog.get_logger(__name__)
PASSING = (Code.BUSY, Code.UNAVAILABLE)

KEEP = """
with kept as (
  insert into floor_map (device_id, owner_id, owner_path, name, building, floor, revision, at, width, height,
    resolution, origin_x, origin_y, origin_yaw, area, marks, grid)
  select d.id, o.owner_id, o.owner_path, $2, coalesce(nullif($3, ''), d.address), coalesce(nullif($4, ''), d.address1),
    $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::text::jsonb, $15
  from device d, owner_at(d.id, $6) o where d.serial_number = $1 and d.deleted_at is null
  on conflict (device_id, owner_id, name) where device_id is not null do update set
    (building, floor, revision, at, width, height, resolution, origin_x, origin_y, origin_yaw, area, marks, grid) =
    (excluded.building, excluded.floor, excluded.revision, excluded.at, excluded.width, excluded.height,
     excluded.resolution, excluded.origin_x, excluded.origin_y, excluded.origin_yaw, excluded.area, excluded.marks,
     excluded.grid),
    updated_at = now(), deleted_at = null
  where floor_map.at < excluded.at
  returning *
)
insert into map_version (map_id, revision, width, height, resolution, origin_x, origin_y, origin_yaw, marks, grid)
select id, revision, width, height, resolution, origin_x, origin_y, origin_yaw, marks, grid from kept
on conflict (map_id, revision) do update set (width, height, resolution, origin_x, origin_y, origin_yaw, marks, grid) =
  (excluded.width, excluded.height, excluded.resolution, excluded.origin_x, excluded.origin_y, excluded.origin_yaw,
   excluded.marks, excluded.grid)"""
# A map that was renamed keeps its row, and with it its versions, unless one of the new name was there before.
RENAME = """
update floor_map m set name = $3 from device d, owner_at(d.id, $4) o
where d.serial_number = $1 and d.deleted_at is null and m.device_id = d.id and m.owner_id = o.owner_id
  and m.name = $2 and m.deleted_at is null and m.at < $4
  and not exists (select from floor_map t where (t.device_id, t.owner_id, t.name) = (m.device_id, m.owner_id, $3))"""
DROP = """
update floor_map m set deleted_at = now(), updated_at = now(), at = $3
from device d, owner_at(d.id, $3) o
where d.serial_number = $1 and d.deleted_at is null and m.device_id = d.id and m.owner_id = o.owner_id
  and m.name = $2 and m.at < $3"""


class Unreadable(Exception):
    """A map that cannot be kept, now or ever."""


async def read(intake: Intake, sn: str, event: Event) -> Drawn | None:
    """The map that the event tells of, None if it tells that it is gone. What the robot made of it is read in a process
    of its own, and without a connection to the database: it may take seconds. Raises Unreadable, and Refusal with
    UNAVAILABLE when it may be better next time."""
    if event.deleted:
        return None
    try:
        return await intake.read(sn, read_content, {"content": msgspec.json.encode(event.content)}, field="content")
    except Refusal as why:
        if why.code in PASSING:
            raise
        raise Unreadable(f"{why.field}: {why.reason}") from why


async def keep(
    db: Connection, objects: Objects, sn: str, event: Event, drawn: Drawn | None, *, quota_gb: str = ""
) -> None:
    """The picture first: a row never names one that is not there. Unscoped: the robot tells of its own. Raises
    Unreadable when its owner holds as many maps as it may, which owner and administrators are told once a day."""
    if drawn is None:
        await db.execute(DROP, sn, event.name, event.at)
        return
    marks = msgspec.json.encode(drawn.marks).decode()
    most = quota.read_limits(quota_gb)["maps"]
    revision = f"map_version/{sn}/{event.name}/{event.revision}"
    for place, size in ((drawn.path, len(drawn.png)), (revision, len(marks))):
        row = await db.fetchrow(HOLD, sn, event.at, place, size, most)
        if row is not None and row["used"] != quota.HELD:
            used, limit = quota.size_text(row["used"]), quota.size_text(most)
            log.warning("map.quota", sn=sn, name=event.name, used=used, limit=limit)
            await db.execute(TELL_FULL, row["robot"], row["owner"], event.name, used, limit)
            raise Unreadable(f"its owner holds {used} of {limit}")
    await objects.put_bytes(drawn.path, drawn.png)
    if event.was:
        await db.execute(RENAME, sn, event.was, event.name, event.at)
    await db.execute(
        KEEP,
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
