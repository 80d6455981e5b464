"""/map: drawing on maps, their versions, and their names."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from pydantic import Field, StringConstraints
from starlette.datastructures import UploadFile

from lustra.core.calls.rpc import Ctx, Fast, Nothing, Raw, Upload, Wire, call
from lustra.core.wire import (
    Change,
    Revision,
    SeenUpdateTime,
    doc,
)
from lustra.domains.map import editing, importing
from lustra.domains.map.calls.floors import (
    LARGEST,
    MOST_FILES,
    DrawnView,
    GridHeight,
    GridOrigin,
    GridResolution,
    GridWidth,
    HoursView,
    MapRef,
    MapRevision,
    ZoneView,
    files_by_name,
)
from lustra.domains.map.formats.marks import Marks

MOST_POINTS = 500
MOST_MARKS = 1000
WIDEST = 5.0  # m

Point = tuple[float, float]
Title = Annotated[str, StringConstraints(max_length=64)]
Id = Annotated[str, StringConstraints(max_length=64)]


class FlagMark(Wire):
    name: Annotated[Title, doc("Name of the flag, at most 64 characters.")] = ""
    type: Annotated[Literal["charging", "stop", "elevator", "other"], doc("What stands there.")] = "other"
    x: Annotated[float, doc("Position in m, in the map's frame.")]
    y: Annotated[float, doc("Position in m, in the map's frame.")]
    yaw: Annotated[float, doc("Direction that a robot has there, in radians, counter-clockwise from the x axis.")] = 0.0
    id: Annotated[Id, doc("Identifier of the mark, at most 64 characters; it keeps it from revision to revision.")] = ""


class WallMark(Wire):
    name: Annotated[Title, doc("Name of the mark, at most 64 characters.")] = ""
    points: Annotated[list[Point], doc("Corners [x, y] of the line in m, in the map's frame, 2 to 500.")] = Field(
        min_length=2, max_length=MOST_POINTS
    )
    id: Annotated[Id, doc("Identifier of the mark, at most 64 characters; it keeps it from revision to revision.")] = ""


class ZoneMark(WallMark):
    points: Annotated[list[Point], doc("Corners [x, y] of the area in m, in the map's frame, 3 to 500.")] = Field(
        min_length=3, max_length=MOST_POINTS
    )
    hours: Annotated[
        HoursView | None,
        doc(
            "Only in these hours is it forbidden, or closed to tasks; null: a forbidden zone always, a free area never."
        ),
    ] = None
    private: Annotated[bool | None, doc("Whether no camera sends pictures in it; null: they do.")] = None


class EraserMark(WallMark):
    width: Annotated[float, doc("Width of the stroke in m, above 0, at most 5.")] = Field(gt=0, le=WIDEST)


class MapDrawing(MapRef):
    revision: Annotated[Revision, doc("Revision of the map that it was drawn on; an older one is refused.")]
    flags: Annotated[list[FlagMark], doc("All flags, at most 1000.")] = Field(default=[], max_length=MOST_MARKS)
    virtual_walls: Annotated[list[WallMark], doc("All virtual walls, at most 1000.")] = Field(
        default=[], max_length=MOST_MARKS
    )
    forbidden_zones: Annotated[list[ZoneMark], doc("All forbidden zones, at most 1000.")] = Field(
        default=[], max_length=MOST_MARKS
    )
    free_areas: Annotated[list[ZoneMark], doc("All free areas, at most 1000.")] = Field(
        default=[], max_length=MOST_MARKS
    )
    erasers: Annotated[list[EraserMark], doc("All strokes of the eraser, at most 1000.")] = Field(
        default=[], max_length=MOST_MARKS
    )
    hours: Annotated[HoursView | None, doc("Hours in which no task begins or goes on; null: none.")] = None

    def marks(self) -> Marks:
        return msgspec.convert(self.model_dump(exclude={"map_id", "revision"}, exclude_none=True), Marks)


class MapVersionRow(Wire):
    revision: MapRevision
    saved_at: Annotated[datetime, doc("When the robot reported it or somebody saved it.")]
    width: GridWidth
    height: GridHeight
    newest: Annotated[bool, doc("Whether it is the map's newest revision.")]
    elements: Annotated[int, doc("Number of elements that are drawn on it.")]


class MapVersions(Wire):
    list: Annotated[list[MapVersionRow], doc("The revisions, the newest first.")]


class MapRevisionRef(MapRef):
    revision: MapRevision


class MapVersionView(DrawnView):
    revision: MapRevision
    width: GridWidth
    height: GridHeight
    resolution: GridResolution
    origin: GridOrigin


class SavedRevision(Wire):
    revision: MapRevision


class ZoneList(Wire):
    list: Annotated[list[ZoneView], doc("The zones that the mask has.")]


class MapNaming(MapRef, Change):
    name: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=importing.LONGEST_NAME)]
        | None,
        doc("New name, 1 to 64 characters; null: it stays."),
    ] = None
    building: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] | None,
        doc("New building, at most 100 characters; empty: none; null: it stays."),
    ] = None
    floor: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, max_length=50)] | None,
        doc("New floor, at most 50 characters; empty: none; null: it stays."),
    ] = None
    update_time: SeenUpdateTime = None


@call("/map/versions", needs="device/maplist", reads=("map", "support"))
async def list_versions(ctx: Ctx, payload: MapRef) -> Fast[MapVersions]:
    """List the revisions of a map that a robot reported or somebody saved, the newest first."""
    return Fast({"list": await editing.list_versions(ctx, payload.map_id)})


@call("/map/version", needs="device/maplist", reads=("map", "support"))
async def select_version(ctx: Ctx, payload: MapRevisionRef) -> Fast[MapVersionView]:
    """Show what was drawn on a map at a revision; its picture is /map/grid."""
    return Fast(await editing.load_drawing(ctx, payload.map_id, payload.revision))


@call("/map/draft", needs="device/maplist", raw="application/zip")
async def build_draft(ctx: Ctx, drawn: MapDrawing) -> Raw:
    """Build the bundle that a robot's map/Upload takes, with a drawing; refused if it may not be drawn."""
    data = await editing.build_draft(ctx, drawn.map_id, drawn.revision, drawn.marks())
    return Raw(data, "application/zip", name="map.zip")


@call("/map/saveMap", needs="device/maplist", changes=("map",), audit="map.save")
async def save_map(ctx: Ctx, drawn: MapDrawing) -> SavedRevision:
    """Save a drawing as the next revision of a map of the library."""
    return SavedRevision(revision=await editing.save_drawing(ctx, drawn.map_id, drawn.revision, drawn.marks()))


@call("/map/editMap", needs="device/maplist", changes=("map",), audit="map.edit")
async def edit_map(ctx: Ctx, payload: MapNaming) -> Nothing:
    """Change name, building and floor of a map of the library."""
    await editing.edit_details(ctx, payload.map_id, payload.sent(), payload.update_time)
    return Nothing()


@call("/map/keepout", needs="device/maplist", upload=Upload(LARGEST, files=MOST_FILES))
async def read_keepout(ctx: Ctx, payload: MapRef, files: list[UploadFile]) -> Fast[ZoneList]:
    """Read a keep-out mask as forbidden zones of a map.

    Nothing is stored: they are drawn in the editor, and saved there."""
    return Fast({"list": await editing.read_keepout(ctx, payload.map_id, files_by_name(files))})
