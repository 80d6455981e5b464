"""/map: drawing on maps, their versions, and their names."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from pydantic import Field, StringConstraints
from starlette.datastructures import UploadFile

from lustra.core.rpc import Ctx, Fast, Nothing, Raw, Upload, Wire, call
from lustra.core.wire import Moment, Revision
from lustra.domains.map import editing, service
from lustra.domains.map.calls.floors import LARGEST, MOST_FILES, DrawnView, HoursView, OfMap, ZoneView, told
from lustra.domains.map.marks import Marks

MOST_POINTS, MOST_MARKS = 500, 1000
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


class Drawn(OfMap):
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


class Version(Wire):
    """`elements`: how many are drawn."""

    revision: int
    saved_at: datetime
    width: int
    height: int
    newest: bool
    elements: int


class Versions(Wire):
    list: list[Version]


class OfRevision(OfMap):
    revision: Revision


class VersionView(DrawnView):
    revision: int
    width: int
    height: int
    resolution: float
    origin: tuple[float, float, float]


class Saved(Wire):
    revision: int


class Zones(Wire):
    list: list[ZoneView]


class Named(OfMap):
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=service.LONGEST_NAME)]
    building: str = Field("", max_length=100)
    floor: str = Field("", max_length=50)
    update_time: Moment | None = None


@call("/map/versions", needs="device/maplist")
async def versions(ctx: Ctx, wanted: OfMap) -> Fast[Versions]:
    """Every revision that a robot told or somebody saved, the newest first."""
    return Fast({"list": await editing.versions(ctx, wanted.map_id)})


@call("/map/version", needs="device/maplist")
async def version(ctx: Ctx, wanted: OfRevision) -> Fast[VersionView]:
    """What was drawn on a map at a revision; its picture is /map/grid."""
    return Fast(await editing.drawn_at(ctx, wanted.map_id, wanted.revision))


@call("/map/draft", needs="device/maplist", raw="application/zip")
async def draft(ctx: Ctx, drawn: Drawn) -> Raw:
    """The bundle that a robot's map/Upload takes, with what was drawn; refused when that may not be drawn."""
    made = await editing.draft(ctx, drawn.map_id, drawn.revision, drawn.marks())
    return Raw(made, "application/zip", name="map.zip")


@call("/map/saveMap", needs="device/maplist", changes=("map",), audit="map.save")
async def save_map(ctx: Ctx, drawn: Drawn) -> Saved:
    """What was drawn on a map of the library is its next revision."""
    return Saved(revision=await editing.save(ctx, drawn.map_id, drawn.revision, drawn.marks()))


@call("/map/editMap", needs="device/maplist", changes=("map",), audit="map.edit")
async def edit_map(ctx: Ctx, wanted: Named) -> Nothing:
    """Name, building and floor of a map of the library."""
    told = {"name": wanted.name, "building": wanted.building.strip(), "floor": wanted.floor.strip()}
    await editing.edit(ctx, wanted.map_id, told, wanted.update_time)
    return Nothing()


@call("/map/keepout", needs="device/maplist", upload=Upload(LARGEST, files=MOST_FILES))
async def keepout(ctx: Ctx, wanted: OfMap, files: list[UploadFile]) -> Fast[Zones]:
    """A keep-out mask as forbidden zones of a map. Nothing is stored: they are drawn in the editor, and saved there."""
    return Fast({"list": await editing.keepout(ctx, wanted.map_id, told(files))})
