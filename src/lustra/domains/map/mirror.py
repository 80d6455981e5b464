"""The server's copy of the maps that robots own.

Rules: a robot's map has one mirror for each owner that the robot had, by the time of the change; a change moves it
forward only, by the robot's own clock; every revision stays; pictures are stored by their content, so a map that comes
twice takes no more room.
"""

import asyncio
import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from lustra.core.db import Connection
from lustra.core.objects import Objects
from lustra.domains.map import image
from lustra.domains.map.marks import Marks
from lustra.domains.map.plan import FREE
from lustra.protocol.bus import Event, MapContent

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


@dataclass(frozen=True, slots=True)
class Drawn:
    """A map's content, looked through: its picture is one and has the size that was told."""

    content: MapContent
    png: bytes
    area: float

    @property
    def path(self) -> str:
        return f"maps/{hashlib.sha256(self.png).hexdigest()}.png"


def read(content: Any) -> Drawn:
    try:
        told = msgspec.convert(content, MapContent)
        png = base64.b64decode(told.grid, validate=True)
    except (msgspec.MsgspecError, binascii.Error, ValueError) as why:
        raise Unreadable from why
    try:
        grey = image.read(png).grey
    except image.Refusal as why:
        raise Unreadable from why
    if not png.startswith(image.PNG) or grey.shape != (told.height, told.width) or not told.resolution > 0:
        raise Unreadable
    return Drawn(told, png, float(np.count_nonzero(grey == FREE)) * told.resolution**2)


async def keep(db: Connection, objects: Objects, sn: str, event: Event) -> None:
    """The picture first: a row never names one that is not there. Unscoped: the robot tells of its own."""
    if event.deleted:
        await db.execute(DROP, sn, event.name, event.at)
        return
    drawn = await asyncio.to_thread(read, event.content)
    told = drawn.content
    await objects.put_bytes(drawn.path, drawn.png)
    if event.was:
        await db.execute(RENAME, sn, event.was, event.name, event.at)
    marks = msgspec.json.encode(Marks.of(told)).decode()
    await db.execute(
        KEEP, sn, event.name, told.building, told.floor, event.revision, event.at, told.width, told.height,
        told.resolution, *told.origin, drawn.area, marks, drawn.path,
    )  # fmt: skip
