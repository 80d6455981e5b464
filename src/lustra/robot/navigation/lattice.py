"""Where the robot's centre may be: the corners of the cells, with exact distances.

An obstacle is a whole square cell. From a corner of the lattice the nearest point of a square is a corner as well, so
one distance transform over corners is exact. A straight step between neighbouring clear corners stays clear, and so
does any line through cells whose four corners are clear (the nearest pair of two squares of one lattice are corners).
"""

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import dijkstra

from lustra.robot.maps.floor import Cells

Vertex = tuple[int, int]  # column, row
Vertices = NDArray[np.int32]
RADIUS = 0.30
TOOL = 0.58
NEAR = 1e-6
SNAP_CELLS = 3
LOOK = 1.0  # m


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
class Graph:
    """Every `step`-th corner, joined to its eight neighbours where the way between is clear."""

    step: int
    index: NDArray[np.int32]  # by coarse row, column; -1 where the robot cannot stand
    nodes: Vertices  # column, row
    links: csr_array


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
        if step not in self.graphs:
            self.graphs[step] = _build_graph(self, step)
        return self.graphs[step]

    def join(self, at: Vertex, graph: Graph) -> int | None:
        """The node next to a corner that the robot can reach from it in a straight line."""
        s, (x, y) = graph.step, at
        best, far = None, math.inf
        for row in range(max(0, (y - SNAP_CELLS) // s), min(graph.index.shape[0] - 1, (y + SNAP_CELLS) // s) + 1):
            for column in range(
                max(0, (x - SNAP_CELLS) // s), min(graph.index.shape[1] - 1, (x + SNAP_CELLS) // s) + 1
            ):
                node = int(graph.index[row, column])
                d = math.hypot(column * s - x, row * s - y)
                if node >= 0 and d < far and self.sees(at, (column * s, row * s)):
                    best, far = node, d
        return best

    def path(self, a: Vertex, b: Vertex) -> list[Vertex] | None:
        """The short way between two corners, clear all along; None where there is none."""
        if self.sees(a, b):
            return [a, b]
        for step in (2, 1):
            graph = self.graph(step)
            start, end = self.join(a, graph), self.join(b, graph)
            if start is not None and end is not None:
                near = 2 * math.dist(a, b) + LOOK / self.resolution  # most detours are short: look there first
                for limit in (near, 4 * near, math.inf):
                    far, before = dijkstra(graph.links, indices=start, return_predecessors=True, limit=limit)
                    if np.isfinite(far[end]):
                        return self.pull(a, walk(graph, before, end), b)
        return None

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


def walk(graph: Graph, before: NDArray[np.int32], node: int) -> list[Vertex]:
    path: list[Vertex] = []
    while node >= 0:
        path.append((int(graph.nodes[node, 0]), int(graph.nodes[node, 1])))
        node = int(before[node])
    return path[::-1]


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


def _build_graph(lattice: Lattice, step: int) -> Graph:
    clear, cells, s = lattice.clear, lattice.open, step
    stands = clear[::s, ::s]
    index = np.full(stands.shape, -1, np.int32)
    rows, columns = np.nonzero(stands)
    index[rows, columns] = np.arange(len(rows), dtype=np.int32)
    height, width = stands.shape

    def joined(dx: int, dy: int) -> Cells:
        """For each node with a neighbour at (dx, dy): is the way there clear?"""
        rise, span = height - dy, width - abs(dx)
        x0 = s if dx < 0 else 0
        ok = np.ones((rise, span), np.bool_)
        for i in range(s):
            if dx and dy:
                x, y = (x0 + (i if dx > 0 else -i - 1)), i
                ok &= cells[y::s, x::s][:rise, :span]
            else:
                ok &= clear[i * dy :: s, i * dx :: s][:rise, :span]
        return ok

    tails, heads, lengths = [], [], []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        ok = joined(dx, dy)
        x0 = 1 if dx < 0 else 0
        a = index[: height - dy, x0 : x0 + width - abs(dx)]
        b = index[dy:, x0 + dx : x0 + dx + width - abs(dx)]
        ok &= (a >= 0) & (b >= 0)
        tails += [a[ok], b[ok]]
        heads += [b[ok], a[ok]]
        lengths += [np.full(2 * int(ok.sum()), s * math.hypot(dx, dy))]
    n = len(rows)
    links = coo_array((np.concatenate(lengths), (np.concatenate(tails), np.concatenate(heads))), shape=(n, n)).tocsr()
    return Graph(s, index, np.stack([columns, rows], 1).astype(np.int32) * s, links)
