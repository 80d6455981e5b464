"""The guarded doors of the virtual buildings, shared by all robots of the process, and how a robot passes one.

Rules: a robot asks for a door so early that it finds it open, waits before one that is not open yet, and holds it while
it stands in it; driven by hand it asks for the one that it is steered to. One that does not open within a minute pauses
the run and is told; the robot asks on, and says it no more once the door has opened or its way leads elsewhere.
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
    """Closed, opening, open, and closed again a while after nobody has asked any more; seconds are told to it."""

    name: str
    x: float
    y: float
    jammed: bool = False  # it stays closed
    began: float = -math.inf  # s, when it began to open
    wanted: float = -math.inf  # s, when it was asked for last
    factor: float = 1.0  # of the robot that asked

    def ask(self, now: float, factor: float = 1.0) -> None:
        """To ask again, or for an open door, keeps it open."""
        if self.state(now) == "closed" or self.began > now:  # a clock that was set back does not keep it shut
            self.began = now
        self.wanted, self.factor = now, factor

    def state(self, now: float) -> Literal["closed", "opening", "open"]:
        opened = self.began + OPENS_S / self.factor
        if self.jammed or now > max(self.wanted, opened) + CLOSES_S / self.factor:
            return "closed"
        return "opening" if now < opened else "open"


@cache
def standing(building: str, floor: str) -> tuple[Door, ...]:
    return tuple(Door(*where) for where in buildings.guarded(building, floor))


def of(around: Floor) -> tuple[Door, ...]:
    """Those of the place where a robot really is; a map of somewhere else has none, whatever it is called."""
    key = around.building, around.floor
    return standing(*key) if key in buildings.PLANS and buildings.floor(*key) is around else ()


def jam(around: Floor | None, *, on: bool) -> None:
    for door in of(around) if around else ():
        door.jammed = on


@dataclass(frozen=True)
class Near:
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
    known: list[tuple[Drive, list[Near]]] = field(default_factory=list[tuple[Drive, list[Near]]])

    def along(self, drive: Drive, doors: tuple[Door, ...]) -> list[Near]:
        """Worked out once for a drive; the run's and the one under way are kept."""
        for one, parts in self.known:
            if one is drive:
                return parts
        self.known = [*self.known[-1:], (drive, found := near(drive, doors))]
        return found


def near(drive: Drive, doors: tuple[Door, ...]) -> list[Near]:
    t = np.append(np.arange(0.0, drive.seconds, LOOK_S), drive.seconds)
    xy = drive.poses(t)[0]
    parts: list[Near] = []
    for door in doors:
        off = np.hypot(xy[:, 0] - door.x, xy[:, 1] - door.y)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], off <= NEAR_M, [False]]))).reshape(-1, 2)
        closest = [(a, a + int(off[a:b].argmin())) for a, b in edges]
        parts += [Near(door, float(t[a]), float(t[c])) for a, c in closest if c > a and off[c] <= THROUGH_M]
    return sorted(parts, key=lambda part: part.begins)


def heed(m: "Machine", now: float, s: float) -> None:
    """Before a piece of `s` own seconds is driven: asks for what comes next, and bars the way while it is closed."""
    around, gate = m.surroundings, m.gate
    there = of(around) if around else ()
    if gate.through and (gate.through not in there or far(m, gate.through) > HELD_M):
        gate.through = None
    if gate.through:
        gate.through.ask(now, m.factor)
    door, left_s = ahead(m, there)
    if gate.stuck is not door:
        relieved(m)
    waited, gate.barred = gate.barred, False
    if door is None or door is gate.through:
        return
    if not m.halted or gate.stuck:
        door.ask(now, m.factor)
    comes = left_s < s + BRAKES_S
    if door.state(now) == "open":
        relieved(m)
        gate.through = door if comes else None
        return
    gate.barred = comes
    if m.halted or not (waited and comes):
        gate.since = now
    elif now - gate.since >= PATIENCE_S:
        gate.since, gate.stuck = now, door
        if STUCK not in m.faults or (m.run and not m.paused):
            m.fault(STUCK, on=True)


def by_hand(m: "Machine", now: float) -> list[Door]:
    """Asks for those that a person steers to, or stands in; which of them are not open."""
    around, wish = m.surroundings, m.hand.wanted[0]
    asked: list[Door] = []
    for door in of(around) if around else ():
        apart = far(m, door)
        ahead_m = (door.x - m.x) * math.cos(m.yaw) + (door.y - m.y) * math.sin(m.yaw)
        steered = apart < STEERED_M and m.hand.attentive and ahead_m * math.copysign(1.0, wish) > apart * STEERED
        if apart < NEAR_M or (wish and steered):
            door.ask(now, m.factor)
            asked.append(door)
    return [door for door in asked if door.state(now) != "open"]


def relieved(m: "Machine") -> None:
    """It has no door to complain of any more; its run goes on when somebody resumes it."""
    if m.gate.stuck:
        m.gate.stuck = None
        m.faults.pop(STUCK, None)


def ahead(m: "Machine", doors: tuple[Door, ...]) -> tuple[Door | None, float]:
    """The next door of its way and the own seconds to it, where that is near enough to ask for it."""
    leg = m.transit or (None if m.charging else m.run)
    if leg is None or not doors:
        return None, 0.0
    part = next((p for p in m.gate.along(leg.drive, doors) if p.ends > leg.t), None)
    if part is None or part.begins - leg.t >= AHEAD_S:
        return None, 0.0
    return part.door, part.begins - leg.t


def far(m: "Machine", door: Door) -> float:
    return math.dist((m.x, m.y), (door.x, door.y))
