"""Floor maps: the list, what a map looks like, import into the library, and giving one to a robot.

A robot's own map is changed at the robot; here it is a mirror and read-only. A library map can be deleted here.
"""

import asyncio
import hashlib
from typing import Any

import msgspec
from sqlalchemy import select

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import Connection, now
from lustra.core.errors import Code, Refusal
from lustra.core.permission import within
from lustra.domains.account import support
from lustra.domains.account.tables import Account
from lustra.domains.device.scope import Where
from lustra.domains.map import image, map_server
from lustra.domains.map.marks import Marks
from lustra.domains.map.tables import FloorMap, MapVersion

LONGEST_NAME = 64
ROWS = """
select m.id as "mapId", m.name, m.building, m.floor, m.device_id as "deviceId", d.name as "deviceCode",
  m.owner_id as "ownerUserId", coalesce(nullif(d.customer_name, ''), a.name) as "customerName", m.area, m.width,
  m.height, m.resolution, array[m.origin_x, m.origin_y, m.origin_yaw] as origin, m.revision,
  coalesce(s.map = m.name and d.owner_id = m.owner_id, false) as loaded, m.device_id is not null as mirrored, m.marks,
  m.updated_at as "updateTime", m.deleted_at is not null as deleted, m.grid, not {open} as closed,
  support_customer(m.owner_path) as customer
from floor_map m join account a on a.id = m.owner_id left join device d on d.id = m.device_id
  left join robot_state s on s.robot = m.device_id"""
WORDS = "lower(normalize(m.name || ' ' || m.building || ' ' || m.floor || ' ' || coalesce(d.name, ''), nfkc))"
VERSION = """
select v.grid, m.id, m.owner_path::text as owner_path, m.device_id, m.name, m.building, m.floor,
  v.resolution, v.origin_x, v.origin_y, v.origin_yaw, v.marks
from floor_map m join map_version v on v.map_id = m.id and v.revision = coalesce({}, m.revision)"""


def _row(found: Any) -> dict[str, Any]:
    told = dict(found)
    marks = Marks() if told["closed"] else msgspec.convert(told["marks"], Marks)
    for name in ("marks", "grid", "customer"):
        told.pop(name, None)
    return told | {
        "flags": marks.flags, "virtualWalls": marks.virtual_walls, "forbiddenZones": marks.forbidden_zones,
        "freeAreas": marks.free_areas,
    }  # fmt: skip


async def listed(ctx: Ctx, db: Connection, path: str, device_id: int | None, text: str) -> list[dict[str, Any]]:
    """Of a customer whose support access is closed, support sees names and sizes, and nothing that is drawn."""
    where = Where()
    where.stamped(path, "m")
    where.add("m.deleted_at is null")
    if device_id is not None:
        where.add("m.device_id = {}", device_id)
    if text.strip():
        where.add(f"strpos({WORDS}, lower(normalize({{}}, nfkc))) > 0", text.strip())
    rows = ROWS.format(open=support.sql(ctx.actor, "m.owner_path"))
    found = await db.fetch(f"{rows} where {where} order by m.building, m.floor, m.name, m.id", *where.values)
    if ctx.actor.support:
        shown = {row["customer"]: row["customerName"] for row in found if row["customer"] and not row["closed"]}
        looks = [(customer, support.Look("maps", customer, name)) for customer, name in shown.items()]
        await support.record(db, ctx.actor, ctx.address, looks)
    return [_row(row) for row in found]


async def version(ctx: Ctx, map_id: int, revision: int | None) -> Any:
    """How the map looked at a revision, the newest without one; also of a map that was deleted: reports show it."""
    where = Where()
    place = where.value(revision) + "::int"
    where.stamped(ctx.actor.path, "m")
    where.add("m.id = {}", map_id)
    row = await ctx.app.pool.fetchrow(f"{VERSION.format(place)} where {where}", *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "mapId")
    look = support.Look("map", row["id"], row["name"], row["device_id"])
    await support.demand(ctx, look, row["owner_path"], "mapId")
    return row


async def bundle(ctx: Ctx, map_id: int) -> tuple[str, bytes]:
    """Name and zip, as map/Upload of a robot takes it."""
    told = await version(ctx, map_id, None)
    png = await ctx.app.objects.get(told["grid"])

    def made() -> bytes:
        origin = (told["origin_x"], told["origin_y"], told["origin_yaw"])
        marks = msgspec.convert(told["marks"], Marks)
        grey = image.read(png).grey
        place = (told["building"], told["floor"])
        return map_server.bundle(map_server.Plan(told["name"], told["resolution"], origin, grey, marks, *place))

    return told["name"], await asyncio.to_thread(made)


async def bring(ctx: Ctx, files: dict[str, bytes], name: str, building: str, floor: str) -> dict[str, Any]:
    """A map made elsewhere, into the account's library. Nothing is stored unless all of it is well."""
    plan = await asyncio.to_thread(map_server.parse, files)
    png = await asyncio.to_thread(image.write, plan.grid)
    path = f"maps/{hashlib.sha256(png).hexdigest()}.png"
    await ctx.app.objects.put_bytes(path, png)
    height, width = plan.grid.shape
    x, y, yaw = plan.origin
    marks: dict[str, Any] = msgspec.to_builtins(plan.marks)
    drawn: dict[str, Any] = {
        "width": width, "height": height, "resolution": plan.resolution, "origin_x": x, "origin_y": y,
        "origin_yaw": yaw, "marks": marks, "grid": path,
    }  # fmt: skip
    mine = select(Account).where(Account.id == ctx.actor.acting_id)  # unscoped: the actor itself
    owner = await query.one(ctx.db, mine)
    made = FloorMap(
        owner_id=owner.id, owner_path=owner.path,
        name=(name.strip() or plan.name)[:LONGEST_NAME], area=plan.area, building=building.strip() or plan.building,
        floor=floor.strip() or plan.floor, **drawn,
    )  # fmt: skip
    ctx.db.add(made)
    await ctx.db.flush()
    ctx.db.add(MapVersion(map_id=made.id, revision=made.revision, **drawn))
    await ctx.db.flush()
    return _row({
        "mapId": made.id, "name": made.name, "building": made.building, "floor": made.floor, "deviceId": None,
        "deviceCode": None, "ownerUserId": owner.id, "customerName": owner.name, "area": made.area, "width": width,
        "height": height, "resolution": plan.resolution, "origin": plan.origin, "revision": made.revision,
        "loaded": False, "mirrored": False, "marks": marks, "updateTime": made.updated_at, "deleted": False,
        "closed": False,
    })  # fmt: skip


async def delete(ctx: Ctx, map_id: int) -> None:
    """Softly. A mirror follows its robot: the robot's map is deleted at the robot."""
    seen = select(FloorMap).where(
        FloorMap.id == map_id, within(ctx.actor, FloorMap.owner_path), FloorMap.deleted_at.is_(None)
    )
    found = await query.one(ctx.db, seen)
    if found.device_id is not None:
        raise Refusal(Code.MAP_REFUSED, "mapId", reason="map_of_robot")
    found.deleted_at = found.updated_at = now()
