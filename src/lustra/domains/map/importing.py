"""Maps made elsewhere, into an account's library.

Rules: all maps of an import are stored or none; what would be stored can be seen before; a map that lies in the library
already is stored once more only when that is wished.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.files.intake import Files
from lustra.domains.account.api import Account
from lustra.domains.map import reading, service
from lustra.domains.map.reading import Drawn, Preview
from lustra.domains.map.tables import FloorMap, MapVersion

LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Naming:
    """How an import is called; an empty text: as its file says. `again`: also a map that the library has already."""

    name: str = ""
    building: str = ""
    floor: str = ""
    again: bool = False

    def apply(self, plans: Sequence[Drawn]) -> None:
        if len(plans) == 1:  # floors of one building have names of their own
            plans[0].name, plans[0].floor = self.name.strip() or plans[0].name, self.floor.strip() or plans[0].floor
        for plan in plans:
            plan.building = self.building.strip() or plan.building


async def import_maps(ctx: Ctx, files: Files, naming: Naming) -> list[dict[str, Any]]:
    """Maps made elsewhere, into the account's library. Nothing is stored unless all of it is well, nor a map that is
    there already unless that is wished."""
    plans = await ctx.app.intake.read(ctx.actor.real_id, reading.read_maps, files, field="files")
    owner = await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == ctx.actor.acting_id))
    for plan in plans if not naming.again else []:
        if twin := await find_twin(ctx, plan, plan.path):
            raise Refusal(Code.MAP_REFUSED, "files", reason="map_twice", name=twin.name)
    naming.apply(plans)
    return [await _store(ctx, owner, plan) for plan in plans]


async def preview_maps(ctx: Ctx, files: Files, naming: Naming) -> list[dict[str, Any]]:
    """What `import_maps` would store, with the map of the library that each is already. Nothing is stored."""
    plans = await ctx.app.intake.read(ctx.actor.real_id, reading.read_previews, files, field="files")
    naming.apply(plans)
    return [_build_preview(plan, await find_twin(ctx, plan, plan.stored)) for plan in plans]


def _build_preview(plan: Preview, twin: FloorMap | None) -> dict[str, Any]:
    return {
        "name": plan.name,
        "building": plan.building,
        "floor": plan.floor,
        "width": plan.width,
        "height": plan.height,
        "resolution": plan.resolution,
        "origin": plan.origin,
        "area": plan.area,
        "step": plan.step,
        "picture": base64.b64encode(plan.png).decode(),
        "flags": plan.marks.flags,
        "virtualWalls": plan.marks.virtual_walls,
        "forbiddenZones": plan.marks.forbidden_zones,
        "freeAreas": plan.marks.free_areas,
        "erasers": plan.marks.erasers,
        "hours": plan.marks.hours or None,
        "laneGraph": plan.lane_graph,
        "leftOut": [{"kind": kind, "count": count} for kind, count in plan.left_out.items()],
        "twin": {"mapId": twin.id, "name": twin.name} if twin else None,
    }


async def find_twin(ctx: Ctx, plan: Drawn, picture: str) -> FloorMap | None:
    """The map of the own library with the same picture in the same frame, whatever it is called and has drawn on it."""
    x, y, yaw = plan.origin
    same = ctx.scope.select(FloorMap).where(
        FloorMap.owner_id == ctx.actor.acting_id,
        FloorMap.device_id.is_(None),
        FloorMap.deleted_at.is_(None),
        FloorMap.grid == picture,
        FloorMap.resolution == plan.resolution,
        FloorMap.origin_x == x,
        FloorMap.origin_y == y,
        FloorMap.origin_yaw == yaw,
    )
    return await ctx.db.scalar(same.order_by(FloorMap.id).limit(1))


async def _store(ctx: Ctx, owner: Account, plan: Drawn) -> dict[str, Any]:
    await service.hold_quota(ctx, owner.id, plan.path, len(plan.png), "files")
    await ctx.app.objects.put_bytes(plan.path, plan.png)
    x, y, yaw = plan.origin
    marks: dict[str, Any] = msgspec.to_builtins(plan.marks)
    drawn: dict[str, Any] = {
        "width": plan.width,
        "height": plan.height,
        "resolution": plan.resolution,
        "origin_x": x,
        "origin_y": y,
        "origin_yaw": yaw,
        "marks": marks,
        "lane_graph": msgspec.to_builtins(plan.lane_graph),
        "grid": plan.path,
    }
    row = FloorMap(
        owner_id=owner.id,
        owner_path=owner.path,
        name=plan.name[:LONGEST_NAME],
        area=plan.area,
        building=plan.building,
        floor=plan.floor,
        **drawn,
    )
    ctx.db.add(row)
    await ctx.db.flush()
    ctx.db.add(MapVersion(map_id=row.id, revision=row.revision, **drawn))
    await ctx.db.flush()
    return service.build_row(
        {
            "mapId": row.id,
            "name": row.name,
            "building": row.building,
            "floor": row.floor,
            "deviceId": None,
            "deviceCode": None,
            "deviceSerialNumber": None,
            "protocolVersion": None,
            "commands": None,
            "ownerUserId": owner.id,
            "customerName": owner.name,
            "area": row.area,
            "width": plan.width,
            "height": plan.height,
            "resolution": plan.resolution,
            "origin": plan.origin,
            "revision": row.revision,
            "loaded": False,
            "mirrored": False,
            "marks": marks,
            "lane_graph": plan.lane_graph,
            "updateTime": row.updated_at,
            "deleted": False,
            "closed": False,
        }
    )
