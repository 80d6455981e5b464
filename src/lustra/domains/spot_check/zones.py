"""Zones that can be checked: the rooms that are drawn on a map, and its whole floor; and what a machine last did there.

A zone is named by map and room, as its sheet on the wall says: by the room's id, where robots give one, else by its
name. A room with neither, or a second one of that name, cannot be named, and is no zone.
"""

from dataclasses import dataclass
from typing import Any

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import Device
from lustra.domains.map.api import RoomCells, load_free_cells, load_room_cells, load_version
from lustra.domains.report.api import ZoneRun, find_zone_run

WHOLE = ""  # room of the whole floor


NO_ZONE = "UTC"  # of a map of no robot


@dataclass(frozen=True, slots=True)
class Site:
    """Where a map is, as its reports say it: a robot's own place where the map has none. `zone`: IANA time zone."""

    building: str
    floor: str
    zone: str


@dataclass(frozen=True, slots=True)
class Zone:
    """`version`: of the map, as `load_version` gave it."""

    version: Any
    site: Site
    room: RoomCells

    async def find_run(self, ctx: Ctx) -> ZoneRun | None:
        return await find_zone_run(ctx, self.version, self.room)


async def list_zones(ctx: Ctx, map_id: int) -> list[Zone]:
    """Of the map's newest version, the whole floor first. Refused where the map is gone or not in scope, or support is
    kept out."""
    version = await load_version(ctx, map_id, None)
    if version["deleted_at"] is not None:
        raise Refusal(Code.NOT_FOUND, "mapId", reason="zone_gone")
    site = await _load_site(ctx, version)
    zones = {WHOLE: RoomCells(id=WHOLE, name="", mask=await load_free_cells(ctx, version))}
    for room in await load_room_cells(ctx, version):
        key = room.id or room.name
        zones.setdefault(key, RoomCells(id=key, name=room.name, mask=room.mask))
    return [Zone(version, site, room) for room in zones.values()]


async def _load_site(ctx: Ctx, version: Any) -> Site:
    """A robot that is another's by now says nothing of it any more."""
    robot = await ctx.db.scalar(ctx.scope.select(Device).where(Device.id == version["device_id"]))
    if robot is None:
        return Site(version["building"], version["floor"], NO_ZONE)
    return Site(version["building"] or robot.address, version["floor"] or robot.address1, robot.zone)


async def load_zone(ctx: Ctx, map_id: int, room: str) -> Zone:
    for zone in await list_zones(ctx, map_id):
        if zone.room.id == room:
            return zone
    raise Refusal(Code.NOT_FOUND, "room", reason="zone_gone")
