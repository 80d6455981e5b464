"""/map: floor maps of robots (mirrors) and of the account's library."""

from datetime import datetime
from typing import Literal

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core.intake import Files, content_of
from lustra.core.rpc import Ctx, Fast, Nothing, Raw, Upload, Wire, call
from lustra.core.wire import Id, Revision
from lustra.domains.account import keys
from lustra.domains.account.service import narrowed
from lustra.domains.map import archive, service

MOST_FILES = 10
LARGEST = archive.LARGEST_ENTRY
FOR_EVER = "private, max-age=31536000, immutable"


class MapFilter(Wire):
    """`loaded`: only maps that their robots drive on now."""

    device_id: Id | None = None
    user_id: Id | None = None
    text: str = Field("", max_length=100)
    building: str | None = Field(None, max_length=100)
    floor: str | None = Field(None, max_length=100)
    loaded: bool = False


class MapRef(Wire):
    map_id: Id


class MapVersionRef(MapRef):
    revision: Revision | None = None


class NewMap(Wire):
    """Without a name the map has its file's."""

    name: str = Field("", max_length=service.LONGEST_NAME)
    building: str = Field("", max_length=100)
    floor: str = Field("", max_length=50)


class FlagView(Wire):
    name: str
    type: Literal["charging", "stop", "elevator", "other"]
    x: float
    y: float
    yaw: float
    id: str = ""


class HoursView(Wire):
    """HH:MM; an end before the start is the next day's."""

    start: str
    end: str


class ZoneView(Wire):
    """In `hours` alone a forbidden zone is forbidden, and a free area closed to tasks."""

    name: str
    points: list[tuple[float, float]]
    id: str = ""
    hours: HoursView | None = None


class EraserView(ZoneView):
    """`width` of the stroke in metres."""

    width: float


class DrawnView(Wire):
    """What is drawn on a map, in metres of its frame. In the map's `hours` no task begins or goes on."""

    flags: list[FlagView]
    virtual_walls: list[ZoneView]
    forbidden_zones: list[ZoneView]
    free_areas: list[ZoneView]
    erasers: list[EraserView]
    hours: HoursView | None = None


class MapRow(DrawnView):
    """`closed`: to the asker, by the customer's support access; nothing that is drawn is told."""

    map_id: int
    name: str
    building: str
    floor: str
    device_id: int | None
    device_code: str | None
    device_serial_number: str | None
    owner_user_id: int
    customer_name: str
    area: float
    width: int
    height: int
    resolution: float
    origin: tuple[float, float, float]
    revision: int
    loaded: bool
    mirrored: bool
    update_time: datetime
    deleted: bool
    closed: bool


class MapList(Wire):
    list: list[MapRow]


@call("/map/selectMap", needs=keys.MAPS)
async def select_map(ctx: Ctx, payload: MapFilter) -> Fast[MapList]:
    """The maps in scope, of one robot or all."""
    path = await narrowed(ctx.db, ctx.actor, payload.user_id)
    filters = payload.model_dump(exclude={"user_id"})
    async with ctx.app.pool.acquire() as db:
        return Fast({"list": await service.list_maps(ctx, db, path, service.MapQuery(**filters))})


def files_by_name(files: list[UploadFile]) -> Files:
    return {file.filename or f"file{place}": content_of(file.file) for place, file in enumerate(files)}


@call(
    "/map/importMap",
    needs="device/maplist",
    upload=Upload(LARGEST, files=MOST_FILES),
    changes=("map",),
    audit="map.import",
)
async def import_map(ctx: Ctx, new: NewMap, files: list[UploadFile]) -> Fast[MapList]:
    """Into the account's library: a map_server yaml with its pgm or png, the product's bundle, a Valetudo map, or an
    Open-RMF building with all its floors; as files or in one zip."""
    return Fast({"list": await service.import_maps(ctx, files_by_name(files), new.name, new.building, new.floor)})


@call("/map/grid", needs=keys.PICTURES, raw="image/png")
async def grid(ctx: Ctx, payload: MapVersionRef) -> Raw:
    """The picture of a map: 254 free, 0 occupied, 205 unknown; the first row is the top. A revision never changes."""
    row = await service.load_version(ctx, payload.map_id, payload.revision)
    cache_control = FOR_EVER if payload.revision is not None else "no-store"
    return Raw(await ctx.app.objects.get(row["grid"]), "image/png", headers={"cache-control": cache_control})


class MapDownload(MapRef):
    """`form`: the product's bundle (what a robot's map/Upload takes), map_server's yaml and pgm, or a picture."""

    form: Literal["bundle", "plain", "png"] = "bundle"


@call("/map/bundle", needs="device/maplist", raw="application/zip")
async def bundle(ctx: Ctx, payload: MapDownload) -> Raw:
    """A map to take away."""
    kind, data = await service.export_map(ctx, payload.map_id, payload.form)
    return Raw(data, kind, name="map.png" if payload.form == "png" else "map.zip")


@call("/map/deleteMapById", needs="device/maplist/delete", changes=("map",), audit="map.delete")
async def delete_map(ctx: Ctx, payload: MapRef) -> Nothing:
    """Delete a map of the library. A robot's own map is deleted at the robot."""
    await service.delete_map(ctx, payload.map_id)
    return Nothing()


class RobotMapRef(Wire):
    """`a`: serial number of the robot; `b`: name of the map; `force`: 1."""

    a: str = Field(max_length=64)
    b: str = Field(max_length=64)
    force: str = ""


@call("/map/deleteMap2/{a}/{b}", method="GET", needs="device/maplist/delete", changes=("map",), audit="map.forget")
async def delete_map2(ctx: Ctx, payload: RobotMapRef) -> Nothing:
    """Forget the copy of a robot's map, such as of a robot that is gone. A GET that deletes: it wants force=1."""
    await service.forget_mirror(ctx, payload.a, payload.b, force=payload.force == "1")
    return Nothing()
