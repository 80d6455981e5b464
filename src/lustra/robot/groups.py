"""Commands about task groups: units one after another, named, ordered, and kept by the robot."""

import secrets
from typing import Any

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.groups import GroupName, GroupRename, GroupType, TaskGroup
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.handlers import Answer, does
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot, now_ms


def resting(robot: Robot, name: str) -> Entry[TaskGroup]:
    """Refused while the robot works through the group."""
    entry = robot.plans.groups[name]
    if robot.sequence and robot.sequence.group == name:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task group is running", "name")
    return entry


def changed(robot: Robot, entry: Entry[TaskGroup]) -> Answer:
    robot.plans.keep()
    robot.tell_plan("group", entry)
    return {"revision": entry.revision, "gid": entry.id}


@does("taskgroup_list")
def taskgroup_list(robot: Robot, _: Empty) -> Answer:
    running = robot.sequence.group if robot.sequence else ""
    rows: list[dict[str, Any]] = [
        entry.told() | {"running": entry.what.name == running} for entry in robot.plans.groups.listed()
    ]
    return {"list": rows}


@does("taskgroup_add")
def taskgroup_add(robot: Robot, group: TaskGroup) -> Answer:
    """A new group; with the revision that it is based on, the change of a known one."""
    for unit in group.tasks:
        unit.map_name = robot.task(unit.map_name, unit.task).task.map_name
    maps = [robot.map(unit.map_name) for unit in group.tasks]
    if group.type == GroupType.SAME_MAP and len({told.name for told in maps}) > 1:
        raise RobotRefusal(RelayCode.BAD_INPUT, "group_one_map", "All tasks of this group are on one map", "tasks")
    buildings = {told.building for told in maps}
    if group.type == GroupType.SAME_BUILDING and (len(buildings) > 1 or "" in buildings):
        raise RobotRefusal(
            RelayCode.BAD_INPUT, "group_one_building", "All tasks of this group are in one building", "tasks"
        )
    known = robot.plans.groups.rows.get(group.name)
    if known is None or group.revision is None:
        robot.plans.groups.free(group.name)
        entry = robot.plans.groups.rows[group.name] = Entry(group, id=secrets.token_hex(8))
        return changed(robot, entry)
    entry = resting(robot, group.name)
    robot.based_on(group.revision, entry.revision)
    entry.what, entry.revision = group, entry.revision + 1
    return changed(robot, entry)


@does("taskgroup_rename")
def taskgroup_rename(robot: Robot, of: GroupRename) -> Answer:
    entry = robot.plans.groups.rename(resting(robot, of.name).what.name, of.new_name)
    robot.tell_plan("group", entry, name=of.name, deleted=True)
    return changed(robot, entry)


@does("taskgroup_set_top")
def taskgroup_set_top(robot: Robot, of: GroupName) -> Answer:
    entry = robot.plans.groups[of.name]
    entry.top, entry.revision = now_ms(), entry.revision + 1
    return changed(robot, entry)


@does("taskgroup_del")
def taskgroup_del(robot: Robot, of: GroupName) -> Answer:
    entry = resting(robot, of.name)
    del robot.plans.groups.rows[of.name]
    entry.revision += 1
    robot.plans.keep()
    robot.tell_plan("group", entry, deleted=True)
    return {}
