"""What the commands of a robot's local API carry, with the rules that console, relay and robot all refuse by.

Names on the wire are the robot's (snake_case, odd spellings kept). Lengths in m, angles in rad, map frame, y up.
An error's type is a catalogue key (see refusals.py).
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Json, StringConstraints, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol import geometry

Point = tuple[float, float]
CleanMode = Literal["clean", "carpet", "quiet"]
TaskMode = Literal["normal", "edge"]
Route = Literal["bow", "spiral"]
Speed = Literal["low", "middle", "high"]
FlagType = Literal["charging", "stop", "other"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=64)]

SYNONYMS = {"arc": "spiral", "u": "bow", "U": "bow"}  # calls.txt 9: "another reading: arc and U"
SMALLEST_AREA_M2 = 0.25


class Payload(BaseModel):
    """Base of all command payloads: unknown fields are tolerated (q.payload_silence), missing ones are looked at."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False, validate_default=True)


class Empty(Payload):
    pass


def required(value: str, key: str, text: str) -> str:
    if not value:
        raise PydanticCustomError(key, text)  # pyright: ignore[reportArgumentType] - literal at each caller
    return value


class Area(Payload):
    """One closed polygon; the last point is not repeated."""

    points: list[Point] = Field(max_length=500)

    @field_validator("points")
    @classmethod
    def drawn(cls, points: list[Point]) -> list[Point]:
        if len(points) < 3 or geometry.area(points) < SMALLEST_AREA_M2:  # noqa: PLR2004 - a polygon's corners
            raise PydanticCustomError("task_area_required", "Draw the area first")
        return points


class Task(Payload):
    """A cleaning task as the robot keeps it (entity Task). `revision` is the one that a change is based on."""

    name: Name = ""
    map_name: str = ""
    areas: list[Area] = Field(default=[], max_length=50)
    clean_mode: CleanMode = "clean"
    task_mode: TaskMode = "normal"
    route: Route = "bow"
    speed: Speed = "middle"
    hard_floor: bool = True
    start: Point | None = None
    revision: int | None = None

    @field_validator("route", mode="before")
    @classmethod
    def synonym(cls, route: Any) -> Any:
        return SYNONYMS.get(route, route) if isinstance(route, str) else route

    @model_validator(mode="after")
    def complete(self) -> "Task":
        required(self.name, "task_name_required", "The task needs a name")
        required(self.map_name, "task_map_required", "The task needs a map")
        if not self.areas:
            raise PydanticCustomError("task_area_required", "Draw the area first")
        if len(self.areas) > 1:
            raise PydanticCustomError("task_one_area", "A task has one area only")
        if self.start is None:
            raise PydanticCustomError("task_start_required", "Draw the start point first")
        return self


class TaskName(Payload):
    """Names a task on a map; without `map_name` the loaded map is meant."""

    name: Name = ""
    map_name: str = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "task_name_required", "The task needs a name")


class Preview(Payload):
    map_name: str = ""
    area: list[Point] = Field(max_length=500)
    route: Route = "bow"
    start: Point | None = None

    @field_validator("route", mode="before")
    @classmethod
    def synonym(cls, route: Any) -> Any:
        return SYNONYMS.get(route, route) if isinstance(route, str) else route


class OfMap(Payload):
    """Without a name the loaded map is meant."""

    map_name: str = ""


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
    points: list[Point] = Field(min_length=2, max_length=500)


class Zone(Payload):
    name: str = ""
    points: list[Point] = Field(min_length=3, max_length=500)


class MapUpload(Payload):
    """map/Upload is a form; the marks are JSON text in fields, the grid is the file.

    `file` is the product's bundle: a zip of map.yaml and its image, with annotations.json beside them.
    """

    map_name: str = ""
    virlines_wall: Json[list[Line]] | list[Line] = []
    free_area: Json[list[Zone]] | list[Zone] = []
    forbidden_zone: Json[list[Zone]] | list[Zone] = []
    revision: int | None = None

    @field_validator("map_name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name.strip(), "map_name_required", "The map needs a name")


class Switch(Payload):
    """robot_safe {robot_safe}: 1 stops the robot where it is (emergency stop), 0 releases it."""

    robot_safe: Literal[0, 1]
