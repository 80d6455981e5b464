"""Commands about scheduled tasks, of one map and over several floors."""

from typing import Any

from lustra.protocol.bus import Schedule
from lustra.protocol.payloads.base import Empty, OfMap
from lustra.protocol.payloads.schedules import (
    ElevatorTimeTask,
    ScheduleEnable,
    ScheduleName,
    ScheduleRename,
    TimeTask,
)
from lustra.protocol.recurrence import coming
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import schedule
from lustra.robot.handlers import Answer, does
from lustra.robot.plans import Entry, Shelf
from lustra.robot.robot import Robot, now_ms


def shelf(robot: Robot, kind: Schedule) -> Shelf[Any]:
    return robot.plans.timetasks if kind == "timetask" else robot.plans.lifts


def row(robot: Robot, kind: Schedule, entry: Entry[Any]) -> dict[str, Any]:
    """`next`: when it comes next (ms), 0 never. `state` and `reason`: what became of its newest occurrence."""
    name, what = entry.what.name, entry.what
    following = coming(what.weekly(robot.spec.zone), schedule.moment(now_ms())) if what.enable else None
    own = [o for o in robot.plans.occurrences if (o.kind, o.schedule) == (kind, name)]
    newest = {"state": own[-1].state, "reason": own[-1].reason} if own else {"state": "", "reason": ""}
    return entry.told() | newest | {"next": schedule.ms(following.start) if following else 0}


def listed(robot: Robot, kind: Schedule) -> Answer:
    rows = [row(robot, kind, entry) for entry in shelf(robot, kind).listed()]
    return {"timetask_info": rows, "zone": robot.spec.zone, "now": now_ms()}


def known_tasks(robot: Robot, map_name: str, names: list[str]) -> None:
    for name in names:
        robot.task(map_name, name)


def save(robot: Robot, kind: Schedule, what: Any, *, new: bool) -> Answer:
    own = shelf(robot, kind)
    if new:
        own.free(what.name)
    before: Entry[Any] | None = None if new else own[what.name]
    if before:
        robot.based_on(what.revision, before.revision)
    entry = Entry(what.model_copy(update={"revision": None}))
    if before:
        entry.revision, entry.top = before.revision + 1, before.top
    own.rows[what.name] = entry
    return changed(robot, kind, entry)


def changed(robot: Robot, kind: Schedule, entry: Entry[Any]) -> Answer:
    robot.plans.keep()
    robot.tell_plan(kind, entry)
    return {"revision": entry.revision, "next": row(robot, kind, entry)["next"]}


def rename(robot: Robot, kind: Schedule, of: ScheduleRename) -> Answer:
    """What became of its occurrences so far stays under the former name."""
    resting(robot, kind, of.name)
    entry = shelf(robot, kind).rename(of.name, of.new_name)
    robot.tell_plan(kind, entry, name=of.name, deleted=True)
    return changed(robot, kind, entry)


def delete(robot: Robot, kind: Schedule, name: str) -> Answer:
    entry = resting(robot, kind, name)
    del shelf(robot, kind).rows[name]
    entry.revision += 1
    robot.plans.keep()
    robot.tell_plan(kind, entry, deleted=True)
    return {}


def under_way(robot: Robot, kind: Schedule, name: str) -> bool:
    now = robot.sequence.occurrence if robot.sequence else None
    return now is not None and (now.kind, now.schedule) == (kind, name)


def resting(robot: Robot, kind: Schedule, name: str) -> Entry[Any]:
    entry = shelf(robot, kind)[name]
    if under_way(robot, kind, name):
        raise RobotRefusal(RelayCode.CONFLICT, "schedule_running", "The schedule is under way", "name")
    return entry


@does("timetask_list")
def timetask_list(robot: Robot, of: OfMap) -> Answer:
    told = listed(robot, "timetask")
    name = robot.map(of.map_name).name if of.map_name else ""
    return told | {"timetask_info": [r for r in told["timetask_info"] if not name or r["map_name"] == name]}


@does("timetask_info")
def timetask_info(robot: Robot, of: ScheduleName) -> Answer:
    return row(robot, "timetask", robot.plans.timetasks[of.name]) | {"zone": robot.spec.zone}


def of_map(robot: Robot, what: TimeTask) -> TimeTask:
    """Of the loaded map, where none is named; all its tasks must be known there."""
    what.map_name = robot.map(what.map_name).name
    known_tasks(robot, what.map_name, what.task_list)
    return what


@does("timetask_save")
def timetask_save(robot: Robot, what: TimeTask) -> Answer:
    return save(robot, "timetask", of_map(robot, what), new=True)


@does("timetask_edit")
def timetask_edit(robot: Robot, what: TimeTask) -> Answer:
    """One that is under way goes on as it was; `skips` leaves out single days."""
    return save(robot, "timetask", of_map(robot, what), new=False)


@does("timetask_enable")
def timetask_enable(robot: Robot, of: ScheduleEnable) -> Answer:
    entry = robot.plans.timetasks[of.name]
    entry.what = entry.what.model_copy(update={"enable": of.enable})
    entry.revision += 1
    return changed(robot, "timetask", entry)


@does("timetask_set_top")
def timetask_set_top(robot: Robot, of: ScheduleName) -> Answer:
    entry = robot.plans.timetasks[of.name]
    entry.top, entry.revision = now_ms(), entry.revision + 1
    return changed(robot, "timetask", entry)


@does("timetask_rename")
def timetask_rename(robot: Robot, of: ScheduleRename) -> Answer:
    return rename(robot, "timetask", of)


@does("timetask_delete")
def timetask_delete(robot: Robot, of: ScheduleName) -> Answer:
    return delete(robot, "timetask", of.name)


@does("timetask_cancel")
def timetask_cancel(robot: Robot, of: ScheduleName) -> Answer:
    """Ends what the schedule has begun, or its waiting; it comes again at its next time."""
    waiting = [o for o in robot.plans.occurrences if o.state == "waiting" and o.schedule == of.name]
    if under_way(robot, "timetask", of.name) or under_way(robot, "elevator_timetask", of.name):
        schedule.end_all(robot, "cancelled", now_ms())
    elif not waiting:
        raise RobotRefusal(RelayCode.CONFLICT, "schedule_not_running", "The schedule is not under way", "name")
    for told in waiting:
        schedule.turn(robot, told, "cancelled", "")
    return {}


@does("elevator_timetask_list")
def elevator_timetask_list(robot: Robot, _: Empty) -> Answer:
    return listed(robot, "elevator_timetask")


def of_floors(robot: Robot, what: ElevatorTimeTask) -> ElevatorTimeTask:
    for floor in what.floors:
        floor.map_name = robot.map(floor.map_name).name
        known_tasks(robot, floor.map_name, floor.task_list)
    return what


@does("elevator_timetask_add")
def elevator_timetask_add(robot: Robot, what: ElevatorTimeTask) -> Answer:
    return save(robot, "elevator_timetask", of_floors(robot, what), new=True)


@does("elevator_timetask_modofied")
def elevator_timetask_modofied(robot: Robot, what: ElevatorTimeTask) -> Answer:
    return save(robot, "elevator_timetask", of_floors(robot, what), new=False)


@does("elevator_timetask_rename")
def elevator_timetask_rename(robot: Robot, of: ScheduleRename) -> Answer:
    return rename(robot, "elevator_timetask", of)


@does("elevator_timetask_delete")
def elevator_timetask_delete(robot: Robot, of: ScheduleName) -> Answer:
    return delete(robot, "elevator_timetask", of.name)


@does("elevator_point_list")
def elevator_point_list(robot: Robot, of: OfMap) -> Answer:
    """Where the robot stands in a lift's cabin: points of a map that people have marked so, named after the lift."""
    flags = [flag for flag in robot.map(of.map_name).flags if flag.type == "elevator"]
    return {"list": [{"name": flag.name, "x": flag.x, "y": flag.y, "yaw": flag.yaw} for flag in flags]}
