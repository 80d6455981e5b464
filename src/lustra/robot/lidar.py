"""Lidar by casting rays: each ray walks the distance field, so that it takes large steps where nothing is near."""

import math

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Lidar
from lustra.robot.floor import Floor
from lustra.robot.lattice import Lattice

RAYS = 360
RANGE = 12.0
NOISE = 0.008
MOST_STEPS = 60


def ranges(floor: Floor, lattice: Lattice, x: float, y: float, yaw: float) -> NDArray[np.float64]:
    """Metres to the first obstacle along each ray; 0 where there is no echo."""
    res = floor.resolution
    at = floor.to_vertices([(x, y)])[0]
    angles = yaw - floor.origin[2] + np.arange(RAYS) * (2 * math.pi / RAYS) - math.pi
    dx, dy = np.cos(angles), np.sin(angles)
    gone = np.zeros(RAYS)
    going = np.ones(RAYS, np.bool_)
    height, width = lattice.distance.shape
    hit = np.zeros(RAYS, np.bool_)
    for _ in range(MOST_STEPS):
        column, row = at[0] + dx[going] * gone[going] / res, at[1] + dy[going] * gone[going] / res
        c, r = np.clip(column, 0, width - 2).astype(int), np.clip(row, 0, height - 2).astype(int)
        stopped = lattice.blocked[r, c] | (column < 0) | (row < 0) | (column > width - 1) | (row > height - 1)
        numbers = np.nonzero(going)[0]
        hit[numbers[stopped]] = True
        near = lattice.distance[
            np.round(row).clip(0, height - 1).astype(int), np.round(column).clip(0, width - 1).astype(int)
        ]
        gone[numbers] += np.where(stopped, 0, np.maximum(near - res, res / 2))
        going[numbers[stopped]] = False
        going &= gone < RANGE
        if not going.any():
            break
    return np.where(hit & (gone < RANGE), gone, 0.0)


def scan(floor: Floor, lattice: Lattice, pose: tuple[float, float, float], at: int, dice: np.random.Generator) -> Lidar:
    x, y, yaw = pose
    seen = ranges(floor, lattice, x, y, yaw)
    noisy = np.where(seen > 0, np.maximum(seen + dice.normal(0, NOISE, RAYS), 0.01), 0)
    step = 2 * math.pi / RAYS
    return Lidar(at=at, x=round(x, 3), y=round(y, 3), yaw=round(yaw, 4), first=round(-math.pi, 6), step=round(step, 8),
                 ranges=np.round(noisy, 3).tolist())  # fmt: skip
