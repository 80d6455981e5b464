"""The guarded doors of the virtual buildings, shared by all robots of the process, and how a robot passes one.

Rules: a robot asks for a door so early that it finds it open, waits before one that is not open yet, and holds it while
it stands in it; driven by hand it asks for the one that it is steered to. One that does not open within a minute pauses
the run and is reported as a fault; the robot goes on requesting it, and the fault ends once the door has opened or the
path leads elsewhere.
"""

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from lustra.robot import buildings
from lustra.robot.drive import Drive
from lustra.robot.floor import Floor

if TYPE_CHECKING:
    from lustra.robot.machine import Machine

OPENS_S, CLOSES_S = 3.0, 5.0  # of the robot's own time
NEAR_M, HELD_M = 0.8, 1.5  # from a door's middle: where a closed one stops a robot, and where it holds an open one
AHEAD_S = 6.5  # own time before it is near: the door opens, and even the longest piece of a step comes too late to stop
BRAKES_S = 0.3  # of its timetable that a braking robot still drives
STEERED_M, STEERED = 2.5, math.cos(math.pi / 4)  # so near, and so straight ahead, is what a person steers to
PATIENCE_S = 60.0  # of the true clock
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
    return tuple(Door(*where) for where in buildings.guarded(building, floor))


def doors_around(around: Floor) -> tuple[Door, ...]:
    """Those of the place where a robot really is; a map of somewhere else has none, whatever it is called."""
    key = around.building, around.floor
    return doors_on_floor(*key) if key in buildings.PLANS and buildings.floor(*key) is around else ()


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


def pass_doors(m: "Machine", now: float, s: float) -> None:
    """Before a piece of `s` own seconds is driven: asks for what comes next, and bars the way while it is closed."""
    around, gate = m.surroundings, m.gate
    doors = doors_around(around) if around else ()
    if gate.through and (gate.through not in doors or distance_to(m, gate.through) > HELD_M):
        gate.through = None
    if gate.through:
        gate.through.request(now, m.factor)
    door, left_s = next_door(m, doors)
    if gate.stuck is not door:
        clear_stuck(m)
    waited, gate.barred = gate.barred, False
    if door is None or door is gate.through:
        return
    if not m.halted or gate.stuck:
        door.request(now, m.factor)
    comes = left_s < s + BRAKES_S
    if door.state(now) == "open":
        clear_stuck(m)
        gate.through = door if comes else None
        return
    gate.barred = comes
    if m.halted or not (waited and comes):
        gate.since = now
    elif now - gate.since >= PATIENCE_S:
        gate.since, gate.stuck = now, door
        if STUCK not in m.faults or (m.run and not m.paused):
            m.fault(STUCK, on=True)


def closed_when_steered(m: "Machine", now: float) -> list[Door]:
    """Asks for those that a person steers to, or stands in; which of them are not open."""
    around, speed = m.surroundings, m.hand.target[0]
    near_doors: list[Door] = []
    for door in doors_around(around) if around else ():
        apart = distance_to(m, door)
        ahead_m = (door.x - m.x) * math.cos(m.yaw) + (door.y - m.y) * math.sin(m.yaw)
        steered = apart < STEERED_M and m.hand.active and ahead_m * math.copysign(1.0, speed) > apart * STEERED
        if apart < NEAR_M or (speed and steered):
            door.request(now, m.factor)
            near_doors.append(door)
    return [door for door in near_doors if door.state(now) != "open"]


def clear_stuck(m: "Machine") -> None:
    """It has no door to complain of any more; its run goes on when somebody resumes it."""
    if m.gate.stuck:
        m.gate.stuck = None
        m.faults.pop(STUCK, None)


def next_door(m: "Machine", doors: tuple[Door, ...]) -> tuple[Door | None, float]:
    """The next door of its way and the own seconds to it, where that is near enough to ask for it."""
    leg = m.transit or (None if m.charging else m.run)
    if leg is None or not doors:
        return None, 0.0
    part = next((p for p in m.gate.approaches_along(leg.drive, doors) if p.ends > leg.t), None)
    if part is None or part.begins - leg.t >= AHEAD_S:
        return None, 0.0
    return part.door, part.begins - leg.t


def distance_to(m: "Machine", door: Door) -> float:
    return math.dist((m.x, m.y), (door.x, door.y))
