"""The built-in lift: a cabin with doors that takes its time, and opens wherever it arrives."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lustra.lifts.session import Seen

FLOOR_S, DOOR_S = 4.0, 2.0  # from one floor to the next; to open or close


@dataclass
class Virtual:
    """`at`: its place, as a number of floors above the lowest; `gap`: how far the door is open, 0 to 1."""

    floors: list[str]
    clock: Callable[[], float]
    factor: float = 1.0
    held: bool = False
    at: float = 0.0
    bound: int | None = None
    gap: float = 0.0
    opening: bool = False
    seen_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.seen_at = self.clock()

    async def look(self) -> Seen:
        self._pass()
        door = "open" if self.gap >= 1 else "closed" if self.gap <= 0 else "between"
        floor = self.floors[round(self.at)] if self.at == round(self.at) else ""
        return Seen(self.held, floor, door, self.floors[self.bound] if self.bound is not None else "")

    async def reserve(self) -> None:
        self.held = True

    async def call(self, floor: str) -> None:
        self._pass()
        self.bound, self.opening = self.floors.index(floor), False

    go = call

    async def open(self) -> None:
        self._pass()
        if self.bound is None:
            self.opening = True

    async def release(self) -> None:
        self._pass()
        self.held = self.opening = False

    async def end(self) -> None:
        """It is nowhere but here."""

    def _pass(self) -> None:
        """What has happened since it was looked at last."""
        now = self.clock()
        left, self.seen_at = (now - self.seen_at) * self.factor, now
        while left > 0:
            if self.gap < 1 if self.opening else self.gap > 0:
                way = (1 - self.gap if self.opening else self.gap) * DOOR_S
                gone = min(left, way)
                self.gap += (1 if self.opening else -1) * gone / DOOR_S
                if gone == way:
                    self.gap = 1.0 if self.opening else 0.0
            elif self.bound is not None:
                way = abs(self.bound - self.at) * FLOOR_S
                gone = min(left, way)
                self.at += (1 if self.bound > self.at else -1) * gone / FLOOR_S
                if gone == way:
                    self.at, self.bound, self.opening = float(self.bound), None, True
            else:
                return
            left -= gone
