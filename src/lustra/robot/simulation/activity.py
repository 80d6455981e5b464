"""What a robot does at this moment, and what holds it.

Rules: it does one thing at a time, each a class with what that alone needs. Holds are laid and lifted one by one, each
by whoever laid it; while there is one, the robot stands. Mode, banners and whether it is busy follow from these. A run,
a map that it draws and a ride are no activities: each lasts over many of them.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Literal

from lustra.protocol.telemetry import Mode
from lustra.robot.navigation.drive import Drive
from lustra.robot.navigation.run import Run

Then = Literal["clean", "dock", "refill", "back", "rest", "look", "elevator", "board", "leave"]


@dataclass(frozen=True, slots=True)
class Idle:
    mode: ClassVar[Mode] = "idle"


@dataclass(slots=True)
class Driving:
    """A drive without cleaning, what comes after it, and the seconds of it that are done."""

    mode: ClassVar[Mode] = "moving"
    drive: Drive
    then: Then
    t: float = 0.0

    @property
    def sent(self) -> bool:
        """A person, or an empty battery, sent it; a paused run does not keep it from going there."""
        return self.then in {"dock", "refill", "rest"}


@dataclass(frozen=True, slots=True)
class Cleaning:
    """The machine follows the drive of its run."""

    mode: ClassVar[Mode] = "cleaning"
    run: Run


@dataclass(frozen=True, slots=True)
class Charging:
    mode: ClassVar[Mode] = "charging"


Activity = Idle | Driving | Cleaning | Charging


class Hold(StrEnum):
    """`PAUSE` holds the run alone, so a robot that is sent somewhere still drives."""

    EMERGENCY = "emergency"
    HAND = "hand"  # a person is at the wheels
    BRAKE = "brake"
    MOTOR_LINE = "motor_line"  # the line to the wheels' controller is closed
    PAUSE = "pause"


Holds = dict[Hold, str]  # what holds it, and the catalogue's code for why, where nobody asked for it
