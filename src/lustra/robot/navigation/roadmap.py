"""The ways between many places of a floor, worked out at once.

Every node of the floor's graph belongs to the place that is nearest to it by the way there; where the grounds of two
places touch, a way joins them (Mehlhorn's graph). A way over it is a little longer than the shortest, and costs a
thousandth of it; `Lattice.pull` straightens it.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import dijkstra

from lustra.robot.navigation.graph import Graph, Vertex, walk
from lustra.robot.navigation.lattice import STEPS, Lattice

MOST_NODES = 500_000  # the steps between the graph's nodes are as long as that takes

MARGIN = 5.0  # m round the places in which ways are looked for
OUTSIDE = (-(10**6), -(10**6))
NOWHERE = -1


@dataclass(frozen=True)
class Roadmap:
    """`grounds`: by place the number of its ground, NOWHERE where it joins no node. `before`: by node the next one on
    the way to its place. `doors`: by two grounds the nodes at which they touch."""

    graph: Graph
    grounds: dict[Vertex, int]
    before: NDArray[np.int32]
    links: csr_array
    doors: dict[tuple[int, int], tuple[int, int]]

    @classmethod
    def of(cls, lattice: Lattice, places: list[Vertex]) -> "Roadmap":
        known = list(dict.fromkeys(places))
        at = np.array(known, np.int64)
        margin = round(MARGIN / lattice.resolution)
        low, high = at.min(axis=0) - margin, at.max(axis=0) + margin
        size = int(np.prod(high - low))
        step = next((step for step in STEPS[1:] if size <= MOST_NODES * step**2), STEPS[-1])
        graph = lattice.window(low.tolist(), high.tolist(), step)
        nodes = graph.numbers(np.array([lattice.join(place, step) or OUTSIDE for place in known], np.int64))
        seeds, numbers = np.unique(nodes[nodes >= 0], return_inverse=True)
        grounds = dict.fromkeys(known, NOWHERE)
        places_joined = [place for place, node in zip(known, nodes.tolist(), strict=True) if node >= 0]
        grounds |= dict(zip(places_joined, numbers.tolist(), strict=True))
        if not len(seeds):
            return cls(graph, grounds, np.empty(0, np.int32), csr_array((0, 0)), {})
        far, before, sources = dijkstra(graph.links, indices=seeds, min_only=True, return_predecessors=True)
        owners = np.where(sources >= 0, np.searchsorted(seeds, sources), NOWHERE)
        links, doors = touching(graph, far, owners, len(seeds))
        return cls(graph, grounds, before, links, doors)

    def lengths(self, place: Vertex, limit: float) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """From the place's ground to each, infinite beyond the limit, and over which one it goes there."""
        far, before = dijkstra(self.links, indices=self.grounds[place], return_predecessors=True, limit=limit)
        return far, before

    def way(self, over: NDArray[np.int32], place: Vertex) -> list[Vertex]:
        """To that place, from the one whose `lengths` said over which grounds it goes."""
        chain = [self.grounds[place]]
        while (ground := int(over[chain[-1]])) >= 0:
            chain.append(ground)
        chain.reverse()
        path: list[Vertex] = []
        for a, b in itertools.pairwise(chain):
            out, into = self.doors[a, b]
            path += walk(self.graph, self.before, out) + walk(self.graph, self.before, into)[::-1]
        return path


def touching(
    graph: Graph, far: NDArray[np.float64], owners: NDArray[np.int64], count: int
) -> tuple[csr_array, dict[tuple[int, int], tuple[int, int]]]:
    """The shortest way between each two grounds that touch, and the nodes at which it goes over."""
    links = graph.links.tocoo()
    tails, heads = links.coords
    a, b = owners[tails], owners[heads]
    border = np.nonzero((a < b) & (a >= 0))[0]
    a, b, tails, heads = a[border], b[border], tails[border], heads[border]
    lengths = far[tails] + links.data[border] + far[heads]
    order = np.argsort(lengths, kind="stable")
    _, first = np.unique((a * count + b)[order], return_index=True)
    best = order[first]
    a, b, tails, heads, lengths = a[best], b[best], tails[best], heads[best], lengths[best]
    doors = {
        pair: nodes
        for ground, next_ground, out, into in zip(a.tolist(), b.tolist(), tails.tolist(), heads.tolist(), strict=True)
        for pair, nodes in (((ground, next_ground), (out, into)), ((next_ground, ground), (into, out)))
    }
    both = (np.concatenate([a, b]), np.concatenate([b, a]))
    return coo_array((np.concatenate([lengths, lengths]), both), shape=(count, count)).tocsr(), doors
