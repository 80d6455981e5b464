"""What the planner says of a task that the robot keeps: how much of it can be reached and how long that takes, or why
no way was found. It is no change of the task, so its revision stays."""

import asyncio
from functools import partial

from lustra.protocol.refusals import RobotRefusal
from lustra.robot.navigation.planner import Plan
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask


def set_plan(robot: Robot, stored: StoredTask, plan: Plan) -> None:
    floor = robot.find_map(stored.task.map_name)
    stored.reachable, stored.seconds = floor.square_metres(plan.reachable), robot.starts.seconds(plan, stored.task)
    stored.planning, stored.reason = False, ""


def save_task(robot: Robot, stored: StoredTask) -> None:
    robot.store.tasks[stored.task.map_name, stored.task.name] = stored
    robot.store.save_tasks()
    robot.mirror.announce_task(stored)


def follow_up(robot: Robot, stored: StoredTask, work: "asyncio.Task[Plan]") -> None:
    """Notes that the task's way is being planned, and announces the result when it is there."""
    stored.planning = True
    work.add_done_callback(partial(finish, robot, stored))


def finish(robot: Robot, stored: StoredTask, work: "asyncio.Task[Plan]") -> None:
    """Of a task that was deleted or changed meanwhile nothing is said."""
    if work.cancelled() or not any(known is stored for known in robot.store.tasks.values()):
        return
    try:
        set_plan(robot, stored, work.result())
    except RobotRefusal as why:
        stored.planning, stored.reason = False, why.reason
    save_task(robot, stored)


async def plan_unfinished(robot: Robot) -> None:
    """Tasks whose way was being planned when the robot's power went."""
    for stored in [stored for stored in robot.store.tasks.values() if stored.planning]:
        work = asyncio.create_task(robot.planner.plan(robot.starts.plan_request(stored.task)))
        follow_up(robot, stored, work)
        await asyncio.wait({work})
