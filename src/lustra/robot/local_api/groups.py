"""Commands about task groups: units one after another, named, ordered, and kept by the robot."""

import secrets
from typing import Any

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.groups import GroupName, GroupRename, GroupType, TaskGroup
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot


def find_idle_group(robot: Robot, name: str) -> Entry[TaskGroup]:
    """Refused while the robot works through the group."""
    entry = robot.plans.groups[name]
    if robot.sequence and robot.sequence.group == name:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task group is running", "name")
    return entry


def save_group(robot: Robot, entry: Entry[TaskGroup]) -> Answer:
    robot.plans.save()
    robot.mirror.announce_plan("group", entry)
    return {"revision": entry.revision, "gid": entry.id}


@handles("taskgroup_list")
def taskgroup_list(robot: Robot, _: Empty) -> Answer:
    running = robot.sequence.group if robot.sequence else ""
    rows: list[dict[str, Any]] = [
        entry.to_row() | {"running": entry.item.name == running} for entry in robot.plans.groups.in_order()
    ]
    return {"list": rows}


@handles("taskgroup_add")
def taskgroup_add(robot: Robot, group: TaskGroup) -> Answer:
    """A new group; with the revision that it is based on, the change of a known one."""
    for unit in group.tasks:
        unit.map_name = robot.find_task(unit.map_name, unit.task).task.map_name
    maps = [robot.find_map(unit.map_name) for unit in group.tasks]
    if group.type == GroupType.SAME_MAP and len({floor.name for floor in maps}) > 1:
        raise RobotRefusal(RelayCode.BAD_INPUT, "group_one_map", "All tasks of this group are on one map", "tasks")
    buildings = {floor.building for floor in maps}
    if group.type == GroupType.SAME_BUILDING and (len(buildings) > 1 or "" in buildings):
        raise RobotRefusal(
            RelayCode.BAD_INPUT, "group_one_building", "All tasks of this group are in one building", "tasks"
        )
    known = robot.plans.groups.rows.get(group.name)
    if known is None or group.revision is None:
        robot.plans.groups.check_free(group.name)
        entry = robot.plans.groups.rows[group.name] = Entry(group, id=secrets.token_hex(8))
        return save_group(robot, entry)
    entry = find_idle_group(robot, group.name)
    robot.check_revision(group.revision, entry.revision)
    entry.item, entry.revision = group, entry.revision + 1
    return save_group(robot, entry)


@handles("taskgroup_rename")
def taskgroup_rename(robot: Robot, of: GroupRename) -> Answer:
    entry = robot.plans.groups.rename(find_idle_group(robot, of.name).item.name, of.new_name)
    robot.mirror.announce_plan("group", entry, name=of.name, deleted=True)
    return save_group(robot, entry)


@handles("taskgroup_set_top")
def taskgroup_set_top(robot: Robot, of: GroupName) -> Answer:
    entry = robot.plans.groups[of.name]
    entry.top, entry.revision = now_ms(), entry.revision + 1
    return save_group(robot, entry)


@handles("taskgroup_del")
def taskgroup_del(robot: Robot, of: GroupName) -> Answer:
    entry = find_idle_group(robot, of.name)
    del robot.plans.groups.rows[of.name]
    entry.revision += 1
    robot.plans.save()
    robot.mirror.announce_plan("group", entry, deleted=True)
    return {}
