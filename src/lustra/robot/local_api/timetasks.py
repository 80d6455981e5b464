"""Commands about scheduled tasks, of one map and over several floors."""

from collections.abc import Callable
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
from lustra.robot.clock import now_ms
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.plans import Entry, PlanList
from lustra.robot.robot import Robot
from lustra.robot.schedules import schedule


def plan_list(robot: Robot, kind: Schedule) -> PlanList[Any]:
    return robot.plans.timetasks if kind == "timetask" else robot.plans.elevator_timetasks


def row(robot: Robot, kind: Schedule, entry: Entry[Any]) -> dict[str, Any]:
    """`next`: when it comes next (ms), 0 never. `state` and `reason`: what became of its newest occurrence."""
    name, item = entry.item.name, entry.item
    following = coming(item.weekly(robot.spec.zone), schedule.to_datetime(now_ms())) if item.enable else None
    own = [o for o in robot.plans.occurrences if (o.kind, o.schedule) == (kind, name)]
    newest = {"state": own[-1].state, "reason": own[-1].reason} if own else {"state": "", "reason": ""}
    return entry.to_row() | newest | {"next": schedule.to_ms(following.start) if following else 0}


def listed(robot: Robot, kind: Schedule) -> Answer:
    rows = [row(robot, kind, entry) for entry in plan_list(robot, kind).in_order()]
    return {"timetask_info": rows, "zone": robot.spec.zone, "now": now_ms()}


def check_tasks(robot: Robot, map_name: str, names: list[str]) -> None:
    for name in names:
        robot.find_task(map_name, name)


def save(robot: Robot, kind: Schedule, item: Any, *, new: bool) -> Answer:
    own = plan_list(robot, kind)
    if new:
        own.check_free(item.name)
    before: Entry[Any] | None = None if new else own[item.name]
    if before:
        robot.check_revision(item.revision, before.revision)
    entry = Entry(item.model_copy(update={"revision": None}))
    if before:
        entry.revision, entry.top = before.revision + 1, before.top
    own.rows[item.name] = entry
    return changed(robot, kind, entry)


def changed(robot: Robot, kind: Schedule, entry: Entry[Any]) -> Answer:
    robot.plans.save()
    robot.mirror.announce_plan(kind, entry)
    return {"revision": entry.revision, "next": row(robot, kind, entry)["next"]}


def rename(robot: Robot, kind: Schedule, of: ScheduleRename) -> Answer:
    """What became of its occurrences so far stays under the former name."""
    find_idle(robot, kind, of.name)
    entry = plan_list(robot, kind).rename(of.name, of.new_name)
    robot.mirror.announce_plan(kind, entry, name=of.name, deleted=True)
    return changed(robot, kind, entry)


def delete(robot: Robot, kind: Schedule, name: str) -> Answer:
    entry = find_idle(robot, kind, name)
    del plan_list(robot, kind).rows[name]
    entry.revision += 1
    robot.plans.save()
    robot.mirror.announce_plan(kind, entry, deleted=True)
    return {}


def under_way(robot: Robot, kind: Schedule, name: str) -> bool:
    now = robot.sequence.occurrence if robot.sequence else None
    return now is not None and (now.kind, now.schedule) == (kind, name)


def find_idle(robot: Robot, kind: Schedule, name: str) -> Entry[Any]:
    entry = plan_list(robot, kind)[name]
    if under_way(robot, kind, name):
        raise RobotRefusal(RelayCode.CONFLICT, "schedule_running", "The schedule is under way", "name")
    return entry


def check_map(robot: Robot, item: TimeTask) -> TimeTask:
    """Of the loaded map, where none is named; all its tasks must be known there."""
    item.map_name = robot.find_map(item.map_name).name
    check_tasks(robot, item.map_name, item.task_list)
    return item


def check_floors(robot: Robot, item: ElevatorTimeTask) -> ElevatorTimeTask:
    for floor in item.floors:
        floor.map_name = robot.find_map(floor.map_name).name
        check_tasks(robot, floor.map_name, floor.task_list)
    return item


def handle_changes(kind: Schedule, add: str, edit: str, check: Callable[[Robot, Any], Any]) -> None:
    """What both kinds of schedules share. One that is under way goes on as it was; `skips` leaves out single days."""

    @handles(add)
    def add_schedule(robot: Robot, item: Any) -> Answer:
        return save(robot, kind, check(robot, item), new=True)

    @handles(edit)
    def edit_schedule(robot: Robot, item: Any) -> Answer:
        return save(robot, kind, check(robot, item), new=False)

    @handles(f"{kind}_rename")
    def rename_schedule(robot: Robot, of: ScheduleRename) -> Answer:
        return rename(robot, kind, of)

    @handles(f"{kind}_delete")
    def delete_schedule(robot: Robot, of: ScheduleName) -> Answer:
        return delete(robot, kind, of.name)


handle_changes("timetask", "timetask_save", "timetask_edit", check_map)
handle_changes("elevator_timetask", "elevator_timetask_add", "elevator_timetask_modofied", check_floors)


@handles("timetask_list")
def timetask_list(robot: Robot, of: OfMap) -> Answer:
    answer = listed(robot, "timetask")
    name = robot.find_map(of.map_name).name if of.map_name else ""
    return answer | {"timetask_info": [r for r in answer["timetask_info"] if not name or r["map_name"] == name]}


@handles("timetask_info")
def timetask_info(robot: Robot, of: ScheduleName) -> Answer:
    return row(robot, "timetask", robot.plans.timetasks[of.name]) | {"zone": robot.spec.zone}


@handles("timetask_enable")
def timetask_enable(robot: Robot, of: ScheduleEnable) -> Answer:
    entry = robot.plans.timetasks[of.name]
    entry.item = entry.item.model_copy(update={"enable": of.enable})
    entry.revision += 1
    return changed(robot, "timetask", entry)


@handles("timetask_set_top")
def timetask_set_top(robot: Robot, of: ScheduleName) -> Answer:
    entry = robot.plans.timetasks[of.name]
    entry.top, entry.revision = now_ms(), entry.revision + 1
    return changed(robot, "timetask", entry)


@handles("timetask_cancel")
def timetask_cancel(robot: Robot, of: ScheduleName) -> Answer:
    """Ends what the schedule has begun, or its waiting; it comes again at its next time."""
    waiting = [o for o in robot.plans.occurrences if o.state == "waiting" and o.schedule == of.name]
    if under_way(robot, "timetask", of.name) or under_way(robot, "elevator_timetask", of.name):
        schedule.end_all(robot, "cancelled", now_ms())
    elif not waiting:
        raise RobotRefusal(RelayCode.CONFLICT, "schedule_not_running", "The schedule is not under way", "name")
    for occurrence in waiting:
        schedule.set_state(robot, occurrence, "cancelled", "")
    return {}


@handles("elevator_timetask_list")
def elevator_timetask_list(robot: Robot, _: Empty) -> Answer:
    return listed(robot, "elevator_timetask")


@handles("elevator_point_list")
def elevator_point_list(robot: Robot, of: OfMap) -> Answer:
    """Where the robot stands in a lift's cabin: points of a map that people have marked so, named after the lift."""
    flags = [flag for flag in robot.find_map(of.map_name).flags if flag.type == "elevator"]
    return {"list": [{"name": flag.name, "x": flag.x, "y": flag.y, "yaw": flag.yaw} for flag in flags]}
