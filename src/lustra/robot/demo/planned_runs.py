"""Runs of the rooms of a floor, each planned and swept once: all that a made past needs of them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Flag, Mask
from lustra.protocol.masks import pack_mask
from lustra.protocol.payloads.tasks import Task
from lustra.robot import plan_cache
from lustra.robot.buildings import catalogue
from lustra.robot.demo.elevator import building_floors, hall_task
from lustra.robot.demo.schedules import room_tasks
from lustra.robot.elevators import elevator_ride
from lustra.robot.maps.floor import Cells, Floor
from lustra.robot.navigation.drive import SPEEDS, TRANSIT, Drive, timetable
from lustra.robot.navigation.lattice import TOOL
from lustra.robot.navigation.planner import NoPath, plan
from lustra.robot.navigation.sweep import paint
from lustra.robot.simulation.goals import DOCK_WITHIN

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlannedRun:
    """A room's run from a place of its floor and back to it."""

    floor: Floor
    task: Task
    out: Drive
    clean: Drive
    home: Drive
    planned: float
    reachable: float
    swept: Array  # m² that are cleaned at each corner of the clean drive
    mask: Mask
    missed: Mask
    unreachable: Mask
    area: Cells
    reach: Cells

    @property
    def seconds(self) -> float:
        return self.out.seconds + self.clean.seconds + self.home.seconds


@dataclass(frozen=True)
class ElevatorTransfer:
    """The drives between a charger and the elevator next to it."""

    name: str
    outbound: Drive
    back: Drive


@lru_cache(maxsize=16)
def runs_from_charger(building: str, floor: str, berth: int) -> list[PlannedRun]:
    """From the charger to each room."""
    floor_map = catalogue.floor(building, floor)
    return plan_runs(floor_map, room_tasks(floor_map), catalogue.charger(floor_map, berth))


@lru_cache(maxsize=16)
def runs_from_elevator(building: str, elevator: str) -> list[PlannedRun]:
    """From an elevator to each hall of the building's floors that a riding robot has work in."""
    lists = [
        plan_runs(floor_map, [task], point)
        for floor_map in building_floors(building)
        if (task := hall_task(floor_map)) and (point := elevator_ride.elevator_point(floor_map, elevator))
    ]
    return [planned for runs in lists for planned in runs]


@lru_cache(maxsize=16)
def elevator_transfer(building: str, floor: str, berth: int) -> ElevatorTransfer | None:
    floor_map = catalogue.floor(building, floor)
    dock = catalogue.charger(floor_map, berth)
    near = elevator_ride.elevator_point(floor_map, near=(dock.x, dock.y))
    if near is None:
        return None
    outbound = transit(floor_map, np.array([dock.x, dock.y]), np.array([near.x, near.y]), dock.yaw, near.yaw)
    back = transit(floor_map, np.array([near.x, near.y]), np.array([dock.x, dock.y]), near.yaw, dock.yaw)
    return ElevatorTransfer(near.name, outbound, back) if outbound and back else None


def plan_runs(floor: Floor, tasks: list[Task], place: Flag) -> list[PlannedRun]:
    runs = [plan_run(floor, task, place) for task in tasks]
    return [planned for planned in runs if planned is not None]


def plan_run(floor: Floor, task: Task, place: Flag) -> PlannedRun | None:
    """None where the robot does not come from the place to the room and back."""
    at, start = np.array([place.x, place.y]), task.start or (place.x, place.y)
    try:
        coverage = plan(floor, plan_cache.lattice(floor), list(task.areas[0].points), start, task.route)
    except NoPath:
        return None
    out = transit(floor, at, coverage.path[0], place.yaw)
    if out is None:
        return None
    clean = timetable(coverage.path, float(out.yaws[-1]), SPEEDS[task.speed])
    home = transit(floor, coverage.path[-1], at, float(clean.yaws[-1]), place.yaw)
    if home is None:
        return None
    swept, painted = cleaning_progress(floor, clean, coverage.area)
    area, reach = coverage.area, coverage.reachable
    m2 = floor.square_metres(area), floor.square_metres(reach)
    mask, missed = pack_mask(painted), pack_mask(reach & ~painted)
    beyond = pack_mask(area & ~reach & ~painted)
    return PlannedRun(floor, task, out, clean, home, *m2, swept, mask, missed, beyond, area, reach)


def transit(floor: Floor, a: Array, b: Array, yaw: float, last_yaw: float | None = None) -> Drive | None:
    lattice = plan_cache.lattice(floor)
    begin, end = (lattice.nearest(floor.to_vertices(p[None])[0], DOCK_WITHIN) for p in (a, b))
    path = lattice.path(begin, end) if begin and end else None
    if path is None:
        return None
    return timetable(np.concatenate([a[None], floor.to_metres(np.array(path)), b[None]]), yaw, TRANSIT, last_yaw)


def cleaning_progress(floor: Floor, drive: Drive, area: Cells, until: float | None = None) -> tuple[Array, Cells]:
    """m² that are clean at each corner of the drive (up to a time), and the cells themselves."""
    painted = np.zeros(area.shape, np.bool_)
    line = floor.to_vertices(drive.points if until is None else drive.line(0.0, until))
    counts = [0]
    for n in range(len(line) - 1):
        fresh = paint(painted, line[n : n + 2], TOOL / 2 / floor.resolution)
        counts.append(int(np.count_nonzero(area.ravel()[fresh])))
    return np.cumsum(counts) * floor.resolution**2, painted & area


def return_drive(planned: PlannedRun, last: float) -> Drive:
    """Back from where the run has ended."""
    if last >= planned.clean.seconds:
        return planned.home
    xy, yaw, _ = planned.clean.poses(np.array([last]))
    return (
        transit(planned.floor, xy[0], planned.home.points[-1], float(yaw[0]), float(planned.home.yaws[-1]))
        or planned.home
    )
