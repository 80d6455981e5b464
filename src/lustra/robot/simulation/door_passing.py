"""How a robot passes the guarded doors on its way (the rules stand in doors.py)."""

import math

from lustra.robot.simulation.body import Body
from lustra.robot.simulation.doors import NEAR_M, STUCK, Door, doors_around

HELD_M = 1.5  # from a door's middle, where a robot holds an open one
AHEAD_S = 6.5  # own time before it is near: the door opens, and even the longest piece of a step comes too late to stop
BRAKES_S = 0.3  # of its timetable that a braking robot still drives
# So near, and so straight ahead, is what a person steers to.
STEERED_M = 2.5
STEERED = math.cos(math.pi / 4)
PATIENCE_S = 60.0  # of the true clock


def pass_doors(m: Body, now: float, s: float) -> None:
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


def closed_when_steered(m: Body, now: float) -> list[Door]:
    """Asks for those that a person steers to, or stands in; which of them are not open."""
    around, speed = m.surroundings, m.hand.target[0]
    near_doors: list[Door] = []
    for door in doors_around(around) if around else ():
        apart = distance_to(m, door)
        ahead_m = (door.x - m.pose.x) * math.cos(m.pose.yaw) + (door.y - m.pose.y) * math.sin(m.pose.yaw)
        steered = apart < STEERED_M and m.hand.active and ahead_m * math.copysign(1.0, speed) > apart * STEERED
        if apart < NEAR_M or (speed and steered):
            door.request(now, m.factor)
            near_doors.append(door)
    return [door for door in near_doors if door.state(now) != "open"]


def clear_stuck(m: Body) -> None:
    """It has no door to complain of any more; its run goes on when somebody resumes it."""
    if m.gate.stuck:
        m.gate.stuck = None
        m.faults.pop(STUCK, None)


def next_door(m: Body, doors: tuple[Door, ...]) -> tuple[Door | None, float]:
    """The next door of its way and the own seconds to it, where that is near enough to ask for it."""
    leg = m.leg
    if leg is None or not doors:
        return None, 0.0
    part = next((p for p in m.gate.approaches_along(leg.drive, doors) if p.ends > leg.t), None)
    if part is None or part.begins - leg.t >= AHEAD_S:
        return None, 0.0
    return part.door, part.begins - leg.t


def distance_to(m: Body, door: Door) -> float:
    return math.dist(m.pose.xy, (door.x, door.y))
