"""What a demo robot that rides elevators is given at its first start: the maps of its building's other floors, a small
task on each floor, and a group and a schedule over all of them."""

from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, FloorTasks
from lustra.protocol.payloads.tasks import Task
from lustra.robot.buildings import catalogue
from lustra.robot.demo.cleaning import room_task
from lustra.robot.maps.floor import Floor
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask

ROOM = "Lift hall"
NAME = "Lift halls"
EARLY = "04-15"
DAYS = [1, 2, 3, 4, 5]


def add_elevator_work(robot: Robot) -> None:
    """Maps, tasks and a schedule over all floors of the building. Slow: each floor is searched for places to clean."""
    for floor in building_floors(robot.spec.building):
        if floor.name not in robot.store.maps:
            robot.store.save_map(floor)
            robot.mirror.announce_map(floor)
        if task := hall_task(floor):
            robot.mirror.announce_task(robot.store.tasks.setdefault((floor.name, task.name), StoredTask(task, 1)))
    robot.store.save_tasks()
    tasks = hall_tasks(robot.spec.building)
    units = [{"map_name": on, "task": task} for on, task in tasks.items()]
    group = Entry(TaskGroup.model_validate({"name": NAME, "tasks": units}))
    timed = Entry(early_schedule(tasks))
    robot.plans.groups.rows[NAME], robot.plans.elevator_timetasks.rows[NAME] = group, timed
    robot.plans.save()
    robot.mirror.announce_plan("group", group)
    robot.mirror.announce_plan("elevator_timetask", timed)


def building_floors(building: str) -> list[Floor]:
    return [catalogue.floor(*place) for place in catalogue.floors() if place[0] == building]


def hall_task(floor: Floor) -> Task | None:
    number = next((n for n, room in enumerate(floor.free_areas) if room.name == ROOM), None)
    return room_task(floor, number) if number is not None else None


def hall_tasks(building: str) -> dict[str, str]:
    """The task of each floor's hall, by the floor's map."""
    return {floor.name: task.name for floor in building_floors(building) if (task := hall_task(floor))}


def early_schedule(tasks: dict[str, str]) -> ElevatorTimeTask:
    """The schedule over all floors; `tasks` by their maps."""
    stops = [FloorTasks(map_name=on, task_list=[task]) for on, task in tasks.items()]
    return ElevatorTimeTask(name=NAME, start_time=EARLY, days=DAYS, floors=stops)
