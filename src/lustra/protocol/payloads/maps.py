"""Payloads of maps: their points, lines, zones and files."""

from typing import Literal

from pydantic import Field, Json, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.hours import fault
from lustra.protocol.payloads.base import Name, Payload, Point, required

FlagType = Literal["charging", "stop", "elevator", "other"]


class MapName(Payload):
    name: str = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name.strip(), "map_name_required", "The map needs a name")


class MapFlag(Payload):
    """A point on a map: where the robot charges, stops, or something else."""

    map_name: str = ""
    name: Name = ""
    type: FlagType = "other"
    x: float
    y: float
    yaw: float = 0.0
    revision: int | None = None

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "flag_name_required", "The map point needs a name")


class MapFlagName(Payload):
    map_name: str = ""
    name: Name = ""


class Line(Payload):
    name: str = ""
    id: str = ""
    points: list[Point] = Field(min_length=2, max_length=500)


class Hours(Payload):
    """HH:MM; an end before the start is the next day's."""

    start: str
    end: str

    @model_validator(mode="after")
    def lawful(self) -> "Hours":
        reason = fault(self.start, self.end)
        if reason == "hours_time":
            raise PydanticCustomError("hours_time", "This is no time of day")
        if reason:
            raise PydanticCustomError("hours_empty", "The hours begin when they end")
        return self


class Zone(Payload):
    name: str = ""
    id: str = ""
    points: list[Point] = Field(min_length=3, max_length=500)
    hours: Hours | None = None


class MapUpload(Payload):
    """map/Upload is a form; the marks are JSON text in fields, the grid is the file.

    `file` is the product's bundle: a zip of map.yaml and its image, with annotations.json beside them.
    """

    map_name: str = ""
    virlines_wall: Json[list[Line]] | list[Line] = Field(default=[])
    free_area: Json[list[Zone]] | list[Zone] = Field(default=[])
    forbidden_zone: Json[list[Zone]] | list[Zone] = Field(default=[])
    revision: int | None = None

    @field_validator("map_name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name.strip(), "map_name_required", "The map needs a name")


class NewMap(Payload):
    """draw_new_map {name, explore}: the robot begins a map of where it stands. It sees as far as its lidar while it is
    driven by hand; with `explore` it drives by itself to where the map ends. The name may be given when it is saved.
    With `rebuild` it is to take the place of the map of that name, with what is drawn on it."""

    name: Name = ""
    explore: bool = False
    rebuild: bool = False


class SavedMap(Payload):
    """map_save {name}: without a name the one that draw_new_map was given."""

    name: Name = ""


class Picture(Payload):
    """map_image {map_name, since}: a map as a picture; the map that is being drawn while there is one and no name is
    given. Whoever shows it grow asks again each second with the `seq` that it has: the same one is answered without
    the picture."""

    map_name: str = ""
    since: int = -1


class Track(Payload):
    """track_image {taskReportId}: what the robot drove in a run; without an id the newest."""

    taskReportId: str = ""  # noqa: N815 - the robot's spelling
