"""People who walk about in a building: each back and forth between two places of a room.

Rules: where they are follows from the floor and the time alone, so that all who look see the same. Who would come
nearer to a robot than an arm's length keeps before or behind it, as far as the way allows. Cameras see them; they leave
no echo and stop no robot.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.geometry import XY
from lustra.robot.maps.floor import Floor, once_for_each_grid

COUNT = 5  # on a floor
SPEED = 0.8  # m/s
NEAREST_M = 1.0  # to a robot
CLEAR_M = 0.45  # free around their way
SHORTEST_M, LONGEST_M = 4.0, 14.0
TRIES = 400
STEP_M = 0.1


@dataclass(frozen=True, slots=True)
class Walk:
    """From one place to the other, and back. `ahead`: s by which its walker is ahead of the clock."""

    start: XY
    end: XY
    ahead: float

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    def at(self, metres: float) -> XY:
        share = min(max(metres / self.length, 0.0), 1.0)
        (ax, ay), (bx, by) = self.start, self.end
        return ax + (bx - ax) * share, ay + (by - ay) * share


@once_for_each_grid
def find_walks(floor: Floor) -> list[Walk]:
    """The same for the same floor."""
    chance = np.random.default_rng(floor.grid.size)
    clear = floor.echo[1:-1, 1:-1] * floor.resolution >= CLEAR_M
    rows, columns = np.nonzero(clear)
    walks: list[Walk] = []
    for _ in range(TRIES if len(rows) else 0):
        places = chance.integers(0, len(rows), 2)
        start, end = floor.to_metres(np.stack([columns[places], rows[places]], 1) + 0.5).tolist()
        walk = Walk((start[0], start[1]), (end[0], end[1]), float(chance.uniform(0, LONGEST_M / SPEED)))
        if SHORTEST_M <= walk.length <= LONGEST_M and _is_clear(floor, clear, walk):
            walks.append(walk)
        if len(walks) == COUNT:
            break
    return walks


def _is_clear(floor: Floor, clear: NDArray[np.bool_], walk: Walk) -> bool:
    steps = np.array([walk.at(metres) for metres in np.arange(0, walk.length, STEP_M)])
    cells = floor.to_vertices(steps).astype(np.int64)
    return bool(clear[cells[:, 1], cells[:, 0]].all())


def find_people(floor: Floor, seconds: float, robot: XY) -> list[XY]:
    """Where they are at that time, in metres of the map."""
    people: list[XY] = []
    for walk in find_walks(floor):
        along = (seconds + walk.ahead) * SPEED % (2 * walk.length)
        people.append(walk.at(_keep_away(walk, walk.length - abs(walk.length - along), robot)))
    return people


def _keep_away(walk: Walk, metres: float, robot: XY) -> float:
    """`metres`: from the start of the way. Before the robot or behind it, whichever the walker has reached."""
    (ax, ay), (bx, by) = walk.start, walk.end
    across = ((bx - ax) * (robot[1] - ay) - (by - ay) * (robot[0] - ax)) / walk.length
    beside = ((bx - ax) * (robot[0] - ax) + (by - ay) * (robot[1] - ay)) / walk.length
    if math.hypot(metres - beside, across) >= NEAREST_M:
        return metres
    away = math.sqrt(NEAREST_M**2 - across**2)
    return beside - away if metres < beside else beside + away
