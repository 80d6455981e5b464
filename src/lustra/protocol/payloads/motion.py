"""Payloads of what the robot does at once: driving, stopping, finding its place."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import Name, Payload, X, Y, required

FASTEST = 0.6  # m/s by hand; a robot's own limit may be lower
QUICKEST = 1.2  # rad/s
WIDEST = 500.0  # m of a window in which the robot looks for itself


class Switch(Payload):
    """robot_safe {robot_safe}: 1 stops the robot where it is (emergency stop), 0 releases it.

    How robots below protocol 3 are released; from 3 on emergency_off does the same. It releases for whoever has
    control, and stops for everyone.
    """

    robot_safe: Annotated[Literal[0, 1], doc("1 stops it where it is, 0 releases it.")]

    @property
    def releases(self) -> bool:
        return not self.robot_safe


class Lock(Payload):
    """robot_lock {lock}: 1 sets the brake, 0 takes it off. What ran stays paused."""

    lock: Annotated[Literal[0, 1], doc("1 sets the brake, 0 takes it off.")]

    @property
    def releases(self) -> bool:
        return not self.lock


class HandMode(Payload):
    """hand_mode {mode}: 1 gives the wheels to the driver, 0 takes them back. What ran waits in either case.

    The answer's `at` is the robot's clock in ms: from it and from each that follows a driver knows how its own differs.
    """

    mode: Annotated[Literal[0, 1], doc("1 gives the wheels to the driver, 0 takes them back.")]


class Velocity(Payload):
    """cmdvel_ctrl: so fast from now on, for no longer than the robot's patience with a silent driver.

    What comes late or out of turn does nothing; its refusal tells the robot's clock as `at`, too.
    """

    linear: Annotated[float, Field(ge=-FASTEST, le=FASTEST), doc("Speed, m/s, -0.6 to 0.6; forward is positive.")]
    angular: Annotated[
        float, Field(ge=-QUICKEST, le=QUICKEST), doc("Turn rate, rad/s, -1.2 to 1.2; against the clock is positive.")
    ]
    stream: Annotated[
        str,
        Field(max_length=64),
        doc("Name that the driver makes up each time it takes the stick, at most 64 letters."),
    ] = ""
    seq: Annotated[int, Field(ge=0), doc("Grows with each command of one stream, from 0.")] = 0
    at: Annotated[int | None, doc("When the driver meant it, ms on the robot's clock; null: now.")] = None


class Pose(Payload):
    """point_moveto {x, y, yaw}: where it is to drive."""

    x: X
    y: Y
    yaw: Annotated[
        float | None, doc("Heading when it is there, rad, against the clock from the x axis; null: as it came.")
    ] = None


class Window(Payload):
    """recover_localization {x, y, w, h}: the robot looks for itself in this part of the loaded map."""

    x: Annotated[float, doc("Left edge in the map's frame, m.")]
    y: Annotated[float, doc("Lower edge in the map's frame, m.")]
    w: Annotated[float, Field(gt=0, le=WIDEST), doc("Width, to the right, m; above 0, at most 500.")]
    h: Annotated[float, Field(gt=0, le=WIDEST), doc("Height, up, m; above 0, at most 500.")]


class PointName(Payload):
    """relocation_point {point}: the robot looks for itself round a point of the loaded map, by its name."""

    point: Annotated[Name, doc("Name of a point of the loaded map.")] = ""

    @field_validator("point")
    @classmethod
    def named(cls, point: str) -> str:
        return required(point, "flag_name_required", "The map point needs a name")


class Reboot(Payload):
    """robot_reboot {voice 0, outage_reboot 1}: with `voice` it says so first, with `outage_reboot` the power goes, too.

    Numbers come as numbers or as text.
    """

    voice: Annotated[int, Field(ge=0, le=1), doc("1: it says so first.")] = 0
    outage_reboot: Annotated[int, Field(ge=0, le=1), doc("1: the power goes, too.")] = 1
