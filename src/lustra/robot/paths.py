"""Commands about paths that people draw by hand; a task may follow one."""

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.tasks import HpPath, HpPathName
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.floor import Floor
from lustra.robot.handlers import Answer, does
from lustra.robot.maps import within
from lustra.robot.plan_cache import Asked
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot
from lustra.robot.store import Kept


def followers(robot: Robot, name: str) -> list[Kept]:
    return [kept for kept in robot.store.tasks.values() if kept.task.path == name]


def of_map(robot: Robot, wanted: HpPath | HpPathName) -> tuple[Floor, Entry[HpPath] | None]:
    """Names of paths are given once a robot, whatever the map."""
    told = robot.map(wanted.map_name)
    known = robot.plans.paths.rows.get(wanted.name)
    return told, known if known and known.what.map_name == told.name else None


@does("dir_path_list")
def dir_path_list(robot: Robot, _: Empty) -> Answer:
    entries = robot.plans.paths.listed()
    return {"list": [entry.what.name for entry in entries], "paths": [entry.told() for entry in entries]}


@does("hppath_save")
async def hppath_save(robot: Robot, drawn: HpPath) -> Answer:
    """A new path; with the revision that it is based on, the change of a known one. One that can be driven only."""
    told, known = of_map(robot, drawn)
    within(told, list(drawn.path), "path")
    if known is None or drawn.revision is None:
        robot.plans.paths.free(drawn.name)
    else:
        robot.based_on(drawn.revision, known.revision)
        rest(robot, drawn.name)
    plan = await robot.plan(Asked(told, line=tuple(drawn.path)))
    drawn = drawn.model_copy(update={"map_name": told.name, "revision": None})
    entry = robot.plans.paths.rows[drawn.name] = Entry(drawn, known.revision + 1 if known else 1)
    robot.plans.keep()
    for kept in followers(robot, drawn.name):
        kept.reachable, kept.revision = told.square_metres(plan.reachable), kept.revision + 1
        kept.seconds = robot.seconds(plan, kept.task)
        robot.tell_task(kept)
    robot.store.keep_tasks()
    return {"revision": entry.revision, "length": round(plan.length, 2)}


def rest(robot: Robot, name: str) -> None:
    run = robot.machine.run
    if run and run.task.path == name:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task is running", "name")


@does("hppath_delete")
def hppath_delete(robot: Robot, of: HpPathName) -> Answer:
    _, known = of_map(robot, of)
    if known is None:
        raise RobotRefusal(RelayCode.UNKNOWN, "path_unknown", "The map has no such path", "name")
    if followers(robot, of.name):
        raise RobotRefusal(RelayCode.CONFLICT, "path_in_use", "A task follows this path", "name")
    del robot.plans.paths.rows[of.name]
    robot.plans.keep()
    return {}
