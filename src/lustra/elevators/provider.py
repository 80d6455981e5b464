"""What moves an elevator: one small interface, an adapter for each kind of it.

Rule: an adapter only carries out orders and reports the state; who may ride is not its business.
"""

from dataclasses import dataclass, field
from typing import Protocol

from lustra.elevators.session import ElevatorState, Ride


class Full(Exception):
    """It serves somebody else: ask again after so many seconds."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Unable(Exception):
    """It does not carry out the order; `reason` is a key of the catalogue."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Provider(Protocol):
    """Raises Full, Unable, or an OSError where it is out of reach. `serve`: whose orders follow, and how far it is."""

    async def serve(self, ride: Ride | None) -> None: ...
    async def look(self) -> ElevatorState: ...
    async def reserve(self) -> None: ...
    async def call(self, floor: str) -> None: ...
    async def go(self, floor: str) -> None: ...
    async def open(self) -> None: ...
    async def release(self) -> None: ...
    async def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ElevatorConfig:
    """An elevator of the registry, as far as an adapter needs it."""

    id: int
    name: str
    provider: int
    floors: tuple[str, ...]
    server: str = ""
    module: str = ""
    client: str = ""
    secret: str = field(default="", repr=False)
