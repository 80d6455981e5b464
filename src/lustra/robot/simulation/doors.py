"""The guarded doors of the virtual buildings, shared by all robots of the process, and how a robot passes one.

Rules: a robot asks for a door so early that it finds it open, waits before one that is not open yet, and holds it while
it stands in it; driven by hand it asks for the one that it is steered to. One that does not open within a minute pauses
the run and is reported as a fault; the robot goes on requesting it, and the fault ends once the door has opened or the
path leads elsewhere.
"""

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import numpy as np

from lustra.robot.buildings import catalogue
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.drive import Drive

# Of the robot's own time.
OPENS_S = 3.0
CLOSES_S = 5.0
NEAR_M = 0.8  # from a door's middle, where a closed one stops a robot
THROUGH_M = 0.5  # a way that comes no nearer passes the door by
LOOK_S = 0.25  # between two looks along a drive
STUCK = "door_stuck"


@dataclass
class Door:
    """Closed, opening, open, and closed again a while after the last request. It has no clock: `now` is given."""

    name: str
    x: float
    y: float
    jammed: bool = False  # it stays closed
    began: float = -math.inf  # s, when it began to open
    requested_at: float = -math.inf  # s, when it was requested last
    factor: float = 1.0  # of the robot that asked

    def request(self, now: float, factor: float = 1.0) -> None:
        """To ask again, or for an open door, keeps it open."""
        if self.state(now) == "closed" or self.began > now:  # a clock that was set back does not keep it shut
            self.began = now
        self.requested_at, self.factor = now, factor

    def state(self, now: float) -> Literal["closed", "opening", "open"]:
        opened = self.began + OPENS_S / self.factor
        if self.jammed or now > max(self.requested_at, opened) + CLOSES_S / self.factor:
            return "closed"
        return "opening" if now < opened else "open"


@cache
def doors_on_floor(building: str, floor: str) -> tuple[Door, ...]:
    return tuple(Door(*where) for where in catalogue.guarded(building, floor))


def doors_around(around: Floor) -> tuple[Door, ...]:
    """Those of the place where a robot really is; a map of somewhere else has none, whatever it is called."""
    key = around.building, around.floor
    return doors_on_floor(*key) if key in catalogue.PLANS and catalogue.floor(*key) is around else ()


def jam(around: Floor | None, *, on: bool) -> None:
    for door in doors_around(around) if around else ():
        door.jammed = on


@dataclass(frozen=True)
class Approach:
    """A part of a drive that comes near a door and up to it, in s of its timetable; what leads away needs no door."""

    door: Door
    begins: float
    ends: float


@dataclass
class Gate:
    """How a robot stands with the doors on its way."""

    barred: bool = False  # the next one is not open
    through: Door | None = None  # that it goes through, or stands in
    stuck: Door | None = None  # that it has given up
    since: float = 0.0  # s, when it began to wait
    cache: list[tuple[Drive, list[Approach]]] = field(default_factory=list[tuple[Drive, list[Approach]]])

    def approaches_along(self, drive: Drive, doors: tuple[Door, ...]) -> list[Approach]:
        """Worked out once for a drive; the run's and the one under way are kept."""
        for cached, parts in self.cache:
            if cached is drive:
                return parts
        new = approaches(drive, doors)
        self.cache = [*self.cache[-1:], (drive, new)]
        return new


def approaches(drive: Drive, doors: tuple[Door, ...]) -> list[Approach]:
    t = np.append(np.arange(0.0, drive.seconds, LOOK_S), drive.seconds)
    xy = drive.poses(t)[0]
    parts: list[Approach] = []
    for door in doors:
        off = np.hypot(xy[:, 0] - door.x, xy[:, 1] - door.y)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], off <= NEAR_M, [False]]))).reshape(-1, 2)
        closest = [(a, a + int(off[a:b].argmin())) for a, b in edges]
        parts += [Approach(door, float(t[a]), float(t[c])) for a, c in closest if c > a and off[c] <= THROUGH_M]
    return sorted(parts, key=lambda part: part.begins)
