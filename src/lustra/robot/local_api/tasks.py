"""Commands about tasks: what the robot refuses, the console and the relay refuse in the same words."""

from typing import Any

from lustra.protocol.payloads.base import Empty, OfMap
from lustra.protocol.payloads.tasks import Task, TaskName, TaskPicture, TaskRename
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import task_plans
from lustra.robot.local_api import pictures
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.local_api.maps import check_inside
from lustra.robot.maps.floor import Floor
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask


def task_rows(robot: Robot, of: OfMap) -> list[dict[str, Any]]:
    """All tasks, or those of one map."""
    name = robot.find_map(of.map_name).name if of.map_name else ""
    return [stored.to_row() for key, stored in robot.store.tasks.items() if not name or key[0] == name]


def find_idle(robot: Robot, stored: StoredTask) -> StoredTask:
    """Refused while the task runs."""
    run = robot.machine.run
    if run and (run.floor.name, run.task.name) == (stored.task.map_name, stored.task.name):
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task is running", "name")
    return stored


@handles("task_list")
def task_list(robot: Robot, of: OfMap) -> Answer:
    return {"task_list": task_rows(robot, of)}


@handles("task_info")
def task_info(robot: Robot, of: OfMap) -> Answer:
    return {"task_info": task_rows(robot, of)}


@handles("all_tasksingle_list")
def all_tasksingle_list(robot: Robot, _: Empty) -> Answer:
    return {"list": task_rows(robot, OfMap())}


@handles("task_all_map")
def task_all_map(robot: Robot, _: Empty) -> Answer:
    return {
        "list": [{"map_name": name, "task_list": task_rows(robot, OfMap(map_name=name))} for name in robot.store.maps]
    }


@handles("taskinfo_query")
def taskinfo_query(robot: Robot, of: TaskName) -> Answer:
    """One task, with its picture."""
    stored = robot.find_task(of.map_name, of.name)
    return stored.to_row() | {"png": pictures.read(robot, stored.picture)}


@handles("cleantask_origin")
def cleantask_origin(robot: Robot, of: TaskName) -> Answer:
    """The task as it was first made."""
    return {"data": robot.find_task(of.map_name, of.name).origin}


@handles("task_add")
async def task_add(robot: Robot, task: Task) -> Answer:
    """A new task; with the revision that it is based on, the change of a known one."""
    floor = robot.find_map(task.map_name)
    if task.path and robot.plans.paths[task.path].item.map_name != floor.name:
        raise RobotRefusal(RelayCode.UNKNOWN, "path_unknown", "The map has no such path", "path")
    for area in task.areas:
        check_inside(floor, list(area.points), "areas")
    if task.start:
        check_inside(floor, [task.start], "start")
    known = robot.store.tasks.get((floor.name, task.name))
    if known and task.revision is None:
        raise RobotRefusal(RelayCode.CONFLICT, "task_same_name", "There is a task of this name", "name")
    robot.check_revision(task.revision, known.revision if known else task.revision or 0)
    if known:
        find_idle(robot, known)
    work, done = await robot.planner.answer_soon(robot.planner.plan(robot.starts.plan_request(task)))
    stored = StoredTask(task, (known.revision if known else 0) + 1)
    if done:
        task_plans.set_plan(robot, stored, work.result())
    check_newest(robot, floor, task, known)
    stored.origin = known.origin if known else task.model_dump(mode="json", exclude={"revision"})
    stored.picture = known.picture if known else ""
    if not done:
        task_plans.follow_up(robot, stored, work)
    task_plans.save_task(robot, stored)
    return {
        "revision": stored.revision,
        "reachable": round(stored.reachable, 2),
        "seconds": round(stored.seconds, 1),
        "planning": stored.planning,
    }


def check_newest(robot: Robot, floor: Floor, task: Task, known: StoredTask | None) -> None:
    """Refused where somebody else has changed the task or its map while its way was planned."""
    if robot.store.maps.get(floor.name) is not floor or robot.store.tasks.get((floor.name, task.name)) is not known:
        raise RobotRefusal(RelayCode.CONFLICT, "revision_conflict", "Somebody has changed this meanwhile", "revision")


@handles("task_rename")
def task_rename(robot: Robot, of: TaskRename) -> Answer:
    """Groups and schedules know it by the new name then."""
    stored = find_idle(robot, robot.find_task(of.map_name, of.name))
    map_name, old = stored.task.map_name, stored.task.name
    if (map_name, of.new_name) in robot.store.tasks:
        raise RobotRefusal(RelayCode.CONFLICT, "task_same_name", "There is a task of this name", "new_name")
    stored.task = stored.task.model_copy(update={"name": of.new_name})
    stored.revision += 1
    known = robot.store.tasks.items()
    robot.store.tasks = {((map_name, of.new_name) if row is stored else key): row for key, row in known}
    robot.outbox.event("task", f"{map_name}/{old}", stored.revision, deleted=True)
    task_plans.save_task(robot, stored)
    for kind, entry in robot.plans.rename_task(map_name, old, of.new_name):
        robot.mirror.announce_plan(kind, entry)
    return {"revision": stored.revision}


@handles("task_del")
def task_del(robot: Robot, of: TaskName) -> Answer:
    stored = find_idle(robot, robot.find_task(of.map_name, of.name))
    key = (stored.task.map_name, stored.task.name)
    if robot.plans.uses_task(*key):
        raise RobotRefusal(RelayCode.CONFLICT, "task_in_plan", "A task group or a schedule has this task", "name")
    del robot.store.tasks[key]
    robot.store.save_tasks()
    pictures.forget(robot, stored.picture)
    robot.outbox.event("task", f"{key[0]}/{key[1]}", stored.revision + 1, deleted=True)
    return {}


@handles("task_names_png_upload")
def task_names_png_upload(robot: Robot, of: TaskPicture) -> Answer:
    stored = robot.find_task(of.map_name, of.name)
    before, stored.picture = stored.picture, pictures.keep(robot, of.png)
    stored.revision += 1
    task_plans.save_task(robot, stored)
    pictures.forget(robot, before)
    return {"revision": stored.revision, "picture": stored.picture}
