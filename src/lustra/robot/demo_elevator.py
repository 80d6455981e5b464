"""What a demo robot that rides lifts is given at its first start: the maps of its building's other floors, a small task
on each floor, and a group and a schedule over all of them."""

from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, FloorTasks
from lustra.protocol.payloads.tasks import Task
from lustra.robot import buildings
from lustra.robot.demo_cleaning import rooms_task
from lustra.robot.floor import Floor
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot
from lustra.robot.store import Kept

ROOM = "Lift hall"
NAME, EARLY, DAYS = "Lift halls", "04-15", [1, 2, 3, 4, 5]


def prepare(robot: Robot) -> None:
    """Slow: the obstacles of each floor are looked at."""
    for told in floors(robot.spec.building):
        if told.name not in robot.store.maps:
            robot.store.keep_map(told)
            robot.tell_map(told)
        if task := hall(told):
            robot.tell_task(robot.store.tasks.setdefault((told.name, task.name), Kept(task, 1)))
    robot.store.keep_tasks()
    tasks = halls(robot.spec.building)
    units = [{"map_name": on, "task": task} for on, task in tasks.items()]
    group = Entry(TaskGroup.model_validate({"name": NAME, "tasks": units}))
    timed = Entry(early(tasks))
    robot.plans.groups.rows[NAME], robot.plans.lifts.rows[NAME] = group, timed
    robot.plans.keep()
    robot.tell_plan("group", group)
    robot.tell_plan("elevator_timetask", timed)


def floors(building: str) -> list[Floor]:
    return [buildings.floor(*place) for place in buildings.floors() if place[0] == building]


def hall(told: Floor) -> Task | None:
    number = next((n for n, room in enumerate(told.free_areas) if room.name == ROOM), None)
    return rooms_task(told, number) if number is not None else None


def halls(building: str) -> dict[str, str]:
    """The task of each floor's hall, by the floor's map."""
    return {told.name: task.name for told in floors(building) if (task := hall(told))}


def early(tasks: dict[str, str]) -> ElevatorTimeTask:
    """The schedule over all floors; `tasks` by their maps."""
    stops = [FloorTasks(map_name=on, task_list=[task]) for on, task in tasks.items()]
    return ElevatorTimeTask(name=NAME, start_time=EARLY, days=DAYS, floors=stops)
