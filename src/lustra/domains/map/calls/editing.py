"""/map: drawing on maps, their versions, and their names."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from pydantic import Field, StringConstraints
from starlette.datastructures import UploadFile

from lustra.core.rpc import Ctx, Fast, Nothing, Raw, Upload, Wire, call
from lustra.core.wire import Moment, Revision
from lustra.domains.map import editing, service
from lustra.domains.map.calls.floors import LARGEST, MOST_FILES, DrawnView, HoursView, MapRef, ZoneView, files_by_name
from lustra.domains.map.marks import Marks

MOST_POINTS = 500
MOST_MARKS = 1000
WIDEST = 5.0  # m

Point = tuple[float, float]
Title = Annotated[str, StringConstraints(max_length=64)]
Id = Annotated[str, StringConstraints(max_length=64)]


class FlagMark(Wire):
    name: Title = ""
    type: Literal["charging", "stop", "elevator", "other"] = "other"
    x: float
    y: float
    yaw: float = 0.0
    id: Id = ""


class WallMark(Wire):
    name: Title = ""
    points: list[Point] = Field(min_length=2, max_length=MOST_POINTS)
    id: Id = ""


class ZoneMark(WallMark):
    points: list[Point] = Field(min_length=3, max_length=MOST_POINTS)
    hours: HoursView | None = None


class EraserMark(WallMark):
    width: float = Field(gt=0, le=WIDEST)


class MapDrawing(MapRef):
    """`revision`: of the map that it was drawn on."""

    revision: Revision
    flags: list[FlagMark] = Field(default=[], max_length=MOST_MARKS)
    virtual_walls: list[WallMark] = Field(default=[], max_length=MOST_MARKS)
    forbidden_zones: list[ZoneMark] = Field(default=[], max_length=MOST_MARKS)
    free_areas: list[ZoneMark] = Field(default=[], max_length=MOST_MARKS)
    erasers: list[EraserMark] = Field(default=[], max_length=MOST_MARKS)
    hours: HoursView | None = None

    def marks(self) -> Marks:
        return msgspec.convert(self.model_dump(exclude={"map_id", "revision"}, exclude_none=True), Marks)


class MapVersionRow(Wire):
    """`elements`: how many are drawn."""

    revision: int
    saved_at: datetime
    width: int
    height: int
    newest: bool
    elements: int


class MapVersions(Wire):
    list: list[MapVersionRow]


class MapRevisionRef(MapRef):
    revision: Revision


class MapVersionView(DrawnView):
    revision: int
    width: int
    height: int
    resolution: float
    origin: tuple[float, float, float]


class SavedRevision(Wire):
    revision: int


class ZoneList(Wire):
    list: list[ZoneView]


class MapNaming(MapRef):
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=service.LONGEST_NAME)]
    building: str = Field("", max_length=100)
    floor: str = Field("", max_length=50)
    update_time: Moment | None = None


@call("/map/versions", needs="device/maplist")
async def list_versions(ctx: Ctx, payload: MapRef) -> Fast[MapVersions]:
    """Every revision that a robot told or somebody saved, the newest first."""
    return Fast({"list": await editing.list_versions(ctx, payload.map_id)})


@call("/map/version", needs="device/maplist")
async def select_version(ctx: Ctx, payload: MapRevisionRef) -> Fast[MapVersionView]:
    """What was drawn on a map at a revision; its picture is /map/grid."""
    return Fast(await editing.load_drawing(ctx, payload.map_id, payload.revision))


@call("/map/draft", needs="device/maplist", raw="application/zip")
async def build_draft(ctx: Ctx, drawn: MapDrawing) -> Raw:
    """The bundle that a robot's map/Upload takes, with what was drawn; refused when that may not be drawn."""
    data = await editing.build_draft(ctx, drawn.map_id, drawn.revision, drawn.marks())
    return Raw(data, "application/zip", name="map.zip")


@call("/map/saveMap", needs="device/maplist", changes=("map",), audit="map.save")
async def save_map(ctx: Ctx, drawn: MapDrawing) -> SavedRevision:
    """What was drawn on a map of the library is its next revision."""
    return SavedRevision(revision=await editing.save_drawing(ctx, drawn.map_id, drawn.revision, drawn.marks()))


@call("/map/editMap", needs="device/maplist", changes=("map",), audit="map.edit")
async def edit_map(ctx: Ctx, payload: MapNaming) -> Nothing:
    """Name, building and floor of a map of the library."""
    values = {"name": payload.name, "building": payload.building.strip(), "floor": payload.floor.strip()}
    await editing.edit_details(ctx, payload.map_id, values, payload.update_time)
    return Nothing()


@call("/map/keepout", needs="device/maplist", upload=Upload(LARGEST, files=MOST_FILES))
async def read_keepout(ctx: Ctx, payload: MapRef, files: list[UploadFile]) -> Fast[ZoneList]:
    """A keep-out mask as forbidden zones of a map. Nothing is stored: they are drawn in the editor, and saved there."""
    return Fast({"list": await editing.read_keepout(ctx, payload.map_id, files_by_name(files))})
