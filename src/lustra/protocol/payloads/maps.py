"""Payloads of maps: their points, lines, zones and files."""

from typing import Annotated, Literal

from pydantic import Field, Json, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc
from lustra.protocol.hours import fault
from lustra.protocol.payloads.base import MapRef, Name, Payload, Point, X, Y, Yaw, required

FlagType = Annotated[
    Literal["charging", "stop", "elevator", "other"],
    doc("What the robot does there: it charges, stops, stands in an elevator's cabin, or something else."),
]
FlagTitle = Annotated[Name, doc("Name of the point, 1 to 64 letters; it is given once a map.")]
ShapeTitle = Annotated[str, doc("What people call it; empty: nothing.")]
ShapeId = Annotated[str, doc("What editors know it by, through every change; empty: a new one.")]


class MapName(Payload):
    name: Annotated[str, doc("Name of the map that is loaded.")] = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name.strip(), "map_name_required", "The map needs a name")


class MapLoading(MapName):
    """Changing the map ends what runs; whoever confirmed that says which run was meant."""

    ends: Annotated[
        str | None,
        doc(
            "Run that may end, as `run` of the state; empty: none runs. Refused where it is another by now. Null: any."
        ),
    ] = None


class MapFlag(Payload):
    """A point on a map: where the robot charges, stops, or something else."""

    map_name: MapRef = ""
    name: FlagTitle = ""
    type: FlagType = "other"
    x: X
    y: Y
    yaw: Yaw = 0.0
    revision: Annotated[
        int | None, doc("Revision of the map that the change is based on; null: it is not compared.")
    ] = None

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "flag_name_required", "The map point needs a name")


class MapFlagName(Payload):
    map_name: MapRef = ""
    name: FlagTitle = ""


class Line(Payload):
    """A virtual wall."""

    name: ShapeTitle = ""
    id: ShapeId = ""
    points: Annotated[list[Point], Field(min_length=2, max_length=500), doc("x and y of its corners, m; 2 to 500.")]


class Hours(Payload):
    """HH:MM; an end before the start is the next day's."""

    start: Annotated[str, doc("From then on, HH:MM of the robot's wall clock.")]
    end: Annotated[str, doc("Until then, HH:MM of the robot's wall clock.")]

    @model_validator(mode="after")
    def lawful(self) -> "Hours":
        reason = fault(self.start, self.end)
        if reason == "hours_time":
            raise PydanticCustomError("hours_time", "This is no time of day")
        if reason:
            raise PydanticCustomError("hours_empty", "The hours begin when they end")
        return self


class Zone(Payload):
    """A closed polygon; the last point is not repeated."""

    name: ShapeTitle = ""
    id: ShapeId = ""
    points: Annotated[list[Point], Field(min_length=3, max_length=500), doc("x and y of its corners, m; 3 to 500.")]
    hours: Annotated[
        Hours | None, doc("When a forbidden zone is forbidden, or a free area is closed; null: always, or never.")
    ] = None
    private: Annotated[bool, doc("No camera sends pictures in it, live or to a recording.")] = False


class MapUpload(Payload):
    """map/Upload is a form; the marks are JSON text in fields, the grid is the file.

    `file` is the product's bundle: a zip of map.yaml and its image, with annotations.json beside them.
    """

    map_name: Annotated[str, doc("Name of the map, new or known.")] = ""
    virlines_wall: Annotated[
        Json[list[Line]] | list[Line], doc("Virtual walls, as JSON text; empty: those of the bundle.")
    ] = Field(default=[])
    free_area: Annotated[
        Json[list[Zone]] | list[Zone], doc("Where the robot may drive, as JSON text; empty: those of the bundle.")
    ] = Field(default=[])
    forbidden_zone: Annotated[
        Json[list[Zone]] | list[Zone], doc("Where the robot may not drive, as JSON text; empty: those of the bundle.")
    ] = Field(default=[])
    revision: Annotated[
        int | None, doc("Newest revision of a known map: refused if there is a newer one; null: a new map.")
    ] = None

    @field_validator("map_name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name.strip(), "map_name_required", "The map needs a name")


class NewMap(Payload):
    """draw_new_map {name, explore}: the robot begins a map of where it stands. It sees as far as its lidar while it is
    driven by hand; with `explore` it drives by itself to where the map ends. The name may be given when it is saved.
    With `rebuild` it is to take the place of the map of that name, with what is drawn on it."""

    name: Annotated[Name, doc("Name of the new map, at most 64 letters; empty: it is given when it is saved.")] = ""
    explore: Annotated[bool, doc("It drives by itself to where the map ends.")] = False
    rebuild: Annotated[bool, doc("It is to take the place of the map of that name, with what is drawn on it.")] = False


class SavedMap(Payload):
    """map_save {name}: keeps the map that is being drawn."""

    name: Annotated[Name, doc("Name of the map, at most 64 letters; empty: the one that draw_new_map was given.")] = ""


class Picture(Payload):
    """map_image {map_name, since}: a map as a picture; the map that is being drawn while there is one and no name is
    given. Whoever shows it grow asks again each second with the `seq` that it has: the same one is answered without
    the picture."""

    map_name: Annotated[str, doc("Name of the map; empty: the one that is being drawn, else the loaded one.")] = ""
    since: Annotated[int, doc("`seq` of the picture that the caller has; -1: none.")] = -1


class Track(Payload):
    """track_image {taskReportId}: what the robot drove in a run; without an id the newest."""

    taskReportId: Annotated[str, doc("Id of the run; empty: the newest.")] = ""  # noqa: N815 - the robot's spelling
