"""Lattices and plans are costly and depend on a floor's obstacles alone: robots of one process share them."""

from collections.abc import Sequence
from functools import lru_cache

from lustra.protocol.geometry import XY
from lustra.robot.floor import Floor
from lustra.robot.lattice import Lattice
from lustra.robot.planner import Plan, Route, plan

LATTICES: dict[str, Lattice] = {}
MOST = 24


def lattice(floor: Floor) -> Lattice:
    key = floor.fingerprint
    if key not in LATTICES:
        while len(LATTICES) >= MOST:
            del LATTICES[next(iter(LATTICES))]
        LATTICES[key] = Lattice(floor.blocked, floor.resolution)
    return LATTICES[key]


class _Asked:
    """A question to the planner; equal ones have one answer."""

    def __init__(self, floor: Floor, ring: tuple[XY, ...], start: XY, route: Route) -> None:
        self.floor, self.ring, self.start = floor, ring, start
        self.route: Route = route
        self.key = (floor.fingerprint, ring, start, route)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and other.key == self.key


@lru_cache(maxsize=64)
def _planned(asked: _Asked) -> Plan:
    return plan(asked.floor, lattice(asked.floor), list(asked.ring), asked.start, asked.route)


def planned(floor: Floor, ring: Sequence[XY], start: XY, route: Route) -> Plan:
    return _planned(_Asked(floor, tuple((p[0], p[1]) for p in ring), (start[0], start[1]), route))
