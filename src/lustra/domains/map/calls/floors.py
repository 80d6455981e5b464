"""/map: floor maps of robots (mirrors) and of the account's library."""

from typing import Annotated, Literal

from pydantic import AliasChoices, Field
from starlette.datastructures import UploadFile

from lustra.core.calls.rpc import Ctx, Fast, Nothing, Raw, Upload, Wire, call
from lustra.core.files.intake import Files, content_of
from lustra.core.wire import BuildingName, FloorName, Id, OwnerId, Revision, ScopeAccountId, UpdateTime, doc
from lustra.domains.account.api import keys, narrow_scope
from lustra.domains.map import importing, service
from lustra.domains.map.calls.lanes import LaneGraphView
from lustra.domains.map.formats import archive

MOST_FILES = 10
LARGEST = archive.LARGEST_ENTRY
FOR_EVER = "private, max-age=31536000, immutable"


MapId = Annotated[Id, doc("Number of the map.")]
MapRevision = Annotated[Revision, doc("Revision of the map, from 1.")]
MarkId = Annotated[str, doc("Identifier of the mark; it keeps it from revision to revision. Empty: none.")]
GridWidth = Annotated[int, doc("Width of the grid in cells.")]
GridHeight = Annotated[int, doc("Height of the grid in cells.")]
GridResolution = Annotated[float, doc("Edge of a cell in m.")]
GridOrigin = Annotated[
    tuple[float, float, float],
    doc("Pose [x, y, yaw] of the lower left corner in the map's frame, in m and radians."),
]


class MapFilter(Wire):
    device_id: Annotated[Id | None, doc("Only maps of this robot; null: all.")] = None
    user_id: ScopeAccountId = None
    text: Annotated[
        str, doc("Part of map, building, floor, robot or serial number, at most 100 characters; empty: all.")
    ] = Field("", max_length=100)
    building: Annotated[str | None, doc("Only maps of this building; null: all.")] = Field(None, max_length=100)
    floor: Annotated[str | None, doc("Only maps of this floor; null: all.")] = Field(None, max_length=100)
    loaded: Annotated[bool, doc("True: only maps that their robots drive on now.")] = False


class MapRef(Wire):
    map_id: Annotated[
        Id,
        Field(alias="mapId", validation_alias=AliasChoices("mapId", "id")),
        doc("Number of the map; it may come as `id` too."),
    ]


class MapVersionRef(MapRef):
    revision: Annotated[Revision | None, doc("Revision of the map; null: the newest.")] = None


class NewMap(Wire):
    name: Annotated[str, doc("Name of the map, at most 64 characters; empty: that of its file.")] = Field(
        "", max_length=importing.LONGEST_NAME
    )
    building: Annotated[str, doc("Building, at most 100 characters; empty: that of the file, if it says one.")] = Field(
        "", max_length=100
    )
    floor: Annotated[str, doc("Floor, at most 50 characters; empty: that of the file, if it says one.")] = Field(
        "", max_length=50
    )

    again: Annotated[bool, doc("True: also a map that lies in the library already.")] = False

    def naming(self) -> importing.Naming:
        return importing.Naming(self.name, self.building, self.floor, self.again)


class FlagView(Wire):
    name: Annotated[str, doc("Name of the flag.")]
    type: Annotated[Literal["charging", "stop", "elevator", "other"], doc("What stands there.")]
    x: Annotated[float, doc("Position in m, in the map's frame.")]
    y: Annotated[float, doc("Position in m, in the map's frame.")]
    yaw: Annotated[float, doc("Direction that a robot has there, in radians, counter-clockwise from the x axis.")]
    id: MarkId = ""


class HoursView(Wire):
    """Hours of each day; an end before the start is on the next day."""

    start: Annotated[str, doc("First minute, HH:MM.")]
    end: Annotated[str, doc("End, HH:MM.")]


class ZoneView(Wire):
    """A line or an area that is drawn on a map."""

    name: Annotated[str, doc("Name of the mark.")]
    points: Annotated[list[tuple[float, float]], doc("Corners [x, y] in m, in the map's frame.")]
    id: MarkId = ""
    hours: Annotated[
        HoursView | None,
        doc(
            "Only in these hours is it forbidden, or closed to tasks; null: a forbidden zone always, a free area never."
        ),
    ] = None
    private: Annotated[bool | None, doc("Whether no camera sends pictures in it; null: they do.")] = None


class EraserView(ZoneView):
    width: Annotated[float, doc("Width of the stroke in m.")]


class DrawnView(Wire):
    """What is drawn on a map."""

    flags: Annotated[list[FlagView], doc("Charging points, stops, elevators and other places.")]
    virtual_walls: Annotated[list[ZoneView], doc("Lines that no robot crosses.")]
    forbidden_zones: Annotated[list[ZoneView], doc("Areas that no robot enters.")]
    free_areas: Annotated[list[ZoneView], doc("Areas that tasks may name.")]
    erasers: Annotated[list[EraserView], doc("Strokes that wipe obstacles from the picture.")]
    hours: Annotated[HoursView | None, doc("Hours in which no task begins or goes on; null: none.")] = None
    lane_graph: Annotated[LaneGraphView | None, doc("Lanes of the building, for reference; null: none.")] = None


class MapRow(DrawnView):
    map_id: MapId
    name: Annotated[str, doc("Name of the map.")]
    building: BuildingName
    floor: FloorName
    device_id: Annotated[int | None, doc("Robot that owns the map; null: it lies in an account's library.")]
    device_code: Annotated[str | None, doc("Name of that robot; null: the map lies in a library.")]
    device_serial_number: Annotated[str | None, doc("Serial number of that robot; null: the map lies in a library.")]
    protocol_version: Annotated[
        int | None, doc("Version of that robot's local interface, 2 or 3; null: the map lies in a library.")
    ]
    commands: Annotated[
        list[str] | None, doc("Commands that that robot's local API has; null: all of its protocol, or no robot's.")
    ]
    owner_user_id: OwnerId
    customer_name: Annotated[str, doc("Customer, or the name of the account that owns it.")]
    area: Annotated[float, doc("Free area in m².")]
    width: GridWidth
    height: GridHeight
    resolution: GridResolution
    origin: GridOrigin
    revision: MapRevision
    loaded: Annotated[bool, doc("Whether its robot drives on it now.")]
    mirrored: Annotated[bool, doc("Whether a robot owns it, and this is its copy.")]
    update_time: UpdateTime
    deleted: Annotated[bool, doc("Whether it is deleted; such maps are still shown by reports.")]
    closed: Annotated[bool, doc("Whether the customer's support access hides from the asker what is drawn.")]


class LeftOut(Wire):
    """What a file has that a map here cannot keep."""

    kind: Annotated[Literal["paths"], doc("What it is: the paths that a robot drove.")]
    count: Annotated[int, doc("How many there are.")]


class TwinMap(Wire):
    """A map of the library with the same picture in the same frame."""

    map_id: MapId
    name: Annotated[str, doc("Name of the map.")]


class MapPreview(DrawnView):
    """A map as an import would store it."""

    name: Annotated[str, doc("Name of the map.")]
    building: BuildingName
    floor: FloorName
    area: Annotated[float, doc("Free area in m².")]
    width: GridWidth
    height: GridHeight
    resolution: GridResolution
    origin: GridOrigin
    picture: Annotated[str, doc("Small picture of the floor, a PNG in Base64: 254 free, 0 occupied, 205 unknown.")]
    step: Annotated[int, doc("Cells of the map on an edge of one cell of the picture, counted from the lower left.")]
    left_out: Annotated[list[LeftOut], doc("What of the file is not stored.")]
    twin: Annotated[TwinMap | None, doc("Map of the library that it is already; null: none.")]


class MapPreviews(Wire):
    list: Annotated[list[MapPreview], doc("The maps of the files.")]


class MapList(Wire):
    list: Annotated[list[MapRow], doc("The maps.")]


@call("/map/selectMap", needs=keys.MAPS, reads=("map", "floor", "support"))
async def select_map(ctx: Ctx, payload: MapFilter) -> Fast[MapList]:
    """List the maps in scope, of one robot or all."""
    scope = await narrow_scope(ctx, payload.user_id)
    filters = payload.model_dump(exclude={"user_id"})
    async with ctx.app.pool.acquire() as db:
        return Fast({"list": await service.list_maps(ctx, db, scope, service.MapQuery(**filters))})


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
    """Import maps into the account's library, as files or in one zip.

    Takes a map_server yaml with its pgm or png, the product's bundle, a Valetudo map, or an Open-RMF building with all
    its floors."""
    return Fast({"list": await importing.import_maps(ctx, files_by_name(files), new.naming())})


@call("/map/previewImport", needs="device/maplist", upload=Upload(LARGEST, files=MOST_FILES))
async def preview_import(ctx: Ctx, new: NewMap, files: list[UploadFile]) -> Fast[MapPreviews]:
    """Show what an import of these files would store. Nothing is stored."""
    return Fast({"list": await importing.preview_maps(ctx, files_by_name(files), new.naming())})


@call("/map/grid", needs=keys.MAPS, raw="image/png")
async def grid(ctx: Ctx, payload: MapVersionRef) -> Raw:
    """Show the picture of a map: 254 free, 0 occupied, 205 unknown; a revision never changes."""
    row = await service.load_version(ctx, payload.map_id, payload.revision)
    cache_control = FOR_EVER if payload.revision is not None else "no-store"
    return Raw(await ctx.app.objects.get(row["grid"]), "image/png", headers={"cache-control": cache_control})


class MapDownload(MapRef):
    form: Annotated[
        Literal["bundle", "robot", "plain", "keepout", "png"],
        doc(
            "`bundle`: the whole map; `robot`: as a robot's map/Upload takes it, without lanes; `plain`: yaml and pgm"
            " of map_server; `keepout`: a mask of forbidden zones and virtual walls as yaml and pgm; `png`: the"
            " picture."
        ),
    ] = "bundle"


@call("/map/bundle", needs="device/maplist", raw="application/zip,image/png")
async def bundle(ctx: Ctx, payload: MapDownload) -> Raw:
    """Download a map."""
    kind, data = await service.export_map(ctx, payload.map_id, payload.form)
    return Raw(data, kind, name="map.png" if payload.form == "png" else "map.zip")


@call("/map/deleteMapById", needs="device/maplist/delete", changes=("map",), audit="map.delete")
async def delete_map(ctx: Ctx, payload: MapRef) -> Nothing:
    """Delete a map of the library. A robot's own map is deleted at the robot."""
    await service.delete_map(ctx, payload.map_id)
    return Nothing()


class RobotMapRef(Wire):
    a: Annotated[str, doc("Serial number of the robot, at most 64 characters.")] = Field(max_length=64)
    b: Annotated[str, doc("Name of the map, at most 64 characters.")] = Field(max_length=64)
    force: Annotated[str, doc("Must be 1: the call deletes, by GET too, as in the specification.")] = ""


@call("/map/deleteMap2/{a}/{b}", method="POST", needs="device/maplist/delete", changes=("map",), audit="map.forget")
@call("/map/deleteMap2/{a}/{b}", method="GET", needs="device/maplist/delete", changes=("map",), audit="map.forget")
async def delete_map2(ctx: Ctx, payload: RobotMapRef) -> Nothing:
    """Delete the copy of a robot's map, such as of a robot that is gone; `force` must be 1."""
    await service.forget_mirror(ctx, payload.a, payload.b, force=payload.force == "1")
    return Nothing()
