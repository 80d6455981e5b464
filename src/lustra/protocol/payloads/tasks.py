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

SYNONYMS = {"arc": "spiral", "u": "bow", "U": "bow"}  # what other clients call them
SMALLEST_AREA_M2 = 0.25
LARGEST_PICTURE = 400_000  # letters of base64


class Area(Payload):
    """One closed polygon; the last point is not repeated."""

    points: list[Point] = Field(max_length=500)

    @field_validator("points")
    @classmethod
    def drawn(cls, points: list[Point]) -> list[Point]:
        if len(points) < 3 or geometry.area(points) < SMALLEST_AREA_M2:  # noqa: PLR2004 - a polygon's corners
            raise PydanticCustomError("task_area_required", "Draw the area first")
        return points


class Driven(Payload):
    """How an area is cleaned and driven: by lanes, by rings, or in edge mode along its walls alone."""

    clean_mode: CleanMode = "clean"
    task_mode: TaskMode = "normal"
    route: Route = "bow"
    speed: Speed = "middle"

    @field_validator("route", mode="before")
    @classmethod
    def synonym(cls, route: Any) -> Any:
        return SYNONYMS.get(route, route) if isinstance(route, str) else route

    @property
    def way(self) -> Literal["bow", "spiral", "edge"]:
        return "edge" if self.task_mode == "edge" else self.route


class Task(Driven):
    """A cleaning task as the robot keeps it (entity Task). With `path` it follows that hand-drawn path of the map, and
    needs neither area nor start point. `revision` is the one that a change is based on."""

    name: Name = ""
    map_name: str = ""
    areas: list[Area] = Field(default=[], max_length=50)
    hard_floor: bool = True
    start: Point | None = None
    path: Name = ""
    revision: int | None = None

    @model_validator(mode="after")
    def complete(self) -> "Task":
        required(self.name, "task_name_required", "The task needs a name")
        required(self.map_name, "task_map_required", "The task needs a map")
        if self.path and self.areas:
            raise PydanticCustomError("task_area_or_path", "A task follows a path or cleans an area, not both")
        if self.path:
            return self
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


class TaskRename(TaskName):
    new_name: Name = ""

    @field_validator("new_name")
    @classmethod
    def renamed(cls, name: str) -> str:
        return required(name, "task_name_required", "The task needs a name")


class TaskStart(Payload):
    """Starts a task or, where `group` is named, a task group."""

    name: Name = ""
    map_name: str = ""
    group: Name = ""

    @model_validator(mode="after")
    def named(self) -> "TaskStart":
        required(self.name or self.group, "task_name_required", "The task needs a name")
        return self


class TaskPicture(TaskName):
    """A PNG in base64 that shows the task."""

    png: str = Field(default="", max_length=LARGEST_PICTURE)


class HpPath(Payload):
    """A path that somebody drew by hand."""

    name: Name = ""
    map_name: str = ""
    path: list[Point] = Field(default=[], max_length=2000)
    revision: int | None = None

    @model_validator(mode="after")
    def complete(self) -> "HpPath":
        required(self.name, "path_name_required", "The path needs a name")
        if len(set(self.path)) < 2:  # noqa: PLR2004 - a line's ends
            raise PydanticCustomError("path_points_required", "Draw the path first")
        return self


class HpPathName(Payload):
    name: Name = ""
    map_name: str = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "path_name_required", "The path needs a name")


class Preview(Driven):
    """clean_area_pre: an area as a task would clean it or, named by `path`, a path as a task would follow it."""

    map_name: str = ""
    area: list[Point] = Field(default=[], max_length=500)
    start: Point | None = None
    path: Name = ""
