"""Commands that preview, start, pause and end work."""

from lustra.protocol.payloads.base import Empty, Point
from lustra.protocol.payloads.tasks import Preview, TaskName, TaskStart
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.hours import QUIET, is_quiet
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.local_api.maps import check_inside
from lustra.robot.navigation.lattice import TOOL
from lustra.robot.plan_cache import PlanRequest
from lustra.robot.robot import Robot
from lustra.robot.schedules import schedule, sequence_runner
from lustra.robot.simulation.energy import DRAIN_CLEAN
from lustra.robot.simulation.tanks import TANK_ML

UNKNOWN_YET = {
    "path": list[Point](),
    "area": 0.0,
    "reachable": 0.0,
    "length": 0.0,
    "seconds": 0.0,
    "battery": 0.0,
    "liquid": 0.0,
    "planning": True,
}


@handles("clean_area_pre")
async def clean_area_pre(robot: Robot, payload: Preview) -> Answer:
    """The way that a task would take, and what it would need; nothing moves."""
    floor = robot.find_map(payload.map_name)
    if payload.path:
        request = PlanRequest(floor, line=tuple(robot.plans.paths[payload.path].item.path))
    elif payload.area:
        check_inside(floor, list(payload.area), "area")
        start = payload.start or robot.machine.pose.xy
        request = PlanRequest(floor, tuple(payload.area), start, payload.way)
    else:
        raise RobotRefusal(RelayCode.BAD_INPUT, "task_area_required", "Draw the area first", "area")
    work, done = await robot.planner.answer_soon(robot.planner.plan(request))
    speed = robot.machine.params[f"speed_{payload.speed}"]
    if not done:
        return UNKNOWN_YET | {"speed": speed}
    plan = work.result()
    seconds = robot.starts.seconds(plan, payload)
    return {
        "path": [[round(x, 3), round(y, 3)] for x, y in plan.path.tolist()],
        "area": round(floor.square_metres(plan.area), 2),
        "reachable": round(floor.square_metres(plan.reachable), 2),
        "length": round(plan.length, 2),
        "seconds": round(seconds, 1),
        "battery": round(seconds / 3600 * (DRAIN_CLEAN + robot.machine.utilities.expected(payload.clean_mode)), 2),
        "liquid": round(plan.length * TOOL * robot.machine.utilities.dose / TANK_ML * 100, 2),
        "speed": speed,
        "planning": False,
    }


@handles("task_start")
async def task_start(robot: Robot, of: TaskStart) -> Answer:
    """A task or, where it is named, a group of them."""
    work, done = await robot.planner.answer_soon(
        sequence_runner.start_group(robot, of.group) if of.group else sequence_runner.start_task(robot, of)
    )
    return {"run": work.result() if done else "", "planning": not done}


@handles("task_pause")
def task_pause(robot: Robot, _: Empty) -> Answer:
    robot.starts.pause()
    return {}


@handles("task_resume")
def task_resume(robot: Robot, _: Empty) -> Answer:
    """What has paused; where nothing runs, the way home that has failed."""
    if robot.trips.failed_returns and not robot.machine.run:
        robot.machine.check_ready()
        robot.trips.failed_at = 0  # it is looked at next
        robot.woken.set()
        return {}
    if robot.planner.preparation:
        robot.planner.preparation.paused = False
        return {}
    floor = robot.machine.floor
    if floor and is_quiet(floor, robot.spec.zone, now_ms()):
        raise RobotRefusal(RelayCode.CONFLICT, QUIET, "No task runs on the map at this hour")
    robot.machine.resume()
    return {}


@handles("task_cancel")
def task_cancel(robot: Robot, _: Empty) -> Answer:
    """Ends what runs and all that would follow it."""
    schedule.end_all(robot, "cancelled", now_ms())
    return {}


@handles("task_cancel_one")
def task_cancel_one(robot: Robot, of: TaskName) -> Answer:
    """Ends one task, or takes it out of what is still to do; the others go on."""
    run, work, preparation = robot.machine.run, robot.sequence, robot.planner.preparation
    if preparation and preparation.task == of.name:
        robot.planner.drop_start()
    elif run and run.task.name == of.name and of.map_name in {"", run.floor.name}:
        if work:
            work.dropped = True
        robot.machine.cancel(now_ms())
    elif not (work and work.drop(robot.find_map(of.map_name).name, of.name)):
        raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "This task is not running", "name")
    return {}


@handles("task_state")
def task_state(robot: Robot, _: Empty) -> Answer:
    state, work, preparation = robot.machine.state(0), robot.sequence, robot.planner.preparation
    follows = [{"map_name": unit.map, "name": unit.task} for unit in work.remaining] if work else []
    occurrence = work.occurrence if work else None
    return {
        "state": state.mode,
        "name": state.task or (preparation.task if preparation else ""),
        "progress": state.progress,
        "run": state.run,
        "follows": follows,
        "group": work.group if work else "",
        "schedule": occurrence.schedule if occurrence else "",
        "planning": preparation is not None,
    }
