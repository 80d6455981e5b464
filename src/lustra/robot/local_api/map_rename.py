"""A map gets another name. Its tasks, paths, groups and schedules know it by that from then on; reports of
earlier runs stay under the former one."""

from dataclasses import replace

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.floor import Floor
from lustra.robot.robot import Robot


def rename_map(robot: Robot, floor: Floor, name: str) -> Floor:
    """Stores the map under a new name, with its tasks, groups and schedules. `floor`: the new content, its old name."""
    old = floor.name
    if name in robot.store.maps:
        raise RobotRefusal(RelayCode.CONFLICT, "map_same_name", "There is a map of this name", "name")
    if robot.sequence:  # what waits in it names its maps
        raise RobotRefusal(RelayCode.CONFLICT, "map.task_running", "Stop all tasks first", "map_name")
    new = replace(floor, name=name)
    moved = robot.store.rename_map(old, new)
    if robot.machine.floor and robot.machine.floor.name == old:
        robot.machine.floor = new
    robot.keep()
    robot.outbox.event("map", name, new.revision, new.content(), was=old)
    robot.outbox.event("map", old, new.revision, deleted=True)
    for stored in moved:
        robot.outbox.event("task", f"{old}/{stored.task.name}", stored.revision, deleted=True)
        robot.mirror.announce_task(stored)
    for kind, entry in robot.plans.rename_map(old, name):
        robot.mirror.announce_plan(kind, entry)
    return new
