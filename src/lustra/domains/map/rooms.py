"""Rooms of maps: those that can be found in the picture, and the free cells of those that are drawn, or of all."""

from typing import Any

from cachetools import LRUCache

from lustra.core.context import Ctx
from lustra.domains.map import reading, service
from lustra.domains.map.formats.marks import Room, RoomCells
from lustra.protocol.bus import Mask

_cells: LRUCache[Any, list[RoomCells]] = LRUCache(256)
_free: LRUCache[Any, Mask] = LRUCache(256)


async def find_rooms(ctx: Ctx, map_id: int) -> list[Room]:
    """Of the newest revision, as a proposal: nothing is stored."""
    row = await service.load_version(ctx, map_id, None)
    content = {reading.GRID: await ctx.app.objects.get(row["grid"])}
    return await ctx.app.intake.read(
        ctx.actor.real_id, reading.find_rooms, content, service.describe(row), field="mapId"
    )


async def load_room_cells(ctx: Ctx, version: Any) -> list[RoomCells]:
    """Of a version that `load_version` gave, which never changes."""
    about = service.describe(version)
    if not about.marks.free_areas:
        return []
    key = (version["id"], version["revision"])
    if key not in _cells:
        content = {reading.GRID: await ctx.app.objects.get(version["grid"])}
        _cells[key] = await ctx.app.intake.read(
            ctx.actor.real_id, reading.list_room_cells, content, about, field="mapId"
        )
    return _cells[key]


async def load_free_cells(ctx: Ctx, version: Any) -> Mask:
    """Of a version that `load_version` gave, which never changes."""
    key = (version["id"], version["revision"])
    if key not in _free:
        content = {reading.GRID: await ctx.app.objects.get(version["grid"])}
        _free[key] = await ctx.app.intake.read(
            ctx.actor.real_id, reading.mask_free_cells, content, service.describe(version), field="mapId"
        )
    return _free[key]
