"""What a demo robot that rides lifts is given at its first start: the maps of its building's other floors, a small task
on each floor, and a group and a schedule over all of them."""

from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, FloorTasks
from lustra.robot import buildings
from lustra.robot.duty import rooms_task
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot
from lustra.robot.store import Kept

ROOM = "Lift hall"
NAME, EARLY, DAYS = "Lift halls", "04-15", [1, 2, 3, 4, 5]


def prepare(robot: Robot) -> None:
    """Slow: the obstacles of each floor are looked at."""
    tasks = dict[str, str]()
    for building, name in buildings.floors():
        if building != robot.spec.building:
            continue
        told = buildings.floor(building, name)
        if told.name not in robot.store.maps:
            robot.store.keep_map(told)
            robot.tell_map(told)
        number = next((n for n, room in enumerate(told.free_areas) if room.name == ROOM), None)
        task = rooms_task(told, number) if number is not None else None
        if task is None:
            continue
        kept = robot.store.tasks.setdefault((told.name, task.name), Kept(task, 1))
        robot.tell_task(kept)
        tasks[told.name] = task.name
    robot.store.keep_tasks()
    units = [{"map_name": on, "task": task} for on, task in tasks.items()]
    group = Entry(TaskGroup.model_validate({"name": NAME, "tasks": units}))
    floors = [FloorTasks(map_name=on, task_list=[task]) for on, task in tasks.items()]
    timed = Entry(ElevatorTimeTask(name=NAME, start_time=EARLY, days=DAYS, floors=floors))
    robot.plans.groups.rows[NAME], robot.plans.lifts.rows[NAME] = group, timed
    robot.plans.keep()
    robot.tell_plan("group", group)
    robot.tell_plan("elevator_timetask", timed)
