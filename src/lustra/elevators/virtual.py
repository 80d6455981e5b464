"""The built-in elevator: a cabin of our own, as fast as the virtual robot that rides it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lustra.elevators.session import ElevatorState, Ride
from lustra.protocol.cabin import Cabin


@dataclass
class Virtual:
    floors: list[str]
    clock: Callable[[], float]
    held: bool = False
    cabin: Cabin = field(init=False)

    def __post_init__(self) -> None:
        self.cabin = Cabin(self.floors, self.clock)

    async def serve(self, ride: Ride | None) -> None:
        self.cabin.pass_time()
        self.cabin.factor = ride.factor if ride else 1.0

    async def look(self) -> ElevatorState:
        door = self.cabin.door
        seen = door if door == "open" or door == "closed" else "between"  # noqa: PLR1714  so that the types tell
        return ElevatorState(self.held, self.cabin.floor, seen, self.cabin.target)

    async def reserve(self) -> None:
        self.held = True

    async def call(self, floor: str) -> None:
        self.cabin.go(floor)

    go = call

    async def open(self) -> None:
        self.cabin.open()

    async def release(self) -> None:
        self.held = False
        self.cabin.close()

    async def end(self) -> None:
        """Nothing to close: this elevator exists in the process alone."""
