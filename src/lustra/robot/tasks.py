"""Commands about tasks: what the robot refuses, the console and the relay refuse in the same words."""

from typing import Any

from lustra.protocol.payloads.base import Empty, OfMap
from lustra.protocol.payloads.tasks import Task, TaskName, TaskPicture, TaskRename
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import pictures
from lustra.robot.handlers import Answer, does
from lustra.robot.maps import within
from lustra.robot.robot import Robot
from lustra.robot.store import Kept


def rows(robot: Robot, of: OfMap) -> list[dict[str, Any]]:
    """All tasks, or those of one map."""
    name = robot.map(of.map_name).name if of.map_name else ""
    return [kept.told() for key, kept in robot.store.tasks.items() if not name or key[0] == name]


def resting(robot: Robot, kept: Kept) -> Kept:
    """Refused while the task runs."""
    run = robot.machine.run
    if run and (run.floor.name, run.task.name) == (kept.task.map_name, kept.task.name):
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task is running", "name")
    return kept


@does("task_list")
def task_list(robot: Robot, of: OfMap) -> Answer:
    return {"task_list": rows(robot, of)}


@does("task_info")
def task_info(robot: Robot, of: OfMap) -> Answer:
    return {"task_info": rows(robot, of)}


@does("all_tasksingle_list")
def all_tasksingle_list(robot: Robot, _: Empty) -> Answer:
    return {"list": rows(robot, OfMap())}


@does("task_all_map")
def task_all_map(robot: Robot, _: Empty) -> Answer:
    return {"list": [{"map_name": name, "task_list": rows(robot, OfMap(map_name=name))} for name in robot.store.maps]}


@does("taskinfo_query")
def taskinfo_query(robot: Robot, of: TaskName) -> Answer:
    """One task, with its picture."""
    kept = robot.task(of.map_name, of.name)
    return kept.told() | {"png": pictures.read(robot, kept.picture)}


@does("cleantask_origin")
def cleantask_origin(robot: Robot, of: TaskName) -> Answer:
    """The task as it was first made."""
    return {"data": robot.task(of.map_name, of.name).origin}


@does("task_add")
async def task_add(robot: Robot, task: Task) -> Answer:
    """A new task; with the revision that it is based on, the change of a known one."""
    told = robot.map(task.map_name)
    if task.path and robot.plans.paths[task.path].what.map_name != told.name:
        raise RobotRefusal(RelayCode.UNKNOWN, "path_unknown", "The map has no such path", "path")
    for area in task.areas:
        within(told, list(area.points), "areas")
    if task.start:
        within(told, [task.start], "start")
    known = robot.store.tasks.get((told.name, task.name))
    if known and task.revision is None:
        raise RobotRefusal(RelayCode.CONFLICT, "task_same_name", "There is a task of this name", "name")
    robot.based_on(task.revision, known.revision if known else task.revision or 0)
    if known:
        resting(robot, known)
    plan = await robot.plan(robot.asked(task))
    kept = Kept(task, (known.revision if known else 0) + 1)
    kept.reachable, kept.seconds = told.square_metres(plan.reachable), robot.seconds(plan, task)
    kept.origin = known.origin if known else task.model_dump(mode="json", exclude={"revision"})
    kept.picture = known.picture if known else ""
    changed(robot, kept)
    return {"revision": kept.revision, "reachable": round(kept.reachable, 2), "seconds": round(kept.seconds, 1)}


def changed(robot: Robot, kept: Kept) -> None:
    robot.store.tasks[kept.task.map_name, kept.task.name] = kept
    robot.store.keep_tasks()
    robot.tell_task(kept)


@does("task_rename")
def task_rename(robot: Robot, of: TaskRename) -> Answer:
    """Groups and schedules know it by the new name then."""
    kept = resting(robot, robot.task(of.map_name, of.name))
    map_name, old = kept.task.map_name, kept.task.name
    if (map_name, of.new_name) in robot.store.tasks:
        raise RobotRefusal(RelayCode.CONFLICT, "task_same_name", "There is a task of this name", "new_name")
    kept.task = kept.task.model_copy(update={"name": of.new_name})
    kept.revision += 1
    known = robot.store.tasks.items()
    robot.store.tasks = {((map_name, of.new_name) if row is kept else key): row for key, row in known}
    robot.outbox.event("task", f"{map_name}/{old}", kept.revision, deleted=True)
    changed(robot, kept)
    for kind, entry in robot.plans.task_renamed(map_name, old, of.new_name):
        robot.tell_plan(kind, entry)
    return {"revision": kept.revision}


@does("task_del")
def task_del(robot: Robot, of: TaskName) -> Answer:
    kept = resting(robot, robot.task(of.map_name, of.name))
    key = (kept.task.map_name, kept.task.name)
    if robot.plans.use(*key):
        raise RobotRefusal(RelayCode.CONFLICT, "task_in_plan", "A task group or a schedule has this task", "name")
    del robot.store.tasks[key]
    robot.store.keep_tasks()
    pictures.forget(robot, kept.picture)
    robot.outbox.event("task", f"{key[0]}/{key[1]}", kept.revision + 1, deleted=True)
    return {}


@does("task_names_png_upload")
def task_names_png_upload(robot: Robot, of: TaskPicture) -> Answer:
    kept = robot.task(of.map_name, of.name)
    before, kept.picture = kept.picture, pictures.keep(robot, of.png)
    kept.revision += 1
    changed(robot, kept)
    pictures.forget(robot, before)
    return {"revision": kept.revision, "picture": kept.picture}
