"""Runs of the rooms of a floor, each planned and swept once: all that a made past needs of them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Flag, Mask
from lustra.protocol.payloads.tasks import Task
from lustra.robot import buildings, elevator_ride, plan_cache
from lustra.robot.demo_elevator import floors, hall
from lustra.robot.demo_schedules import rooms
from lustra.robot.drive import SPEEDS, TRANSIT, Drive, timetable
from lustra.robot.floor import Cells, Floor
from lustra.robot.lattice import TOOL
from lustra.robot.navigation import DOCK_WITHIN
from lustra.robot.planner import NoWay, plan
from lustra.robot.sweep import packed, paint

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Round:
    """A room's run from a place of its floor and back to it."""

    told: Floor
    task: Task
    out: Drive
    clean: Drive
    home: Drive
    planned: float
    reachable: float
    swept: Array  # m² that are cleaned at each corner of the clean drive
    mask: Mask
    area: Cells

    @property
    def seconds(self) -> float:
        return self.out.seconds + self.clean.seconds + self.home.seconds


@dataclass(frozen=True)
class Lift:
    """The ways between a charger and the lift next to it."""

    name: str
    there: Drive
    home: Drive


@lru_cache(maxsize=16)
def rounds(building: str, floor: str, berth: int) -> list[Round]:
    """From the charger to each room."""
    told = buildings.floor(building, floor)
    return made_rounds(told, rooms(told), buildings.charger(told, berth))


@lru_cache(maxsize=16)
def upstairs(building: str, lift: str) -> list[Round]:
    """From a lift to each hall of the building's floors that a riding robot has work in."""
    made = [made_rounds(told, [task], point) for told in floors(building)
            if (task := hall(told)) and (point := elevator_ride.point(told, lift))]  # fmt: skip
    return [one for found in made for one in found]


@lru_cache(maxsize=16)
def to_lift(building: str, floor: str, berth: int) -> Lift | None:
    told = buildings.floor(building, floor)
    dock = buildings.charger(told, berth)
    near = elevator_ride.point(told, near=(dock.x, dock.y))
    if near is None:
        return None
    there = transit(told, np.array([dock.x, dock.y]), np.array([near.x, near.y]), dock.yaw, near.yaw)
    home = transit(told, np.array([near.x, near.y]), np.array([dock.x, dock.y]), near.yaw, dock.yaw)
    return Lift(near.name, there, home) if there and home else None


def made_rounds(told: Floor, tasks: list[Task], place: Flag) -> list[Round]:
    made = [made_round(told, task, place) for task in tasks]
    return [one for one in made if one is not None]


def made_round(told: Floor, task: Task, place: Flag) -> Round | None:
    """None where the robot does not come from the place to the room and back."""
    at, start = np.array([place.x, place.y]), task.start or (place.x, place.y)
    try:
        made = plan(told, plan_cache.lattice(told), list(task.areas[0].points), start, task.route)
    except NoWay:
        return None
    out = transit(told, at, made.path[0], place.yaw)
    if out is None:
        return None
    clean = timetable(made.path, float(out.yaws[-1]), SPEEDS[task.speed])
    home = transit(told, made.path[-1], at, float(clean.yaws[-1]), place.yaw)
    if home is None:
        return None
    swept, painted = progress(told, clean, made.area)
    m2 = told.square_metres(made.area), told.square_metres(made.reachable)
    return Round(told, task, out, clean, home, *m2, swept, packed(painted), made.area)


def transit(told: Floor, a: Array, b: Array, yaw: float, last_yaw: float | None = None) -> Drive | None:
    lattice = plan_cache.lattice(told)
    begin, end = (lattice.nearest(told.to_vertices(p[None])[0], DOCK_WITHIN) for p in (a, b))
    way = lattice.way(begin, end) if begin and end else None
    if way is None:
        return None
    return timetable(np.concatenate([a[None], told.to_metres(np.array(way)), b[None]]), yaw, TRANSIT, last_yaw)


def progress(told: Floor, drive: Drive, area: Cells, until: float | None = None) -> tuple[Array, Cells]:
    """m² that are clean at each corner of the drive (up to a time), and the cells themselves."""
    painted = np.zeros(area.shape, np.bool_)
    line = told.to_vertices(drive.points if until is None else drive.line(0.0, until))
    counts = [0]
    for n in range(len(line) - 1):
        fresh = paint(painted, line[n : n + 2], TOOL / 2 / told.resolution)
        counts.append(int(np.count_nonzero(area.ravel()[fresh])))
    return np.cumsum(counts) * told.resolution**2, painted & area


def homewards(one: Round, last: float) -> Drive:
    """Back from where the run has ended."""
    if last >= one.clean.seconds:
        return one.home
    xy, yaw, _ = one.clean.poses(np.array([last]))
    return transit(one.told, xy[0], one.home.points[-1], float(yaw[0]), float(one.home.yaws[-1])) or one.home
