"""Lidar by casting rays: all at once, each as far at a step as the distance field says that nothing is there."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Lidar
from lustra.robot.maps.floor import Floor

RAYS = 360
RANGE = 12.0
NOISE = 0.008
MOST_STEPS = 72
LOOK_EVERY = 8
# In cells: half a cell's diagonal lies between a middle and any point of its cell.
SURE = 0.71
LEAST = 0.5


def ranges(floor: Floor, x: float, y: float, yaw: float) -> NDArray[np.float64]:
    """Metres to the first obstacle all round, from straight behind; 0 where there is no echo."""
    return cast(floor, x, y, yaw + np.arange(RAYS) * (2 * math.pi / RAYS) - math.pi)


def cast(floor: Floor, x: float, y: float, angles: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Metres to the first obstacle along rays with these angles in the map; 0 where there is no echo."""
    field = floor.echo
    width, flat = field.shape[1], field.ravel()
    column, row = (floor.to_vertices([(x, y)])[0] + 1).clip(1, (width - 1.01, field.shape[0] - 1.01))
    angles = angles - floor.origin[2]
    dx, dy = np.cos(angles), np.sin(angles)
    lengths = np.zeros(len(angles))
    free = np.zeros(len(angles))
    most = RANGE / floor.resolution
    for n in range(MOST_STEPS):
        free = flat[(row + dy * lengths).astype(np.int64) * width + (column + dx * lengths).astype(np.int64)]
        lengths += np.where(free > 0, np.maximum(free - SURE, LEAST), 0)
        np.minimum(lengths, most, out=lengths)
        if n % LOOK_EVERY == 0 and not ((free > 0) & (lengths < most)).any():
            break
    return np.where((free == 0) & (lengths < most), lengths * floor.resolution, 0.0)


def scan(floor: Floor, pose: tuple[float, float, float], at: int, dice: np.random.Generator) -> Lidar:
    x, y, yaw = pose
    seen = ranges(floor, x, y, yaw)
    noisy = np.where(seen > 0, np.maximum(seen + dice.normal(0, NOISE, RAYS), 0.01), 0)
    step = 2 * math.pi / RAYS
    return Lidar(
        at=at,
        x=round(x, 3),
        y=round(y, 3),
        yaw=round(yaw, 4),
        first=round(-math.pi, 6),
        step=round(step, 8),
        ranges=np.round(noisy, 3).tolist(),
    )
