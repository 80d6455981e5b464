"""The outlines of an area of cells as polygons: of rooms and of keep-out masks.

Rules: a polygon runs along the cells' edges and then is straightened by at most `slack` cells; a hole is reached by a
cut, so that one ring tells the whole shape; what is smaller than `least` cells is noise.
"""

import math
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from lustra.domains.map.formats.limits import refused

Corner = tuple[float, float]  # column, row of the lattice of cell corners; the first row is row 0
MOST_EDGES = 400_000  # of cells, that one area may have: the walk along them is step by step
MOST_POINTS = 500  # of one shape, as on the wire
TURN_RIGHT = {(1, 0): (0, 1), (0, 1): (-1, 0), (-1, 0): (0, -1), (0, -1): (1, 0)}


def outlines(area: NDArray[np.bool_], slack: float = 1.0, least: float = 8.0) -> list[list[Corner]]:
    rings = _rings(area)
    outer = sorted((r for r in rings if _area(r) >= least), key=_area)
    holes = [r for r in rings if _area(r) <= -least]
    shapes = [[ring] for ring in outer]
    for hole in holes:
        home = next((shape for shape in shapes if _inside(hole[0], shape[0])), None)
        if home:
            home.append(hole)
    return [_straighten(shape, slack) for shape in shapes]


def _rings(area: NDArray[np.bool_]) -> list[list[tuple[int, int]]]:
    """Closed walks along the edges with the area on the right hand (rows grow downwards): outer ones have a positive
    area, holes a negative one."""
    padded = np.pad(area, 1)
    steps_from: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    inner = padded[1:-1, 1:-1]
    edges = 0
    for (dr, dc), (start, step) in {
        (-1, 0): ((0, 0), (1, 0)),
        (0, 1): ((1, 0), (0, 1)),
        (1, 0): ((1, 1), (-1, 0)),
        (0, -1): ((0, 1), (0, -1)),
    }.items():
        beside = padded[1 + dr : padded.shape[0] - 1 + dr, 1 + dc : padded.shape[1] - 1 + dc]
        rows, columns = np.nonzero(inner & ~beside)
        edges += len(rows)
        if edges > MOST_EDGES:
            raise refused("map_many_edges", most=MOST_EDGES)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            steps_from[column + start[0], row + start[1]].append(step)
    rings: list[list[tuple[int, int]]] = []
    while steps_from:
        at = first = next(iter(steps_from))
        ring: list[tuple[int, int]] = []
        direction = steps_from[first][0]
        while at in steps_from:
            steps = steps_from[at]
            turned = TURN_RIGHT[direction]
            step = turned if turned in steps else steps[0]  # cells that meet at a corner are apart
            steps.remove(step)
            if not steps:
                del steps_from[at]
            if not ring or step != direction:
                ring.append(at)
            direction, at = step, (at[0] + step[0], at[1] + step[1])
            if at == first:
                break
        rings.append(ring)
    return rings


def _area(ring: list[tuple[int, int]]) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def _inside(at: Corner, ring: list[tuple[int, int]]) -> bool:
    x, y = at[0] + 0.25, at[1] + 0.25
    odd = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def _straighten(shape: list[list[tuple[int, int]]], slack: float) -> list[Corner]:
    while True:
        rings = [_thin_ring(ring, slack) for ring in shape]
        whole = rings[0]
        for hole in rings[1:]:
            whole = _cut_hole(whole, hole)
        if len(whole) <= MOST_POINTS:
            return whole
        slack *= 2


def _thin_ring(ring: list[tuple[int, int]], slack: float) -> list[Corner]:
    """Douglas and Peucker, from the corner that lies farthest from the first."""
    far = max(range(len(ring)), key=lambda i: math.dist(ring[0], ring[i]))
    halves = (ring[: far + 1], [*ring[far:], ring[0]])
    return [p for half in halves for p in _thin_line(np.array(half, float), slack)[:-1]]


def _thin_line(line: NDArray[np.float64], slack: float) -> list[Corner]:
    corners = {0, len(line) - 1}
    todo = [(0, len(line) - 1)]
    while todo:
        a, b = todo.pop()
        if b - a < 2:  # noqa: PLR2004  (nothing between)
            continue
        direction, offsets = line[b] - line[a], line[a + 1 : b] - line[a]
        length = float(np.hypot(*direction)) or 1.0
        far = np.abs(direction[0] * offsets[:, 1] - direction[1] * offsets[:, 0]) / length
        most = int(far.argmax())
        if far[most] > slack:
            corners.add(a + 1 + most)
            todo += [(a, a + 1 + most), (a + 1 + most, b)]
    return [(float(line[i][0]), float(line[i][1])) for i in sorted(corners)]


def _cut_hole(ring: list[Corner], hole: list[Corner]) -> list[Corner]:
    """One ring that goes into the hole and out again where both are nearest."""
    i, j = min(
        ((i, j) for i in range(len(ring)) for j in range(len(hole))), key=lambda ij: math.dist(ring[ij[0]], hole[ij[1]])
    )
    return [*ring[: i + 1], *hole[j:], *hole[: j + 1], *ring[i:]]
