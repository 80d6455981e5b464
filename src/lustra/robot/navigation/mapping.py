"""Drawing a map: the robot sees the hidden world by its lidar while it drives, and nothing but what it saw is drawn.

The map that grows has the world's frame. Now and then the lidar sees what does not stay (people's legs): specks, which
map_clear_noise takes away again.
"""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from lustra.robot.maps.floor import FREE, OCCUPIED, UNKNOWN, Cells, Floor
from lustra.robot.navigation.lattice import Lattice, Vertex
from lustra.robot.navigation.lidar import RANGE, RAYS, ranges

# Of movement between two looks.
LOOK_M = 0.15
LOOK_RAD = 0.2
EDGE_CELLS = 10  # unknown ground that a saved map keeps round what was seen
SPECKS_PER_M2 = 0.05
SPECK_CELLS = 6  # a speck is at most so large
FRONTIER_CELLS = 10  # a shorter border between seen and unseen is not worth the way
NEAR_M = 0.45  # from a border to where the robot can stand and see across


@dataclass
class Mapping:
    """One map that is being drawn of a world. `seq` grows with every change."""

    name: str
    world: Floor
    rng: np.random.Generator
    previous: Floor | None = None  # the map that was loaded when it began
    explore: bool = False
    rebuild: bool = False  # it takes the place of the map of its name
    seq: int = 0
    grid: NDArray[np.uint8] = field(init=False)
    last_pose: tuple[float, float, float] | None = None
    given_up: list[Vertex] = field(default_factory=list[Vertex])
    done: bool = False  # nothing is left that could be reached

    def __post_init__(self) -> None:
        self.grid = np.full(self.world.grid.shape, UNKNOWN, np.uint8)

    @property
    def seen_m2(self) -> float:
        return float(np.count_nonzero(self.grid == FREE)) * self.world.resolution**2

    def observe(self, x: float, y: float, yaw: float) -> None:
        """Draws what can be seen from here; again only after some movement."""
        if self.last_pose:
            far = math.dist(self.last_pose[:2], (x, y))
            if far < LOOK_M and abs(math.remainder(yaw - self.last_pose[2], 2 * math.pi)) < LOOK_RAD:
                return
        self.last_pose = (x, y, yaw)
        seen = visible_cells(self.world, x, y, yaw)
        fresh = seen & (self.grid == UNKNOWN)
        self.grid[fresh & (self.world.grid == FREE)] = FREE
        hit = cv2.dilate(seen.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        self.grid[hit & (self.world.grid == OCCUPIED)] = OCCUPIED
        self.add_specks(fresh & (self.world.grid == FREE), (x, y))
        if fresh.any():
            self.seq += 1
            self.done = False

    def add_specks(self, fresh: Cells, at: tuple[float, float]) -> None:
        """Somebody walks through the picture, but not where the robot stands."""
        rows, columns = np.nonzero(fresh)
        count = self.rng.poisson(len(rows) * self.world.resolution**2 * SPECKS_PER_M2)
        own = self.world.to_vertices([at])[0]
        for n in self.rng.integers(0, max(1, len(rows)), count if len(rows) else 0):
            if math.hypot(columns[n] - own[0], rows[n] - own[1]) * self.world.resolution > 1:
                self.grid[rows[n] : rows[n] + 2, columns[n] : columns[n] + 2] = OCCUPIED

    def clear(self) -> int:
        self.grid, count = without_specks(self.grid)
        self.seq += count > 0
        return count

    def to_floor(self, name: str) -> Floor:
        """What was seen, cut out with a margin."""
        rows, columns = np.nonzero(self.grid != UNKNOWN)
        height, width = self.grid.shape
        r0, c0 = max(0, int(rows.min()) - EDGE_CELLS), max(0, int(columns.min()) - EDGE_CELLS)
        r1, c1 = min(height, int(rows.max()) + EDGE_CELLS + 1), min(width, int(columns.max()) + EDGE_CELLS + 1)
        x, y = self.world.to_metres(np.array([[c0, r0]]))[0].tolist()
        origin = (round(x, 6), round(y, 6), self.world.origin[2])
        grid = self.grid[r0:r1, c0:c1].copy()
        return Floor(name, grid, self.world.resolution, origin, self.world.building, self.world.floor)

    def ground(self) -> Floor:
        """The world as far as it was seen, to find paths in."""
        return Floor(self.name, self.grid, self.world.resolution, self.world.origin)

    def without_given_up(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        if not self.given_up:
            return places
        far, _ = KDTree(np.array(self.given_up)).query(places)
        return places[far * self.world.resolution >= NEAR_M]

    def next_path(self, at: tuple[float, float]) -> NDArray[np.float64] | None:
        """The way to the nearest place from which more will be seen; None when there is none."""
        ground = self.ground()
        lattice = Lattice(ground.blocked, ground.resolution)
        here = lattice.nearest(ground.to_vertices([at])[0], 1.0)
        places = frontier(self.grid, lattice, here) if here else np.empty((0, 2), int)
        while here and len(places := self.without_given_up(places)):
            n = int(np.hypot(*(places - np.array(here)).T).argmin())
            goal = (int(places[n, 0]), int(places[n, 1]))
            self.given_up.append(goal)  # once there, it has seen what there is to see
            path = lattice.path(here, goal)
            if path is not None:
                return np.concatenate([[at], ground.to_metres(np.array(path))])
        self.done = True
        return None


def visible_cells(world: Floor, x: float, y: float, yaw: float) -> Cells:
    """Cells that the lidar's light passes over."""
    far = ranges(world, x, y, yaw)
    reach = np.where(far > 0, far, RANGE)
    angles = yaw + np.arange(RAYS) * (2 * math.pi / RAYS) - math.pi
    ring = np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1)
    mask = np.zeros(world.grid.shape, np.uint8)
    cv2.fillPoly(mask, [world.to_pixels(ring)], 1, shift=8)
    return mask > 0


def frontier(grid: NDArray[np.uint8], lattice: Lattice, here: Vertex) -> NDArray[np.int64]:
    """Corners (column, row) where the robot can come to, next to a border of the unseen that is long enough."""
    free, unknown = grid == FREE, (grid == UNKNOWN).astype(np.uint8)
    border = (cv2.dilate(unknown, np.ones((3, 3), np.uint8)) > 0) & free
    count, labels, facts, _ = cv2.connectedComponentsWithStats(border.astype(np.uint8), connectivity=8)
    small = np.nonzero(facts[:count, cv2.CC_STAT_AREA] < FRONTIER_CELLS)[0]
    border &= ~np.isin(labels, small)
    reach = round(NEAR_M / lattice.resolution)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    near = cv2.dilate(border.astype(np.uint8), kernel) > 0
    places = lattice.part(here)[:-1, :-1] & near
    rows, columns = np.nonzero(places)
    return np.stack([columns, rows], 1)


def without_specks(grid: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
    """Without lone specks: small islands of obstacles in free ground, and small holes in it. And how many they were."""
    out = grid.copy()
    other = (grid != FREE).astype(np.uint8)
    count, labels, facts, _ = cv2.connectedComponentsWithStats(other, connectivity=8)
    specks = [n for n in range(1, count) if facts[n, cv2.CC_STAT_AREA] <= SPECK_CELLS]
    out[np.isin(labels, specks)] = FREE
    return out, len(specks)
