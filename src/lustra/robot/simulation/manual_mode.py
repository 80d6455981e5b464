"""A person at the wheels: taking and giving them back, driving, brake, and the line to the wheels' controller.

Rules: what ran waits until somebody resumes it; nothing moves while the stop is pressed, the brake set or the line
closed; a docked robot is one that stands on a charger, however it came there.
"""

import math

import numpy as np

from lustra.protocol.payloads.motion import Velocity
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.floor import Floor
from lustra.robot.simulation import door_passing
from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.body import Body, Pose
from lustra.robot.simulation.faults import FAULTS

TOUCH_M = 0.2  # from a charger that it stands on


def collision_floor(m: Body) -> Floor | None:
    """What it must not touch: the loaded map with all its marks, without one what its sensors meet."""
    return m.mapping.world if m.mapping else m.floor or m.environment.unmapped


def take(m: Body, *, on: bool) -> None:
    if on and collision_floor(m) is None:
        raise RobotRefusal(RelayCode.CONFLICT, "map_not_selected", "No map is loaded")
    if on and Hold.EMERGENCY in m.holds:
        raise RobotRefusal(0x0535, "0x0535", "Emergency stop is pressed")
    if on and m.ride.aboard:
        raise RobotRefusal(RelayCode.CONFLICT, "lift_riding", "The robot is in a lift")
    if on == (Hold.HAND in m.holds):
        return
    if on:
        m.stop_driving()
        if m.run:
            m.pause("0x0536")
        if m.mapping:
            m.mapping.explore = False
    m.set_hold(Hold.HAND, on=on)
    m.hand.begin(m.speed if on and m.rate else 0.0)
    m.rate = 0.0


def drive(m: Body, velocity: Velocity, now_ms: int) -> None:
    if Hold.EMERGENCY in m.holds:
        raise RobotRefusal(0x0535, "0x0535", "Emergency stop is pressed")
    if Hold.HAND not in m.holds:
        raise RobotRefusal(RelayCode.CONFLICT, "hand_mode_first", "Take the wheels first")
    if Hold.BRAKE in m.holds:
        raise RobotRefusal(RelayCode.CONFLICT, "brake_set", "The brake is set")
    if Hold.MOTOR_LINE in m.holds or any(not FAULTS[f].wheels for f in m.faults):
        raise RobotRefusal(RelayCode.CONFLICT, "wheels_dead", "The wheels do not turn")
    m.hand.max_linear, m.hand.max_angular = m.params["hand_linear"], m.params["hand_angular"]
    if not m.hand.accept(velocity, now_ms):
        raise RobotRefusal(RelayCode.LATE, "drive_late", "The command came too late", at=now_ms)


def hold_wheels(m: Body, hold: Hold, *, on: bool) -> None:
    """By the brake or the motor's line: the wheels stand at once; what ran waits."""
    if on:
        if m.run:
            m.pause()
        m.hand.stop()
    m.set_hold(hold, on=on)


def step(m: Body, now: float, s: float) -> None:
    """Lets `s` seconds pass that end at `now`, in seconds."""
    under = collision_floor(m)
    if under is None:
        return
    shut = [(door.x, door.y) for door in door_passing.closed_when_steered(m, now)]
    path = m.hand.step(s, m.pose, under, m.environment.lattice(under), shut)
    m.go_along(np.array(path)[:, :2])
    m.pose, m.speed = Pose(*path[-1]), abs(m.hand.linear)
    around = m.surroundings
    chargers = [f for f in around.flags if f.type == "charging"] if around else []
    docked = any(math.dist((f.x, f.y), m.pose.xy) < TOUCH_M for f in chargers)
    m.dock(on=docked and not m.hand.linear)
