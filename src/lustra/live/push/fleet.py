"""What all robots of a scope do: how many in each mode, and for the map of the world which; to a tab all of them at
first, then those that changed.
"""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from cachetools import TTLCache

from lustra.core.context import Actor, Services
from lustra.core.db import Connection
from lustra.domains.device.api import Where

COUNTS_S = 2.0
FLEET_S = 1.0
MOST_SCOPES = 1000
Fleet = dict[str, frozenset[int]]  # ids of robots by mode
T = TypeVar("T")


class ByScope(Generic[T]):
    """What `read` finds in a scope; for `good_s` the sockets of one scope share it."""

    def __init__(self, services: Services, read: Callable[[Connection, Where], Awaitable[T]], good_s: float) -> None:
        self.services, self.read = services, read
        self.recent: TTLCache[str, T] = TTLCache(MOST_SCOPES, good_s)

    async def load(self, actor: Actor) -> T:
        result = self.recent.get(actor.path)
        if result is None:
            async with self.services.pool.acquire() as db:
                result = await self.read(db, Where.of_robots(actor.scope))
            self.recent[actor.path] = result
        return result


def changes(before: Fleet, now: Fleet) -> tuple[Fleet, frozenset[int]]:
    """Robots whose mode is another one than before, by mode; and those that are not there any more."""
    none = frozenset[int]()
    changed = {mode: new for mode, robots in now.items() if (new := robots - before.get(mode, none))}
    return changed, none.union(*before.values()) - none.union(*now.values())
