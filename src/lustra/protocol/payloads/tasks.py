"""Payloads of tasks: what is cleaned, how, and from where."""

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol import geometry
from lustra.protocol.payloads.base import Name, Payload, Point, required

CleanMode = Literal["clean", "carpet", "quiet"]
TaskMode = Literal["normal", "edge"]
Route = Literal["bow", "spiral"]
Speed = Literal["low", "middle", "high"]

SYNONYMS = {"arc": "spiral", "u": "bow", "U": "bow"}  # calls.txt 9: "another reading: arc and U"
SMALLEST_AREA_M2 = 0.25


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
