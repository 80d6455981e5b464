"""Floor maps: the list, what a map looks like, and files to take away.

A robot's own map is changed at the robot; here it is a mirror and read-only. A library map can be deleted here.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import msgspec

from lustra.core import query, quota
from lustra.core.context import Ctx
from lustra.core.db import Connection, now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import Scope
from lustra.domains.account.api import support
from lustra.domains.device.api import Where
from lustra.domains.map import queries, reading
from lustra.domains.map.formats.lane_graph import LaneGraph
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.reading import About
from lustra.domains.map.tables import FloorMap

PACKERS = {"bundle": reading.pack_bundle, "keepout": reading.pack_mask, "plain": reading.pack_plain}
WORDS = "lower(normalize(m.name || ' ' || m.building || ' ' || m.floor || ' ' || coalesce(d.name, ''), nfkc))"


def build_row(row: Any) -> dict[str, Any]:
    values = dict(row)
    marks = Marks() if values["closed"] else msgspec.convert(values["marks"], Marks)
    lane_graph = None if values["closed"] else values["lane_graph"]
    for name in ("marks", "lane_graph", "grid", "customer"):
        values.pop(name, None)
    return values | {
        "flags": marks.flags,
        "virtualWalls": marks.virtual_walls,
        "forbiddenZones": marks.forbidden_zones,
        "freeAreas": marks.free_areas,
        "erasers": marks.erasers,
        "hours": marks.hours or None,
        "laneGraph": lane_graph,
    }


@dataclass(frozen=True, slots=True)
class MapQuery:
    """None and '': whichever. `loaded`: only those that their robots drive on now."""

    device_id: int | None = None
    text: str = ""
    building: str | None = None
    floor: str | None = None
    loaded: bool = False


async def list_maps(ctx: Ctx, db: Connection, scope: Scope, query: MapQuery) -> list[dict[str, Any]]:
    """Of a customer whose support access is closed, support sees names and sizes, and nothing that is drawn."""
    where = Where.of_stamped(scope, "m")
    where.add("m.deleted_at is null")
    for column in ("device_id", "building", "floor"):
        if (value := getattr(query, column)) is not None:
            where.add(f"m.{column} = {{}}", value)
    if query.text.strip():
        where.add(f"strpos({WORDS}, lower(normalize({{}}, nfkc))) > 0", query.text.strip())
    if query.loaded:
        where.add(queries.LOADED)
    is_open = support.sql_condition(ctx.actor, "m.owner_path")
    map_rows = await db.fetch(where.sql(queries.MAP_ROWS, loaded=queries.LOADED, open=is_open), *where.values)
    if ctx.actor.support:
        shown = {row["customer"]: row["customerName"] for row in map_rows if row["customer"] and not row["closed"]}
        looks = [(customer, support.Look("maps", customer, name)) for customer, name in shown.items()]
        await support.record_looks(db, ctx.actor, ctx.address, looks)
    return [build_row(row) for row in map_rows]


async def load_version(ctx: Ctx, map_id: int, revision: int | None) -> Any:
    """How the map looked at a revision, the newest without one; also of a map that was deleted: reports show it."""
    where = Where.of_stamped(ctx.scope, "m")
    where.add("m.id = {}", map_id)
    statement = where.sql(queries.VERSION, revision=f"{where.value(revision)}::int")
    row = await ctx.app.pool.fetchrow(statement, *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "mapId")
    look = support.Look("map", row["id"], row["name"], row["device_id"])
    await support.demand_access(ctx, look, row["owner_path"], "mapId")
    return row


def describe(row: Any) -> About:
    """What a version's row says of a map, without its picture."""
    origin = (row["origin_x"], row["origin_y"], row["origin_yaw"])
    return About(
        name=row["name"],
        building=row["building"],
        floor=row["floor"],
        resolution=row["resolution"],
        origin=origin,
        marks=msgspec.convert(row["marks"], Marks),
        lane_graph=msgspec.convert(row["lane_graph"], LaneGraph | None),
    )


async def build_bundle(ctx: Ctx, row: Any, marks: Marks | None = None) -> bytes:
    """The bundle of a version as robots take it; with other marks, if they may be drawn. Lanes are for people."""
    content = {reading.GRID: await ctx.app.objects.get(row["grid"])}
    description = msgspec.structs.replace(describe(row), lane_graph=None)
    if marks is not None:
        await ctx.app.intake.read(ctx.actor.real_id, reading.judge_drawing, content, description, marks, field="marks")
        description = msgspec.structs.replace(description, marks=marks)
    return await ctx.app.intake.read(ctx.actor.real_id, reading.pack_bundle, content, description, field="mapId")


async def export_map(ctx: Ctx, map_id: int, form: str) -> tuple[str, bytes | AsyncIterator[bytes]]:
    """Media type and file: the product's bundle, the same as robots take it, map_server's two files, a keep-out mask
    in two, or the picture."""
    row = await load_version(ctx, map_id, None)
    if form == "png":
        size = (await ctx.app.objects.about(row["grid"])).size
        return "image/png", ctx.app.objects.parts(row["grid"], 0, size)
    if form == "robot":
        return "application/zip", await build_bundle(ctx, row)
    content = {reading.GRID: await ctx.app.objects.get(row["grid"])}
    pack = PACKERS[form]
    packed = ctx.app.intake.read(ctx.actor.real_id, pack, content, describe(row), field="mapId")
    return "application/zip", await packed


async def hold_quota(ctx: Ctx, owner_id: int, place: str, size: int, field: str) -> None:
    """Count this size against the owner's quota of maps, also of what lies in the database alone."""
    await quota.hold(ctx, owner_id, "maps", place, size, field=field)


async def load_own_map(ctx: Ctx, map_id: int) -> FloorMap:
    """A map of the library, held until the call ends. A robot's map is changed at the robot."""
    rows = ctx.scope.changeable.select(FloorMap).where(FloorMap.id == map_id)
    row = await query.fetch_one(ctx.db, rows.with_for_update())
    if row.device_id is not None:
        raise Refusal(Code.MAP_REFUSED, "mapId", reason="map_of_robot")
    return row


async def delete_map(ctx: Ctx, map_id: int) -> None:
    """Mark a map of the library as deleted; its row stays, since reports show it."""
    row = await load_own_map(ctx, map_id)
    row.deleted_at = row.updated_at = now()


async def forget_mirror(ctx: Ctx, serial: str, name: str, *, force: bool) -> None:
    """The server's copy of a robot's map goes; the robot keeps its own, and tells it anew when it changes.

    Guard: only when it is forced, and never the map that the robot drives on.
    """
    where = Where(ctx.scope, "m.owner_path <@ {path}")
    where.add("m.deleted_at is null and d.serial_number = {} and m.name = {}", serial, name)
    statement = where.sql(queries.MAP_ROWS, loaded=queries.LOADED, open="true")
    mirror = await ctx.app.pool.fetchrow(statement, *where.values)
    if mirror is None:
        raise Refusal(Code.NOT_FOUND, "b")
    if not force:
        raise Refusal(Code.MAP_NOT_DELETED, "force", reason="map_force")
    if mirror["loaded"]:
        raise Refusal(Code.MAP_NOT_DELETED, "b", reason="map_loaded")
    ctx.note(mapId=mirror["mapId"], deviceSerialNumber=serial, name=name)
    rows = ctx.scope.changeable.select(FloorMap).where(FloorMap.id == mirror["mapId"])
    row = await query.fetch_one(ctx.db, rows)
    row.deleted_at = row.updated_at = now()
