"""Commands about paths that people draw by hand; a task may follow one."""

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.tasks import HpPath, HpPathName
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.local_api.maps import check_inside
from lustra.robot.maps.floor import Floor
from lustra.robot.plan_cache import PlanRequest
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask


def tasks_on_path(robot: Robot, name: str) -> list[StoredTask]:
    return [stored for stored in robot.store.tasks.values() if stored.task.path == name]


def find_path(robot: Robot, payload: HpPath | HpPathName) -> tuple[Floor, Entry[HpPath] | None]:
    """Names of paths are given once a robot, whatever the map."""
    floor = robot.find_map(payload.map_name)
    entry = robot.plans.paths.rows.get(payload.name)
    return floor, entry if entry and entry.item.map_name == floor.name else None


@handles("dir_path_list")
def dir_path_list(robot: Robot, _: Empty) -> Answer:
    entries = robot.plans.paths.in_order()
    return {"list": [entry.item.name for entry in entries], "paths": [entry.to_row() for entry in entries]}


@handles("hppath_save")
async def hppath_save(robot: Robot, drawn: HpPath) -> Answer:
    """A new path; with the revision that it is based on, the change of a known one. One that can be driven only."""
    floor, former = find_path(robot, drawn)
    check_inside(floor, list(drawn.path), "path")
    if former is None or drawn.revision is None:
        robot.plans.paths.check_free(drawn.name)
    else:
        robot.check_revision(drawn.revision, former.revision)
        check_not_running(robot, drawn.name)
    plan = await robot.planner.plan(PlanRequest(floor, line=tuple(drawn.path)))
    drawn = drawn.model_copy(update={"map_name": floor.name, "revision": None})
    entry = robot.plans.paths.rows[drawn.name] = Entry(drawn, former.revision + 1 if former else 1)
    robot.plans.save()
    for stored in tasks_on_path(robot, drawn.name):
        stored.reachable, stored.revision = floor.square_metres(plan.reachable), stored.revision + 1
        stored.seconds = robot.starts.seconds(plan, stored.task)
        robot.mirror.announce_task(stored)
    robot.store.save_tasks()
    return {"revision": entry.revision, "length": round(plan.length, 2)}


def check_not_running(robot: Robot, name: str) -> None:
    run = robot.machine.run
    if run and run.task.path == name:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task is running", "name")


@handles("hppath_delete")
def hppath_delete(robot: Robot, of: HpPathName) -> Answer:
    _, entry = find_path(robot, of)
    if entry is None:
        raise RobotRefusal(RelayCode.UNKNOWN, "path_unknown", "The map has no such path", "name")
    if tasks_on_path(robot, of.name):
        raise RobotRefusal(RelayCode.CONFLICT, "path_in_use", "A task follows this path", "name")
    del robot.plans.paths.rows[of.name]
    robot.plans.save()
    return {}
