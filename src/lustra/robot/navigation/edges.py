"""Contours: the edge pass that takes what the lanes have left, and the rings of spiral routes.

A contour runs over clear corners that lie next to each other, so it is clear itself; it is straightened only where the
straight way is clear as well.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.robot.maps.floor import Cells, Floor
from lustra.robot.navigation.graph import Vertex, Vertices
from lustra.robot.navigation.lattice import NEAR, TOOL, Lattice, bends, covered_cells, disc

SMALLEST_GAIN = 0.1  # m² of new floor that make a piece of edge worth its way
WORTH = 8  # cells of new floor near a corner that make it part of a piece
BRIDGE = 0.5  # m between two pieces that are driven through as one
BEND = 1.0  # corners: how far a straightened contour may leave the contour


def edge_strip(floor: Floor) -> Cells:
    """Cells within one tool width of an obstacle; beyond the map's edge everything is one."""
    clear = np.pad(~floor.blocked, 1).astype(np.uint8)
    middles = cv2.distanceTransform(clear, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1]
    return (middles - 0.5) * floor.resolution <= TOOL + NEAR


class Contour(list[Vertex]):
    """A way each corner of which sees the next: it is driven as it stands."""

    def back(self) -> "Contour":
        return Contour(self[::-1])


def contours(places: Cells) -> list[Vertices]:
    chains, _ = cv2.findContours(places.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    return [c.reshape(-1, 2).astype(np.int32) for c in chains]


def straighten(lattice: Lattice, chain: Vertices) -> Contour:
    """Douglas and Peucker's way, with the look ahead as a second condition."""
    points = chain.astype(np.float64)
    keep = {0, len(chain) - 1}
    open_parts = [(0, len(chain) - 1)]
    while open_parts:
        a, b = open_parts.pop()
        if b - a < 2:  # noqa: PLR2004  (nothing lies between)
            continue
        d, rest = points[b] - points[a], points[a + 1 : b] - points[a]
        long = float(np.hypot(d[0], d[1]))
        off = np.abs(rest[:, 0] * d[1] - rest[:, 1] * d[0]) / long if long else np.hypot(rest[:, 0], rest[:, 1])
        if off.max() <= BEND and lattice.sees(_vertex(chain[a]), _vertex(chain[b])):
            continue
        middle = a + 1 + int(off.argmax()) if off.max() > BEND else (a + b) // 2
        keep.add(middle)
        open_parts += [(a, middle), (middle, b)]
    return Contour(bends([_vertex(chain[i]) for i in sorted(keep)]))


def _vertex(at: NDArray[np.int32]) -> Vertex:
    return int(at[0]), int(at[1])


def pieces(lattice: Lattice, places: Cells, left: Cells, at: Vertex) -> list[Contour]:
    """Pieces of the places' edges that clean what is left; each takes its gain away from `left`. Both are windows whose
    first corner is `at`."""
    kernel = disc(lattice.resolution)
    half = kernel.shape[0] // 2
    smallest = SMALLEST_GAIN / lattice.resolution**2
    bridge = round(BRIDGE / lattice.resolution)
    padded = np.pad(left, ((0, 1), (0, 1))).astype(np.uint8)
    near = cv2.filter2D(padded, cv2.CV_16S, kernel, anchor=(half, half), borderType=cv2.BORDER_CONSTANT)
    out: list[Contour] = []
    for chain in contours(places):
        worth = np.nonzero(near[chain[:, 1], chain[:, 0]] >= WORTH)[0]
        if not len(worth):
            continue
        gaps = np.diff(np.append(worth, worth[0] + len(chain)))
        turn = int(gaps.argmax()) + 1  # the ring is cut at its widest gap
        order = np.roll(worth, -turn)
        order = np.where(order < order[0], order + len(chain), order)
        for run in np.split(order, np.nonzero(np.diff(order) > bridge)[0] + 1):
            part = chain[np.arange(run[0], run[-1] + 1) % len(chain)]
            swept, (x, y) = swept_cells(lattice, part)
            window = left[y : y + swept.shape[0], x : x + swept.shape[1]]
            gain = window & swept[: window.shape[0], : window.shape[1]]
            if np.count_nonzero(gain) >= smallest:
                window &= ~gain
                out.append(straighten(lattice, part + np.array(at, np.int32)))
    return out


def swept_cells(lattice: Lattice, chain: Vertices) -> tuple[Cells, Vertex]:
    """A window of cells with those that the tool covers along a chain of neighbouring corners, and where it begins."""
    reach = disc(lattice.resolution).shape[0] // 2 + 1
    (x0, y0), (x1, y1) = chain.min(axis=0) - reach, chain.max(axis=0) + reach
    x0, y0 = max(0, int(x0)), max(0, int(y0))
    window = np.zeros((int(y1) + 1 - y0, int(x1) + 1 - x0), np.bool_)
    window[chain[:, 1] - y0, chain[:, 0] - x0] = True
    return covered_cells(window, lattice.resolution), (x0, y0)


def rings(lattice: Lattice, room: Cells, spacing: int, at: Vertex) -> list[Contour]:
    """Rings from the wall inwards, as far apart as lanes."""
    depth = cv2.distanceTransform(np.pad(room, 1).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1]
    out: list[Contour] = []
    for level in np.arange(1, float(depth.max()) + 1, spacing):
        closed = (np.concatenate([chain, chain[:1]]) for chain in contours(depth >= level))
        out += [straighten(lattice, chain + np.array(at, np.int32)) for chain in closed]
    return out
