"""What all robots of a scope do, for the map of the world: to a tab all of them at first, then those that changed."""

from cachetools import TTLCache

from lustra.core.context import Actor, Services
from lustra.domains.device.api import Where
from lustra.domains.telemetry.api import WORLD_MAP, find_by_mode

FLEET_S = 1.0
MOST_SCOPES = 1000
Fleet = dict[str, frozenset[int]]  # ids of robots by mode


class Fleets:
    """Tabs of one scope share what was read for one of them."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.recent: TTLCache[str, Fleet] = TTLCache(MOST_SCOPES, FLEET_S / 2)

    async def load(self, actor: Actor) -> Fleet:
        """Nothing for who may not open the page."""
        if WORLD_MAP not in actor.keys:
            return {}
        fleet = self.recent.get(actor.path)
        if fleet is None:
            async with self.services.pool.acquire() as db:
                fleet = await find_by_mode(db, Where.of_robots(actor.scope))
            self.recent[actor.path] = fleet
        return fleet


def changes(before: Fleet, now: Fleet) -> tuple[Fleet, frozenset[int]]:
    """Robots whose mode is another one than before, by mode; and those that are gone."""
    none = frozenset[int]()
    changed = {mode: new for mode, robots in now.items() if (new := robots - before.get(mode, none))}
    return changed, none.union(*before.values()) - none.union(*now.values())
