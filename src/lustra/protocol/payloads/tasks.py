"""Payloads of tasks: what is cleaned, how, and from where."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol import geometry
from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import MapRef, Name, Payload, Point, SeenRevision, required

# Fields that payloads and answers share, each described once.
CleanMode = Annotated[
    Literal["clean", "carpet", "quiet"], doc("What it works with: all tools, those for carpet, or few and quietly.")
]
TaskMode = Annotated[Literal["normal", "edge"], doc("The whole area, or along its walls alone.")]
Route = Annotated[Literal["bow", "spiral"], doc("Lanes to and fro, or rings.")]
Speed = Annotated[Literal["low", "middle", "high"], doc("Which of its three speeds, of robot_params_get.")]
HardFloor = Annotated[bool, doc("The floor is hard; false: carpet.")]
TaskTitle = Annotated[Name, doc("Name of the task, 1 to 64 letters; it is given once a map.")]
StartPoint = Annotated[Point | None, doc("x and y of where it begins, m; null: none.")]
FollowedPath = Annotated[Name, doc("Name of the hand-drawn path that it follows; empty: none.")]
Corners = Annotated[list[Point], Field(max_length=500), doc("x and y of its corners, m; 3 to 500.")]
PathTitle = Annotated[Name, doc("Name of the path, 1 to 64 letters; it is given once a robot.")]
Line = Annotated[list[Point], Field(max_length=2000), doc("x and y of its points, m; 2 to 2,000.")]

SYNONYMS = {"arc": "spiral", "u": "bow", "U": "bow"}  # what other clients call them
SMALLEST_AREA_M2 = 0.25
LARGEST_PICTURE = 400_000  # letters of base64


class Area(Payload):
    """One closed polygon; the last point is not repeated."""

    points: Corners

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
    needs neither area nor start point."""

    name: TaskTitle = ""
    map_name: Annotated[str, doc("Name of its map.")] = ""
    areas: Annotated[list[Area], Field(max_length=50), doc("What it cleans: one area; none with a path.")] = Field(
        default=[]
    )
    hard_floor: HardFloor = True
    start: StartPoint = None
    path: FollowedPath = ""
    revision: SeenRevision = None

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
    """Names a task on a map."""

    name: TaskTitle = ""
    map_name: MapRef = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "task_name_required", "The task needs a name")


class TaskRename(TaskName):
    new_name: Annotated[Name, doc("What it is called from now on, 1 to 64 letters.")] = ""

    @field_validator("new_name")
    @classmethod
    def renamed(cls, name: str) -> str:
        return required(name, "task_name_required", "The task needs a name")


class TaskStart(Payload):
    """Starts a task or, where `group` is named, a task group."""

    name: Annotated[Name, doc("Name of the task; empty: a group is meant.")] = ""
    map_name: MapRef = ""
    group: Annotated[Name, doc("Name of the group; empty: a task is meant.")] = ""

    @model_validator(mode="after")
    def named(self) -> "TaskStart":
        required(self.name or self.group, "task_name_required", "The task needs a name")
        return self


class TaskPicture(TaskName):
    """A PNG in base64 that shows the task."""

    png: Annotated[str, Field(max_length=LARGEST_PICTURE), doc("The picture, at most 400,000 letters of base64.")] = ""


class HpPath(Payload):
    """A path that somebody drew by hand."""

    name: PathTitle = ""
    map_name: MapRef = ""
    path: Line = Field(default=[])
    revision: SeenRevision = None

    @model_validator(mode="after")
    def complete(self) -> "HpPath":
        required(self.name, "path_name_required", "The path needs a name")
        if len(set(self.path)) < 2:  # noqa: PLR2004 - a line's ends
            raise PydanticCustomError("path_points_required", "Draw the path first")
        return self


class HpPathName(Payload):
    name: PathTitle = ""
    map_name: MapRef = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "path_name_required", "The path needs a name")


class Preview(Driven):
    """clean_area_pre: an area as a task would clean it or, named by `path`, a path as a task would follow it."""

    map_name: MapRef = ""
    area: Corners = Field(default=[])
    start: Annotated[Point | None, doc("x and y of where it begins, m; null: where the robot is.")] = None
    path: FollowedPath = ""
