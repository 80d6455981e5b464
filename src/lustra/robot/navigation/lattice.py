"""Where the robot's centre may be: the corners of the cells, with exact distances.

An obstacle is a whole square cell. From a corner of the lattice the nearest point of a square is a corner as well, so
one distance transform over corners is exact. A straight step between neighbouring clear corners stays clear, and so
does any line through cells whose four corners are clear (the nearest pair of two squares of one lattice are corners).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from lustra.robot.maps.floor import Cells
from lustra.robot.navigation.graph import Graph, Vertex, build_graph, walk

RADIUS = 0.30
TOOL = 0.58
NEAR = 1e-6
SNAP_CELLS = 3
LOOK = 1.0  # m
STEPS = (1, 2, 4, 8)  # corners between the nodes of a graph
MOST_NODES = 250_000  # of the graph in which far ways are looked for first; finer ones where it has none
WINDOW = 12.0  # m: what lies nearer is searched in a graph of its own, not in that of the whole floor


@lru_cache(maxsize=8)
def disc(resolution: float, tool: float = TOOL) -> NDArray[np.uint8]:
    """Cells whose middle the round tool covers, seen from the corner in the middle of the kernel (even size)."""
    half = math.ceil(tool / 2 / resolution)
    d = np.arange(-half, half) + 0.5
    return (np.hypot(*np.meshgrid(d, d)) * resolution <= tool / 2 + NEAR).astype(np.uint8)


def covered_cells(vertices: Cells, resolution: float, tool: float = TOOL) -> Cells:
    """Cells that the tool covers when the robot's centre stands on these corners."""
    kernel = disc(resolution, tool)
    half = kernel.shape[0] // 2
    # OpenCV's dilation looks at corner (x + k - anchor): from the cell x the corners x - half + 1 … x + half.
    spread = cv2.dilate(vertices.astype(np.uint8), kernel, anchor=(half - 1, half - 1), borderValue=0)
    return spread[:-1, :-1].astype(np.bool_)


@dataclass
class Lattice:
    blocked: Cells
    resolution: float
    radius: float = RADIUS
    graphs: dict[int, Graph] = field(default_factory=dict[int, Graph])

    @cached_property
    def distance(self) -> NDArray[np.float32]:
        """Metres from every corner to the nearest obstacle; beyond the map's edge everything is one."""
        padded = np.pad(self.blocked, 1, constant_values=True)
        corners = padded[1:, 1:] | padded[1:, :-1] | padded[:-1, 1:] | padded[:-1, :-1]
        cells = cv2.distanceTransform((~corners).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
        return (cells * self.resolution).astype(np.float32)

    @cached_property
    def clear(self) -> Cells:
        return self.distance >= self.radius - NEAR

    @cached_property
    def open(self) -> Cells:
        """Cells whose four corners are clear: any line through them is."""
        c = self.clear
        return c[1:, 1:] & c[1:, :-1] & c[:-1, 1:] & c[:-1, :-1]

    @cached_property
    def parts(self) -> NDArray[np.int32]:
        """Number of the connected part of each clear corner, 0 elsewhere."""
        return cv2.connectedComponents(self.clear.astype(np.uint8), connectivity=4)[1].astype(np.int32)

    def part(self, at: Vertex) -> Cells:
        return self.parts == self.parts[at[1], at[0]]

    def nearest(self, at: NDArray[np.float64], within: float, among: Cells | None = None) -> Vertex | None:
        """The clear corner next to a place (column, row as fractions), at most so many metres away."""
        reach = math.ceil(within / self.resolution) + 1
        x, y = round(float(at[0])), round(float(at[1]))
        x0, y0 = max(0, x - reach), max(0, y - reach)
        window = (self.clear if among is None else among)[y0 : max(0, y + reach + 1), x0 : max(0, x + reach + 1)]
        rows, columns = np.nonzero(window)
        if not len(rows):
            return None
        d = np.hypot(columns + x0 - at[0], rows + y0 - at[1])
        best = int(d.argmin())
        if d[best] * self.resolution > within + NEAR:
            return None
        return int(columns[best] + x0), int(rows[best] + y0)

    def sees(self, a: Vertex, b: Vertex) -> bool:
        """Whether the straight way between two corners is clear all along."""
        (ax, ay), (bx, by) = a, b
        if ay == by:
            return bool(self.clear[ay, min(ax, bx) : max(ax, bx) + 1].all())
        if ax == bx:
            return bool(self.clear[min(ay, by) : max(ay, by) + 1, ax].all())
        dx, dy = bx - ax, by - ay
        cuts = np.concatenate([np.arange(abs(dx) + 1) / abs(dx), np.arange(1, abs(dy)) / abs(dy)])
        cuts.sort()
        middle = (cuts[1:] + cuts[:-1]) / 2
        cells = self.open[np.floor(ay + middle * dy).astype(int), np.floor(ax + middle * dx).astype(int)]
        # Two cuts in one place (a corner of the lattice) leave a middle on the corner itself: real pieces count.
        return bool(cells[np.diff(cuts) > NEAR].all())

    def graph(self, step: int) -> Graph:
        """Of the whole floor."""
        if step not in self.graphs:
            self.graphs[step] = build_graph(self.clear, self.open, step)
        return self.graphs[step]

    def window(self, low: Sequence[int], high: Sequence[int], step: int) -> Graph:
        """Of the corners from `low` to `high` (column, row) that the floor has."""
        height, width = self.clear.shape
        x0, y0 = (max(0, corner) // step * step for corner in low)
        x1, y1 = min(width, high[0] + 1), min(height, high[1] + 1)
        return build_graph(self.clear[y0:y1, x0:x1], self.open[y0 : y1 - 1, x0 : x1 - 1], step, (x0, y0))

    def graph_round(self, at: Vertex, reach: float, step: int) -> Graph:
        """A graph that holds every way from there that is not longer than `reach` corners: of a window, so that a short
        way costs as little on a large floor as on a small one."""
        if reach * self.resolution > WINDOW:
            return self.graph(step)
        (x, y), r = at, math.ceil(reach) + step
        return self.window((x - r, y - r), (x + r, y + r), step)

    def join(self, at: Vertex, step: int) -> Vertex | None:
        """The node next to a corner that the robot can reach from it in a straight line."""
        (x, y), (height, width), r = at, self.clear.shape, max(SNAP_CELLS, step)
        best, far = None, math.inf
        for row in range(-(-max(0, y - r) // step) * step, min(height - 1, y + r) + 1, step):
            for column in range(-(-max(0, x - r) // step) * step, min(width - 1, x + r) + 1, step):
                d = math.hypot(column - x, row - y)
                if self.clear[row, column] and d < far and self.sees(at, (column, row)):
                    best, far = (column, row), d
        return best

    def path(self, a: Vertex, b: Vertex) -> list[Vertex] | None:
        """The short way between two corners, clear all along; None where there is none."""
        if self.sees(a, b):
            return [a, b]
        if self.parts[a[1], a[0]] != self.parts[b[1], b[0]]:
            return None
        near = 2 * math.dist(a, b) + LOOK / self.resolution  # most detours are short: look there first
        coarse = next((step for step in STEPS if self.clear.size <= MOST_NODES * step**2), STEPS[-1])
        for limit in (near, 4 * near, math.inf):
            nearby = limit * self.resolution <= WINDOW
            for step in (2, 1) if nearby else (step for step in STEPS[::-1] if step <= coarse):
                start, end = self.join(a, step), self.join(b, step)
                way = self.search(start, end, limit, step) if start and end else None
                if way:
                    return self.pull(a, way, b)
        return None

    def search(self, start: Vertex, end: Vertex, limit: float, step: int) -> list[Vertex] | None:
        """The shortest way between two nodes of a graph, where it is not longer than `limit` corners."""
        graph = self.graph_round(start, limit, step)
        source, goal = graph.numbers(np.array([start, end])).tolist()
        if goal < 0:
            return None
        far, before = dijkstra(graph.links, indices=source, return_predecessors=True, limit=limit)
        return walk(graph, before, goal) if np.isfinite(far[goal]) else None

    def pull(self, a: Vertex, path: list[Vertex], b: Vertex) -> list[Vertex]:
        """Straightens a way: from each bend to the farthest one seen (doubling, then halving)."""
        points = bends([a, *path, b])
        done, at, last = [points[0]], 0, len(points) - 1
        while at < last:
            low, reach = at + 1, 2
            while at + reach <= last and self.sees(points[at], points[at + reach]):
                low, reach = at + reach, reach * 2
            high = min(at + reach, last + 1)
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if self.sees(points[at], points[middle]) else (low, middle)
            done.append(points[low])
            at = low
        return done


def bends(points: list[Vertex]) -> list[Vertex]:
    """The same way without points that lie straight between their neighbours."""
    out: list[Vertex] = []
    for p in points:
        if out and p == out[-1]:
            continue
        if len(out) > 1:
            (ax, ay), (bx, by) = out[-2], out[-1]
            ux, uy, vx, vy = bx - ax, by - ay, p[0] - bx, p[1] - by
            if ux * vy == uy * vx and ux * vx + uy * vy > 0:
                out.pop()
        out.append(p)
    return out
