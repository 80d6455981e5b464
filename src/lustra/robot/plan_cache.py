"""Lattices and plans are costly and depend on a floor's obstacles alone: robots of one process share them."""

import threading
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from lustra.protocol.geometry import XY
from lustra.robot.buildings import catalogue
from lustra.robot.maps.floor import FREE, Floor
from lustra.robot.navigation.lattice import Lattice
from lustra.robot.navigation.planner import NoPath, Plan, Route, follow, plan

LATTICES: dict[str, Lattice] = {}
PLANNING = tuple(threading.Lock() for _ in range(16))
WORLDS: dict[tuple[str, str, str], bool] = {}
MOST = 24
MOST_PLANS = 128
ALIKE = 0.9  # of a map's free cells


def building_floor(building: str, name: str) -> Floor | None:
    """What a floor of a virtual building really looks like."""
    return catalogue.floor(building, name) if (building, name) in catalogue.PLANS else None


def real_floor(floor: Floor) -> Floor:
    """What is really there where a map is loaded: the building that it was drawn of, else what the map shows."""
    real = building_floor(floor.building, floor.floor)
    if real is None or real is floor:
        return floor
    key = (floor.fingerprint, floor.building, floor.floor)
    if key not in WORLDS:
        while len(WORLDS) >= MOST:
            del WORLDS[next(iter(WORLDS))]
        WORLDS[key] = shows_same_place(floor, real)
    return real if WORLDS[key] else floor


def shows_same_place(floor: Floor, real: Floor) -> bool:
    """Whether the map is one of that place, in its frame: most of its free ground is free there."""
    rows, columns = np.nonzero(floor.grid == FREE)
    if not len(rows):
        return False
    cells = np.floor(real.to_vertices(floor.to_metres(np.stack([columns, rows], 1) + 0.5))).astype(int)
    height, width = real.grid.shape
    inside = (cells >= 0).all(axis=1) & (cells[:, 0] < width) & (cells[:, 1] < height)
    c, r = np.where(inside[:, None], cells, 0).T
    return float((inside & (real.grid[r, c] == FREE)).mean()) >= ALIKE


def lattice(floor: Floor) -> Lattice:
    key = floor.fingerprint
    if key not in LATTICES:
        while len(LATTICES) >= MOST:
            del LATTICES[next(iter(LATTICES))]
        LATTICES[key] = Lattice(floor.blocked, floor.resolution)
    return LATTICES[key]


@dataclass(frozen=True)
class PlanRequest:
    """A question to the planner: an area and how it is cleaned, or a line that is followed. Equal ones have one
    answer."""

    floor: Floor = field(compare=False)
    ring: tuple[XY, ...] = ()
    start: XY = (0.0, 0.0)
    route: Route = "bow"
    line: tuple[XY, ...] = ()
    ground: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ground", self.floor.fingerprint)


def shared_plan(request: PlanRequest) -> Plan:
    """Of robots that ask for the same at once, one works it out and the others wait."""
    with PLANNING[hash(request) % len(PLANNING)]:
        outcome = _plan(request)
    if isinstance(outcome, NoPath):
        raise outcome
    return outcome


@lru_cache(maxsize=MOST_PLANS)
def _plan(request: PlanRequest) -> Plan | NoPath:
    floor = request.floor
    try:
        if request.line:
            return follow(floor, lattice(floor), request.line)
        return plan(floor, lattice(floor), list(request.ring), request.start, request.route)
    except NoPath as why:  # remembered too: who asks again for the answer hears it at once
        return why
