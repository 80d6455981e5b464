"""What the tool has swept: cells whose middle came under the round tool while its centre drove along a line."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from lustra.robot.maps.floor import Cells, Floor
from lustra.robot.navigation.lattice import NEAR, TOOL


def paint(mask: Cells, line: NDArray[np.float64], half: float) -> NDArray[np.int64]:
    """Adds a driven line (lattice units, column and row) to the mask; the flat numbers of the new cells."""
    low = np.maximum(np.floor(line.min(axis=0) - half).astype(int), 0)
    high = np.minimum(np.ceil(line.max(axis=0) + half).astype(int), (mask.shape[1], mask.shape[0]))
    if (high <= low).any():
        return np.empty(0, np.int64)
    (x0, y0), (x1, y1) = low, high
    px, py = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    hit = np.zeros(px.shape, np.bool_)
    pairs = pairwise(line) if len(line) > 1 else [(line[0], line[0])]
    for a, b in pairs:
        hit |= within(px, py, a, b, half)
    fresh = hit & ~mask[y0:y1, x0:x1]
    mask[y0:y1, x0:x1] |= hit
    rows, columns = np.nonzero(fresh)
    return (rows + y0) * mask.shape[1] + columns + x0


def within(
    px: NDArray[np.float64], py: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64], half: float
) -> Cells:
    dx, dy = b - a
    long = dx * dx + dy * dy
    t = np.clip(((px - a[0]) * dx + (py - a[1]) * dy) / long, 0, 1) if long else 0.0
    return (px - a[0] - t * dx) ** 2 + (py - a[1] - t * dy) ** 2 <= half * half + NEAR


def sweep(floor: Floor, path: NDArray[np.float64], tool: float = TOOL) -> Cells:
    """All cells that the tool covers along a path in metres."""
    half = tool / 2 / floor.resolution
    mask = np.zeros(floor.grid.shape, np.bool_)
    line = floor.to_vertices(path)
    for a, b in pairwise(line):
        paint(mask, np.stack([a, b]), half)
    return mask


def least_distance(floor: Floor, path: NDArray[np.float64], every: float = 0.01) -> float:
    """Metres between the path, sampled so densely, and the nearest obstacle as a square cell."""
    line = floor.to_vertices(path)
    rows, columns = np.nonzero(floor.blocked)
    tree = KDTree(np.stack([columns, rows], 1) + 0.5)
    points = [line[:1]]
    for a, b in pairwise(line):
        count = max(1, int(np.hypot(*(b - a)) * floor.resolution / every))
        points.append(a + (b - a) * (np.arange(1, count + 1) / count)[:, None])
    at = np.concatenate(points)
    _, near = tree.query(at, k=min(12, len(rows)))
    off = np.abs(np.stack([columns, rows], 1)[near] + 0.5 - at[:, None, :]) - 0.5
    return float(np.hypot(*np.moveaxis(np.maximum(off, 0), -1, 0)).min() * floor.resolution)


def spans(cells: NDArray[np.int64], width: int) -> list[int]:
    """Flat cell numbers as runs: row, first column, length, row, …"""
    if not len(cells):
        return []
    cells = np.sort(cells)
    cut = np.nonzero((np.diff(cells) != 1) | (cells[1:] % width == 0))[0] + 1
    first = cells[np.concatenate([[0], cut])]
    length = np.diff(np.concatenate([[0], cut, [len(cells)]]))
    return np.stack([first // width, first % width, length], 1).ravel().tolist()
