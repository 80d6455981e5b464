"""Changes of maps: every one is a revision that stays.

Rules: a change names the revision that it was drawn on; when the map has gone on since, it is refused with CONFLICT and
whoever drew it merges. A robot's map is saved at the robot: here it becomes the bundle that the robot takes.
"""

from datetime import datetime
from typing import Any

import msgspec

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files.intake import Files
from lustra.domains.device.api import Where
from lustra.domains.map import queries, reading, service
from lustra.domains.map.formats.keepout import Frame
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.tables import FloorMap, MapVersion
from lustra.protocol.bus import Zone

MOST = 500


async def list_versions(ctx: Ctx, map_id: int) -> list[dict[str, Any]]:
    """The revisions of a map, the newest first."""
    await service.load_version(ctx, map_id, None)  # it is seen, and not closed
    where = Where.of_stamped(ctx.scope, "m")
    where.add("m.id = {}", map_id)
    rows = await ctx.app.pool.fetch(where.sql(queries.VERSIONS, most=MOST), *where.values)
    return [dict(row) for row in rows]


async def load_drawing(ctx: Ctx, map_id: int, revision: int) -> dict[str, Any]:
    version = await service.load_version(ctx, map_id, revision)
    marks = msgspec.convert(version["marks"], Marks)
    return {
        "revision": version["revision"],
        "width": version["width"],
        "height": version["height"],
        "resolution": version["resolution"],
        "origin": (version["origin_x"], version["origin_y"], version["origin_yaw"]),
        "flags": marks.flags,
        "virtualWalls": marks.virtual_walls,
        "forbiddenZones": marks.forbidden_zones,
        "freeAreas": marks.free_areas,
        "erasers": marks.erasers,
        "hours": marks.hours or None,
        "laneGraph": version["lane_graph"],
    }


async def build_draft(ctx: Ctx, map_id: int, revision: int, marks: Marks) -> bytes:
    """The bundle of that revision with these marks, for the robot whose map it is."""
    return await service.build_bundle(ctx, await service.load_version(ctx, map_id, revision), marks)


async def save_drawing(ctx: Ctx, map_id: int, revision: int, marks: Marks) -> int:
    """The next revision of a map of the library. What is drawn is judged before the map is held: that may wait."""
    await query.fetch_one(ctx.db, ctx.scope.changeable.select(FloorMap).where(FloorMap.id == map_id))
    newest = await service.load_version(ctx, map_id, None)
    if newest["device_id"] is None and newest["revision"] == revision:
        content = {reading.GRID: await ctx.app.objects.get(newest["grid"])}
        about = service.describe(newest)
        await ctx.app.intake.read(ctx.actor.real_id, reading.judge_drawing, content, about, marks, field="marks")
    row = await service.load_own_map(ctx, map_id)
    if row.revision != revision or newest["revision"] != revision:
        raise Refusal(Code.CONFLICT, "revision", fields=["revision"])
    ctx.note(name=row.name, before=row.revision)
    size = len(msgspec.json.encode((marks, row.lane_graph)))
    await service.hold_quota(ctx, row.owner_id, f"map_version/{map_id}/{revision + 1}", size, "marks")
    row.marks = msgspec.to_builtins(marks)
    row.revision += 1
    row.updated_at = now()
    ctx.db.add(
        MapVersion(
            map_id=row.id,
            revision=row.revision,
            width=row.width,
            height=row.height,
            resolution=row.resolution,
            origin_x=row.origin_x,
            origin_y=row.origin_y,
            origin_yaw=row.origin_yaw,
            marks=row.marks,
            grid=row.grid,
            lane_graph=row.lane_graph,
        )
    )
    return row.revision


async def edit_details(ctx: Ctx, map_id: int, values: dict[str, str], based_on: datetime | None) -> None:
    """Name and place of a map of the library."""
    row = await service.load_own_map(ctx, map_id)
    before = {name: getattr(row, name) for name in values}
    conflicts = [name for name, value in values.items() if before[name] != value]
    if based_on is not None and row.updated_at > based_on and conflicts:
        raise Refusal(Code.CONFLICT, fields=conflicts)
    ctx.note(before=before, after=values)
    for name, value in values.items():
        setattr(row, name, value)
    row.updated_at = now()


async def read_keepout(ctx: Ctx, map_id: int, files: Files) -> list[Zone]:
    row = await service.load_version(ctx, map_id, None)
    onto = Frame(row["width"], row["height"], row["resolution"], (row["origin_x"], row["origin_y"], row["origin_yaw"]))
    return await ctx.app.intake.read(ctx.actor.real_id, reading.read_mask, files, onto, field="files")
