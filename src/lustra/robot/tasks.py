"""Commands about tasks: what the robot refuses, the console and the relay refuse in the same words."""

from typing import Any

from lustra.protocol.payloads.base import Empty, OfMap
from lustra.protocol.payloads.tasks import Preview, Task, TaskName
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.drive import SPEEDS
from lustra.robot.energy import DRAIN_CLEAN, TANK_ML
from lustra.robot.handlers import Answer, does
from lustra.robot.lattice import TOOL
from lustra.robot.maps import within
from lustra.robot.robot import Robot, now_ms
from lustra.robot.run import ML_PER_M2, timed
from lustra.robot.store import Kept


def rows(robot: Robot, of: OfMap) -> list[dict[str, Any]]:
    """All tasks, or those of one map."""
    name = robot.map(of.map_name).name if of.map_name else ""
    return [kept.told() for key, kept in robot.store.tasks.items() if not name or key[0] == name]


@does("task_list")
def task_list(robot: Robot, of: OfMap) -> Answer:
    return {"task_list": rows(robot, of)}


@does("task_info")
def task_info(robot: Robot, of: OfMap) -> Answer:
    return {"task_info": rows(robot, of)}


@does("task_add")
async def task_add(robot: Robot, task: Task) -> Answer:
    """A new task; with the revision that it is based on, the change of a known one."""
    told = robot.map(task.map_name)
    ring = list(task.areas[0].points)
    within(told, ring, "areas")
    start = task.start or ring[0]
    within(told, [start], "start")
    if task.task_mode != "normal":
        raise RobotRefusal(
            RelayCode.BAD_INPUT, "task_mode_unsupported", "This robot does not drive edge tasks yet", "task_mode"
        )
    key = (told.name, task.name)
    known = robot.store.tasks.get(key)
    if known and task.revision is None:
        raise RobotRefusal(RelayCode.CONFLICT, "task_same_name", "There is a task of this name", "name")
    robot.based_on(task.revision, known.revision if known else task.revision or 0)
    run = robot.machine.run
    if known and run and (run.floor.name, run.task.name) == key:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task is running", "name")
    plan = await robot.plan(told, ring, start, task.route)
    kept = Kept(task, (known.revision if known else 0) + 1, told.square_metres(plan.reachable))
    robot.store.tasks[key] = kept
    robot.store.keep_tasks()
    robot.tell_task(kept)
    return {"revision": kept.revision, "reachable": round(kept.reachable, 2)}


@does("task_del")
def task_del(robot: Robot, of: TaskName) -> Answer:
    kept = robot.task(of.map_name, of.name)
    key = (kept.task.map_name, kept.task.name)
    run = robot.machine.run
    if run and (run.floor.name, run.task.name) == key:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "The task is running", "name")
    del robot.store.tasks[key]
    robot.store.keep_tasks()
    robot.outbox.event("task", f"{key[0]}/{key[1]}", kept.revision + 1, deleted=True)
    return {}


@does("clean_area_pre")
async def clean_area_pre(robot: Robot, asked: Preview) -> Answer:
    """The way that a task would take, and what it would need; nothing moves."""
    told = robot.map(asked.map_name)
    if not asked.area:
        raise RobotRefusal(RelayCode.BAD_INPUT, "task_area_required", "Draw the area first", "area")
    within(told, list(asked.area), "area")
    start = asked.start or (robot.machine.x, robot.machine.y)
    plan = await robot.plan(told, list(asked.area), start, asked.route)
    seconds = timed(plan, "middle", 0.0).seconds
    return {
        "path": [[round(x, 3), round(y, 3)] for x, y in plan.path.tolist()],
        "area": round(told.square_metres(plan.area), 2),
        "reachable": round(told.square_metres(plan.reachable), 2),
        "length": round(plan.length, 2),
        "seconds": round(seconds, 1),
        "battery": round(seconds / 3600 * DRAIN_CLEAN, 2),
        "liquid": round(plan.length * TOOL * ML_PER_M2 / TANK_ML * 100, 2),
        "speed": SPEEDS["middle"],
    }


@does("task_start")
async def task_start(robot: Robot, of: TaskName) -> Answer:
    await robot.begin(robot.task(of.map_name, of.name).task)
    run = robot.machine.run
    return {"run": run.id if run else ""}


@does("task_pause")
def task_pause(robot: Robot, _: Empty) -> Answer:
    robot.machine.pause()
    return {}


@does("task_resume")
def task_resume(robot: Robot, _: Empty) -> Answer:
    robot.machine.resume()
    return {}


@does("task_cancel")
def task_cancel(robot: Robot, _: Empty) -> Answer:
    robot.machine.cancel(now_ms())
    return {}


@does("task_cancel_one")
def task_cancel_one(robot: Robot, of: TaskName) -> Answer:
    run = robot.machine.run
    if not run or run.task.name != of.name:
        raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "This task is not running", "name")
    robot.machine.cancel(now_ms())
    return {}


@does("task_state")
def task_state(robot: Robot, _: Empty) -> Answer:
    told = robot.machine.state(0)
    return {"state": told.mode, "name": told.task, "progress": told.progress, "run": told.run}
