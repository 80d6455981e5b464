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
from lustra.core.intake import Files
from lustra.domains.device.scope import Where
from lustra.domains.map import reading, service
from lustra.domains.map.keepout import Frame
from lustra.domains.map.marks import Marks
from lustra.domains.map.tables import MapVersion
from lustra.protocol.bus import Zone

VERSIONS = """
select v.revision, v.at as "savedAt", v.width, v.height, v.revision = m.revision as newest,
  (select coalesce(sum(jsonb_array_length(e.value)), 0) from jsonb_each(v.marks - 'hours') e)::int as elements
from map_version v join floor_map m on m.id = v.map_id"""
MOST = 500


async def versions(ctx: Ctx, map_id: int) -> list[dict[str, Any]]:
    """The newest first."""
    await service.version(ctx, map_id, None)  # it is seen, and not closed
    where = Where()
    where.stamped(ctx.actor.path, "m")
    where.add("m.id = {}", map_id)
    found = await ctx.app.pool.fetch(f"{VERSIONS} where {where} order by v.revision desc limit {MOST}", *where.values)
    return [dict(row) for row in found]


async def drawn_at(ctx: Ctx, map_id: int, revision: int) -> dict[str, Any]:
    told = await service.version(ctx, map_id, revision)
    marks = msgspec.convert(told["marks"], Marks)
    return {
        "revision": told["revision"], "width": told["width"], "height": told["height"],
        "resolution": told["resolution"], "origin": (told["origin_x"], told["origin_y"], told["origin_yaw"]),
        "flags": marks.flags, "virtualWalls": marks.virtual_walls, "forbiddenZones": marks.forbidden_zones,
        "freeAreas": marks.free_areas, "erasers": marks.erasers,
        "hours": marks.hours or None,
    }  # fmt: skip


async def draft(ctx: Ctx, map_id: int, revision: int, marks: Marks) -> bytes:
    """The bundle of that revision with these marks, for the robot whose map it is."""
    return await service.bundle(ctx, await service.version(ctx, map_id, revision), marks)


async def save(ctx: Ctx, map_id: int, revision: int, marks: Marks) -> int:
    """The next revision of a map of the library. What is drawn is judged before the map is held: that may wait."""
    await query.fetch_one(ctx.db, service.changeable(ctx.actor, map_id))
    newest = await service.version(ctx, map_id, None)
    if newest["device_id"] is None and newest["revision"] == revision:
        content = {reading.GRID: await ctx.app.objects.get(newest["grid"])}
        about = service.about(newest)
        await ctx.app.intake.read(ctx.actor.real_id, reading.judge_drawing, content, about, marks, field="marks")
    found = await service.own(ctx, map_id)
    if found.revision != revision or newest["revision"] != revision:
        raise Refusal(Code.CONFLICT, "revision", fields=["revision"])
    ctx.note(name=found.name, before=found.revision)
    size = len(msgspec.json.encode(marks))
    await service.hold(ctx, found.owner_id, f"map_version/{map_id}/{revision + 1}", size, "marks")
    found.marks = msgspec.to_builtins(marks)
    found.revision += 1
    found.updated_at = now()
    ctx.db.add(
        MapVersion(
            map_id=found.id, revision=found.revision, width=found.width, height=found.height,
            resolution=found.resolution, origin_x=found.origin_x, origin_y=found.origin_y,
            origin_yaw=found.origin_yaw, marks=found.marks, grid=found.grid,
        )
    )  # fmt: skip
    return found.revision


async def edit(ctx: Ctx, map_id: int, told: dict[str, str], seen: datetime | None) -> None:
    """Name and place of a map of the library."""
    found = await service.own(ctx, map_id)
    before = {name: getattr(found, name) for name in told}
    late = [name for name, value in told.items() if before[name] != value]
    if seen is not None and found.updated_at > seen and late:
        raise Refusal(Code.CONFLICT, fields=late)
    ctx.note(before=before, after=told)
    for name, value in told.items():
        setattr(found, name, value)
    found.updated_at = now()


async def keepout(ctx: Ctx, map_id: int, files: Files) -> list[Zone]:
    row = await service.version(ctx, map_id, None)
    onto = Frame(row["width"], row["height"], row["resolution"], (row["origin_x"], row["origin_y"], row["origin_yaw"]))
    return await ctx.app.intake.read(ctx.actor.real_id, reading.read_mask, files, onto, field="files")
