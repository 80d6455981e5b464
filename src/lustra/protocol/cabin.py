"""An elevator's cabin with its doors, over a clock: the built-in elevator of the server, and the elevators of virtual
buildings.

Rules: it takes its time; it moves behind closed doors only; wherever it arrives it opens.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

FLOOR_S = 4.0  # from one floor to the next
DOOR_S = 2.0  # to open or close
Door = Literal["open", "opening", "closing", "closed"]


@dataclass
class Cabin:
    """`at`: its place, as a number of floors above the lowest; `gap`: how far the door is open, 0 to 1."""

    floors: list[str]
    clock: Callable[[], float]
    factor: float = 1.0
    at: float = 0.0
    bound: int | None = None
    gap: float = 0.0
    opening: bool = False
    looked: float = field(init=False)

    def __post_init__(self) -> None:
        self.looked = self.clock()

    @property
    def floor(self) -> str:
        """The floor that it stands at; empty while it is between two."""
        self.pass_time()
        return self.floors[round(self.at)] if self.at == round(self.at) else ""

    @property
    def door(self) -> Door:
        self.pass_time()
        if self.opening:
            return "open" if self.gap >= 1 else "opening"
        return "closing" if self.gap > 0 else "closed"

    @property
    def target(self) -> str:
        self.pass_time()
        return "" if self.bound is None else self.floors[self.bound]

    @property
    def direction(self) -> int:
        """1 up, -1 down, 0 at rest."""
        self.pass_time()
        return 0 if self.bound is None else (self.bound > self.at) - (self.bound < self.at)

    def go(self, floor: str) -> None:
        self.pass_time()
        self.bound, self.opening = self.floors.index(floor), False

    def open(self) -> None:
        self.pass_time()
        if self.bound is None:
            self.opening = True

    def close(self) -> None:
        self.pass_time()
        self.opening = False

    def pass_time(self) -> None:
        """What has happened since it was looked at last."""
        now = self.clock()
        left, self.looked = (now - self.looked) * self.factor, now
        while left > 0:
            if self.gap < 1 if self.opening else self.gap > 0:
                way = (1 - self.gap if self.opening else self.gap) * DOOR_S
                elapsed = min(left, way)
                self.gap += (1 if self.opening else -1) * elapsed / DOOR_S
                if elapsed == way:
                    self.gap = 1.0 if self.opening else 0.0
            elif self.bound is not None:
                way = abs(self.bound - self.at) * FLOOR_S
                elapsed = min(left, way)
                self.at += (1 if self.bound > self.at else -1) * elapsed / FLOOR_S
                if elapsed == way:
                    self.at, self.bound, self.opening = float(self.bound), None, True
            else:
                return
            left -= elapsed
