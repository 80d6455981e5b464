"""What a robot knows of a way to another floor (elevator_ride.py goes it)."""

import secrets
from dataclasses import dataclass, field
from typing import Literal

import msgspec

Stage = Literal["approach", "ask", "board", "ride", "leave"]


class Trip(msgspec.Struct, kw_only=True):
    """From one map to another. `point`: the elevator point that it goes to; `lift`: the lift that it was given; `ride`:
    how the server knows it; `asked`: since when it asks (ms); `back`: the other floor cannot be entered."""

    origin: str
    target: str
    point: str
    stage: Stage = "approach"
    lift: str = ""
    ride: str = msgspec.field(default_factory=lambda: secrets.token_hex(8))
    asked: int = 0
    back: bool = False

    @property
    def inside(self) -> bool:
        return self.stage in {"ride", "leave"}


@dataclass
class Ridden:
    """What the machine has to know of it. `aboard`: it stands in the door, or in the cabin, where no map holds."""

    under_way: bool = False
    aboard: Literal["", "door", "cabin"] = ""
    lift: str = ""

    def over(self) -> None:
        self.under_way, self.aboard, self.lift = False, "", ""


@dataclass
class Farewells:
    """Rides that the robot has no more to do with, and what it says of each until the server has heard it."""

    said: dict[str, tuple[Literal["left", "cancel"], int]] = field(
        default_factory=dict[str, tuple[Literal["left", "cancel"], int]]
    )

    def bid(self, ride: str, step: Literal["left", "cancel"], now: int) -> None:
        self.said[ride] = (step, now)
