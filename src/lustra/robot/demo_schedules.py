"""The schedules that a demo robot has from its first start on; people may do with them as they like."""

import asyncio
import logging

import msgspec

from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.demo_cleaning import rooms_task
from lustra.robot.floor import Floor
from lustra.robot.robot import Robot
from lustra.robot.schedule import active, steps
from lustra.robot.store import Kept
from lustra.robot.tasks import changed
from lustra.robot.timetasks import elevator_timetask_add, timetask_save

log = logging.getLogger(__name__)


class Planned(msgspec.Struct, kw_only=True):
    """One schedule: times as HH:MM, days from 1 (Monday) to 7, which of the floor's rooms; `end`: the forced one.
    `lift`: the code of the lift by which it goes to the other floors that it knows, to a task on each."""

    name: str
    start: str
    days: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    rooms: tuple[int, ...] = (0,)
    end: str = ""
    lift: str = ""


def rooms(told: Floor) -> list[Task]:
    found = [rooms_task(told, number) for number in range(len(told.free_areas))]
    return [task for task in found if task is not None]


def timed(planned: Planned, told: Floor, known: list[Task]) -> TimeTask:
    """Of the floor's own rooms; there must be one."""
    chosen = list(dict.fromkeys(known[number % len(known)].name for number in planned.rooms))
    forced = {"forced_end": 1, "end_time": planned.end} if planned.end else {}
    what = {"name": planned.name, "map_name": told.name, "task_list": chosen, "start_time": planned.start}
    return TimeTask.model_validate(what | forced | {"days": list(planned.days)})


def over_floors(planned: Planned, away: dict[str, str]) -> ElevatorTimeTask:
    """To the other floors; `away`: a task on each, by its map."""
    floors = [{"map_name": on, "task_list": [task]} for on, task in away.items()]
    what = {"name": planned.name, "elevator_id": planned.lift, "floors": floors, "start_time": planned.start}
    return ElevatorTimeTask.model_validate(what | {"days": list(planned.days)})


async def prepare(robot: Robot, week: list[Planned]) -> None:
    told = robot.machine.floor
    if told is None or not week:
        return
    known = await asyncio.to_thread(rooms, told)
    away = {kept.task.map_name: kept.task for key, kept in robot.store.tasks.items() if key[0] != told.name}
    for planned in week if known else ():
        if planned.lift:
            if away:
                elevator_timetask_add(robot, over_floors(planned, {on: task.name for on, task in away.items()}))
            continue
        what = timed(planned, told, known)
        for task in known:
            if task.name in what.task_list:
                await reckoned(robot, task)
        timetask_save(robot, what)
    for _, what in active(robot):
        for unit in steps(what):
            await reckoned(robot, robot.task(unit.map, unit.task).task)


async def reckoned(robot: Robot, task: Task) -> None:
    """The task as the robot keeps one that somebody has drawn: with what it cleans and how long that takes."""
    kept = robot.store.tasks.get((task.map_name, task.name)) or Kept(task, 0)
    if kept.seconds:
        return
    try:
        plan = await robot.plan(robot.asked(kept.task))
    except RobotRefusal as why:
        log.info("%s: %s: %s", robot.spec.sn, task.name, why.msg)
        return
    kept.reachable = robot.map(task.map_name).square_metres(plan.reachable)
    kept.seconds, kept.revision = robot.seconds(plan, kept.task), kept.revision + 1
    changed(robot, kept)
