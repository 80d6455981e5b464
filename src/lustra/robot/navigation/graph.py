"""The graph of a floor, or of a window of it: every `step`-th corner, joined to its eight neighbours where the way
between is clear."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from lustra.robot.maps.floor import Cells

Vertex = tuple[int, int]  # column, row
Vertices = NDArray[np.int32]


@dataclass(frozen=True)
class Graph:
    """`first`: the corner of the floor at which the window begins."""

    step: int
    first: Vertex
    index: NDArray[np.int32]  # by row and column of the nodes; -1 where the robot cannot stand
    nodes: Vertices  # column and row on the floor
    links: csr_array

    def numbers(self, at: NDArray[np.integer]) -> NDArray[np.int32]:
        """The numbers of nodes by column and row; -1 for what is none of the window's."""
        columns, rows = ((at - np.array(self.first)) // self.step).T
        height, width = self.index.shape
        inside = (columns >= 0) & (rows >= 0) & (columns < width) & (rows < height)
        return np.where(inside, self.index[np.where(inside, rows, 0), np.where(inside, columns, 0)], -1)


def build_graph(clear: Cells, cells: Cells, step: int, first: Vertex = (0, 0)) -> Graph:
    """Of corners that are clear, and of cells whose four corners are."""
    s = step
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
    nodes = np.stack([columns, rows], 1).astype(np.int32) * s + np.array(first, np.int32)
    return Graph(s, first, index, nodes, links)


def walk(graph: Graph, before: NDArray[np.int32], node: int) -> list[Vertex]:
    path: list[Vertex] = []
    while node >= 0:
        path.append((int(graph.nodes[node, 0]), int(graph.nodes[node, 1])))
        node = int(before[node])
    return path[::-1]
