"""Answers about tasks, hand-drawn paths and what runs."""

from typing import Annotated, Any

from lustra.protocol.answers.base import Changed, Done, MapTitle, Polyline, RevisionOf, Row, Seconds
from lustra.protocol.doc import doc
from lustra.protocol.payloads.tasks import (
    Area,
    CleanMode,
    FollowedPath,
    HardFloor,
    PathTitle,
    Route,
    Speed,
    StartPoint,
    TaskMode,
    TaskTitle,
)
from lustra.protocol.telemetry import Mode

Reachable = Annotated[float, doc("What the robot reaches of it, m².")]
PictureName = Annotated[str, doc("Name of its picture's content, SHA-256; empty: it has none.")]
Planning = Annotated[
    bool,
    doc("Its way is still being planned, and its numbers are 0; the robot's state counts such work in `planning`."),
]
WhyNot = Annotated[str, doc("Why no way was found: a key of `x-reasons`; empty: none is missing.")]
Top = Annotated[int, doc("When it was put on top of its list, ms since 1970; 0: never.")]


class TaskRow(Row):
    name: TaskTitle
    map_name: MapTitle
    areas: Annotated[list[Area], doc("What it cleans: one area; none with a path.")]
    hard_floor: HardFloor
    start: StartPoint
    path: FollowedPath
    clean_mode: CleanMode
    task_mode: TaskMode
    route: Route
    speed: Speed
    reachable: Reachable
    seconds: Seconds
    revision: RevisionOf
    picture: PictureName
    planning: Planning = False
    reason: WhyNot = ""


class TaskList(Done):
    task_list: Annotated[list[TaskRow], doc("All tasks, or those of the map.")]


class TaskInfo(Done):
    task_info: Annotated[list[TaskRow], doc("All tasks, or those of the map.")]


class AllTasks(Done):
    list: Annotated[list[TaskRow], doc("All tasks of the robot.")]


class MapTasks(Row):
    map_name: MapTitle
    task_list: Annotated[list[TaskRow], doc("Tasks of the map.")]


class TasksByMap(Done):
    list: Annotated[list[MapTasks], doc("All maps of the robot.")]


class TaskQuery(Done, TaskRow):
    png: Annotated[str, doc("Its picture in base64; empty: it has none.")]


class TaskOrigin(Done):
    data: Annotated[dict[str, Any], doc("The task as it was first made; empty: an old robot did not keep it.")]


class SavedTask(Changed):
    reachable: Reachable
    seconds: Seconds
    planning: Planning = False


class SavedPicture(Changed):
    picture: PictureName


class PathRow(Row):
    name: PathTitle
    map_name: MapTitle
    path: Polyline
    revision: RevisionOf
    top: Top


class Paths(Done):
    paths: Annotated[list[PathRow], doc("All paths, whole.")]
    list: Annotated[list[str], doc("Their names.")]


class SavedPath(Changed):
    length: Annotated[float, doc("Length of the way that it drives, m.")]


class Forecast(Done):
    path: Annotated[Polyline, doc("The way that it would take: x and y of each point, m.")]
    area: Annotated[float, doc("What is to be cleaned, m².")]
    reachable: Reachable
    length: Annotated[float, doc("Length of the way, m.")]
    seconds: Seconds
    battery: Annotated[float, doc("Charge that it needs, %.")]
    liquid: Annotated[float, doc("Share of the tank that it needs, %.")]
    speed: Annotated[float, doc("Speed of the drive, m/s.")]
    planning: Annotated[
        bool, doc("The way is still being planned: ask the same again when `planning` in the robot's state is 0.")
    ] = False


class Started(Done):
    run: Annotated[str, doc("Id of the run; empty: it has not begun yet.")]
    planning: Annotated[
        bool, doc("It begins when its way is planned, unless somebody stops, pauses or ends it before.")
    ] = False


class WaitingTask(Row):
    map_name: MapTitle
    name: TaskTitle


class TaskState(Done):
    state: Annotated[Mode, doc("What the robot does.")]
    name: Annotated[str, doc("Name of the task that runs; empty: none.")]
    progress: Annotated[float, doc("Share of what it can reach that is cleaned, 0 to 1.")]
    run: Annotated[str, doc("Id of the run; empty: no task runs.")]
    follows: Annotated[list[WaitingTask], doc("Tasks that come after it, in their order.")]
    group: Annotated[str, doc("Name of the group that it belongs to; empty: none.")]
    schedule: Annotated[str, doc("Name of the schedule that began it; empty: none.")]
    planning: Annotated[bool, doc("It has not begun yet: its way is being planned.")] = False
