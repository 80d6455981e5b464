"""Commands that preview, start, pause and end work."""

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.tasks import Preview, TaskName, TaskStart
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import schedule, sequence_runner
from lustra.robot.energy import DRAIN_CLEAN, TANK_ML
from lustra.robot.handlers import Answer, does
from lustra.robot.hours import QUIET, quiet
from lustra.robot.lattice import TOOL
from lustra.robot.maps import within
from lustra.robot.plan_cache import Asked
from lustra.robot.robot import Robot, now_ms


@does("clean_area_pre")
async def clean_area_pre(robot: Robot, asked: Preview) -> Answer:
    """The way that a task would take, and what it would need; nothing moves."""
    told = robot.map(asked.map_name)
    if asked.path:
        question = Asked(told, line=tuple(robot.plans.paths[asked.path].what.path))
    elif asked.area:
        within(told, list(asked.area), "area")
        start = asked.start or (robot.machine.x, robot.machine.y)
        question = Asked(told, tuple(asked.area), start, asked.way)
    else:
        raise RobotRefusal(RelayCode.BAD_INPUT, "task_area_required", "Draw the area first", "area")
    plan = await robot.plan(question)
    seconds = robot.seconds(plan, asked)
    return {
        "path": [[round(x, 3), round(y, 3)] for x, y in plan.path.tolist()],
        "area": round(told.square_metres(plan.area), 2),
        "reachable": round(told.square_metres(plan.reachable), 2),
        "length": round(plan.length, 2),
        "seconds": round(seconds, 1),
        "battery": round(seconds / 3600 * (DRAIN_CLEAN + robot.machine.utilities.expected(asked.clean_mode)), 2),
        "liquid": round(plan.length * TOOL * robot.machine.dose / TANK_ML * 100, 2),
        "speed": robot.machine.params[f"speed_{asked.speed}"],
    }


@does("task_start")
async def task_start(robot: Robot, of: TaskStart) -> Answer:
    """A task or, where it is named, a group of them."""
    if of.group:
        return {"run": await sequence_runner.start_group(robot, of.group)}
    kept = robot.task(of.map_name, of.name)
    sequence_runner.free(robot)
    return {"run": (await robot.begin(kept.task)).id}


@does("task_pause")
def task_pause(robot: Robot, _: Empty) -> Answer:
    robot.machine.pause()
    return {}


@does("task_resume")
def task_resume(robot: Robot, _: Empty) -> Answer:
    """What has paused; where nothing runs, the way home that has failed."""
    if robot.astray and not robot.machine.run:
        robot.machine.ready()
        robot.stayed_at = 0  # it is looked at next
        robot.woken.set()
        return {}
    floor = robot.machine.floor
    if floor and quiet(floor, robot.spec.zone, now_ms()):
        raise RobotRefusal(RelayCode.CONFLICT, QUIET, "No task runs on the map at this hour")
    robot.machine.resume()
    return {}


@does("task_cancel")
def task_cancel(robot: Robot, _: Empty) -> Answer:
    """Ends what runs and all that would follow it."""
    schedule.end_all(robot, "cancelled", now_ms())
    return {}


@does("task_cancel_one")
def task_cancel_one(robot: Robot, of: TaskName) -> Answer:
    """Ends one task, or takes it out of what is still to do; the others go on."""
    run, work = robot.machine.run, robot.sequence
    if run and run.task.name == of.name and of.map_name in {"", run.floor.name}:
        if work:
            work.dropped = True
        robot.machine.cancel(now_ms())
    elif not (work and work.drop(robot.map(of.map_name).name, of.name)):
        raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "This task is not running", "name")
    return {}


@does("task_state")
def task_state(robot: Robot, _: Empty) -> Answer:
    told, work = robot.machine.state(0), robot.sequence
    follows = [{"map_name": unit.map, "name": unit.task} for unit in work.left] if work else []
    occurrence = work.occurrence if work else None
    return {"state": told.mode, "name": told.task, "progress": told.progress, "run": told.run, "follows": follows,
            "group": work.group if work else "", "schedule": occurrence.schedule if occurrence else ""}  # fmt: skip
