"""Payloads of what the robot does at once: driving, stopping, finding its place."""

from typing import Literal

from pydantic import Field, field_validator

from lustra.protocol.payloads.base import Name, Payload, required

FASTEST = 0.6  # m/s by hand; a robot's own limit may be lower
QUICKEST = 1.2  # rad/s
WIDEST = 500.0  # m of a window in which the robot looks for itself


class Switch(Payload):
    """robot_safe {robot_safe}: 1 stops the robot where it is (emergency stop), 0 releases it.

    How robots below protocol 3 are released; from 3 on emergency_off does the same. It releases for whoever has
    control, and stops for everyone.
    """

    robot_safe: Literal[0, 1]

    @property
    def releases(self) -> bool:
        return not self.robot_safe


class Lock(Payload):
    """robot_lock {lock}: 1 sets the brake, 0 takes it off. What ran stays paused."""

    lock: Literal[0, 1]

    @property
    def releases(self) -> bool:
        return not self.lock


class HandMode(Payload):
    """hand_mode {mode}: 1 gives the wheels to the driver, 0 takes them back. What ran waits in either case.

    The answer's `at` is the robot's clock in ms: from it and from each that follows a driver knows how its own differs.
    """

    mode: Literal[0, 1]


class Velocity(Payload):
    """cmdvel_ctrl: so fast from now on, for no longer than the robot's patience with a silent driver.

    linear: m/s, forward positive; angular: rad/s, counter-clockwise positive. `seq` grows with each command of one
    `stream` (a name that the driver makes up each time it takes the stick); `at`: when the driver meant it, ms on the
    robot's clock. What comes late or out of turn does nothing; its refusal tells `at` too. Answer: at, linear and
    angular as the wheels turn.
    """

    linear: float = Field(ge=-FASTEST, le=FASTEST)
    angular: float = Field(ge=-QUICKEST, le=QUICKEST)
    stream: str = Field(default="", max_length=64)
    seq: int = Field(default=0, ge=0)
    at: int | None = None


class Pose(Payload):
    """point_moveto {x, y, yaw}. Without a direction it looks where it came to."""

    x: float
    y: float
    yaw: float | None = None


class Window(Payload):
    """recover_localization {x, y, w, h}: the robot looks for itself in this part of the loaded map.

    x and y are the lower left corner in m, w and h the size to the right and up.
    """

    x: float
    y: float
    w: float = Field(gt=0, le=WIDEST)
    h: float = Field(gt=0, le=WIDEST)


class PointName(Payload):
    """relocation_point {point}: the robot looks for itself round a point of the loaded map, by its name."""

    point: Name = ""

    @field_validator("point")
    @classmethod
    def named(cls, point: str) -> str:
        return required(point, "flag_name_required", "The map point needs a name")


class Reboot(Payload):
    """robot_reboot {voice 0, outage_reboot 1}: with `voice` it says so first, with `outage_reboot` the power goes, too.

    Numbers come as numbers or as text.
    """

    voice: int = Field(default=0, ge=0, le=1)
    outage_reboot: int = Field(default=1, ge=0, le=1)
