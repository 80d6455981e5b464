"""The schedules that a demo robot has from its first start on; people may do with them as they like."""

import asyncio
import logging

import msgspec

from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.demo.cleaning import room_task
from lustra.robot.local_api.timetasks import check_floors, check_map, save
from lustra.robot.maps.floor import Floor
from lustra.robot.robot import Robot
from lustra.robot.schedules.schedule import enabled_items, schedule_units
from lustra.robot.store import StoredTask
from lustra.robot.task_plans import save_task

log = logging.getLogger(__name__)


class Planned(msgspec.Struct, kw_only=True):
    """One schedule: times as HH:MM, days from 1 (Monday) to 7, which of the floor's rooms; `end`: the forced one.
    `elevator`: the code of the one by which it goes to the other floors that it knows, to a task on each."""

    name: str
    start: str
    days: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    rooms: tuple[int, ...] = (0,)
    end: str = ""
    elevator: str = ""


def room_tasks(floor: Floor) -> list[Task]:
    tasks = [room_task(floor, number) for number in range(len(floor.free_areas))]
    return [task for task in tasks if task is not None]


def single_floor_schedule(planned: Planned, floor: Floor, known: list[Task]) -> TimeTask:
    """Of the floor's own rooms; there must be one."""
    chosen = list(dict.fromkeys(known[number % len(known)].name for number in planned.rooms))
    forced = {"forced_end": 1, "end_time": planned.end} if planned.end else {}
    fields = {"name": planned.name, "map_name": floor.name, "task_list": chosen, "start_time": planned.start}
    return TimeTask.model_validate(fields | forced | {"days": list(planned.days)})


def multi_floor_schedule(planned: Planned, away: dict[str, str]) -> ElevatorTimeTask:
    """To the other floors; `away`: a task on each, by its map."""
    floors = [{"map_name": on, "task_list": [task]} for on, task in away.items()]
    fields = {"name": planned.name, "elevator_id": planned.elevator, "floors": floors, "start_time": planned.start}
    return ElevatorTimeTask.model_validate(fields | {"days": list(planned.days)})


async def add_schedules(robot: Robot, week: list[Planned]) -> None:
    floor = robot.machine.floor
    if floor is None or not week:
        return
    tasks = await asyncio.to_thread(room_tasks, floor)
    away = {stored.task.map_name: stored.task for key, stored in robot.store.tasks.items() if key[0] != floor.name}
    for planned in week if tasks else ():
        if planned.elevator:
            if away:
                item = multi_floor_schedule(planned, {on: task.name for on, task in away.items()})
                save(robot, "elevator_timetask", check_floors(robot, item), new=True)
            continue
        item = single_floor_schedule(planned, floor, tasks)
        for task in tasks:
            if task.name in item.task_list:
                await plan_task(robot, task)
        save(robot, "timetask", check_map(robot, item), new=True)
    for _, item in enabled_items(robot):
        for unit in schedule_units(item):
            await plan_task(robot, robot.find_task(unit.map, unit.task).task)


async def plan_task(robot: Robot, task: Task) -> None:
    """The task as the robot keeps one that somebody has drawn: with what it cleans and how long that takes."""
    stored = robot.store.tasks.get((task.map_name, task.name)) or StoredTask(task, 0)
    if stored.seconds:
        return
    try:
        plan = await robot.planner.plan(robot.starts.plan_request(stored.task))
    except RobotRefusal as why:
        log.info("%s: %s: %s", robot.spec.sn, task.name, why.msg)
        return
    stored.reachable = robot.find_map(task.map_name).square_metres(plan.reachable)
    stored.seconds, stored.revision = robot.starts.seconds(plan, stored.task), stored.revision + 1
    save_task(robot, stored)
