"""What a robot knows of a way to another floor (elevator_ride.py goes it)."""

import secrets
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from lustra.protocol.bus import ElevatorOffer

Stage = Literal["approach", "ask", "board", "ride", "leave"]


class Trip(msgspec.Struct, kw_only=True):
    """From one map to another. `point`: the elevator point that it goes to; `elevator`: the one that it was given;
    `ride`: how the server knows it; `requested_at`: since when it asks (ms); `back`: the other floor cannot be
    entered."""

    origin: str
    target: str
    point: str
    stage: Stage = "approach"
    elevator: str = msgspec.field(default="", name="lift")  # the name on the robot's disk
    ride: str = msgspec.field(default_factory=lambda: secrets.token_hex(8))
    requested_at: int = msgspec.field(default=0, name="asked")  # the same
    back: bool = False

    @property
    def inside(self) -> bool:
        return self.stage in {"ride", "leave"}


@dataclass
class RideState:
    """What the machine has to know of it. `aboard`: it stands in the door, or in the cabin, where no map holds."""

    under_way: bool = False
    aboard: Literal["", "door", "cabin"] = ""
    elevator: str = ""

    def end(self) -> None:
        self.under_way, self.aboard, self.elevator = False, "", ""


@dataclass
class EndedRides:
    """Rides that are over for the robot, and how each ended; repeated until the server has received it."""

    steps: dict[str, tuple[Literal["left", "cancel"], int]] = field(
        default_factory=dict[str, tuple[Literal["left", "cancel"], int]]
    )

    def add(self, ride: str, step: Literal["left", "cancel"], now: int) -> None:
        self.steps[ride] = (step, now)


@dataclass
class Trips:
    """The robot's trip under way, and what came of those before. `offer`: the newest message about its ride;
    `unreachable`: maps that it could not reach, and why; `failed_at`: ms, when a way failed last; `failed_returns`:
    ways home to its charger's floor that failed one after the other."""

    current: Trip | None = None
    offer: ElevatorOffer | None = None
    unreachable: dict[str, str] = field(default_factory=dict[str, str])
    ended: EndedRides = field(default_factory=EndedRides)
    failed_at: int = 0
    failed_returns: int = 0
