"""The outlines of an area of cells as polygons: of rooms and of keep-out masks.

Rules: a polygon runs along the cells' edges and then is straightened by at most `slack` cells, never across itself; a
hole is reached by a cut, so that one ring tells the whole shape; what is smaller than `least` cells is noise. Cells
that meet at a corner are apart.
"""

import functools

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from lustra.domains.map.formats.limits import refused

Corner = tuple[float, float]  # column, row of the lattice of cell corners; the first row is row 0
MOST_EDGES = 200_000  # of cells, that one area may have: each takes 1.4 KB while they are joined
MOST_POINTS = 500  # of one shape, as on the wire


def outlines(area: NDArray[np.bool_], slack: float = 1.0, least: float = 8.0) -> list[list[Corner]]:
    """Rings of corners, smallest first, not repeating their first corner."""
    shells = [(Polygon(shape.exterior), shape) for shape in find_shapes(area)]
    large = sorted(((shell.area, shape) for shell, shape in shells if shell.area >= least), key=lambda pair: pair[0])
    return [straighten(shape, slack, least) for _, shape in large]


def find_shapes(area: NDArray[np.bool_]) -> list[Polygon]:
    """Connected parts of the area, with their holes; shells with a positive area as rows grow downwards."""
    padded = np.pad(area, 1)
    rows, columns = np.nonzero(padded[1:] != padded[:-1])
    across = np.stack([columns - 1, rows, columns, rows], 1)
    rows, columns = np.nonzero(padded[:, 1:] != padded[:, :-1])
    down = np.stack([columns, rows - 1, columns, rows], 1)
    edges = np.concatenate([across, down]).reshape(-1, 2, 2)
    if len(edges) > MOST_EDGES:
        raise refused("map_many_edges", most=MOST_EDGES)
    lines = np.asarray(shapely.linestrings(edges.astype(np.float64)))
    faces = shapely.get_parts(shapely.polygonize(lines))
    if not len(faces):
        return []
    x, y = np.floor(shapely.get_coordinates(shapely.point_on_surface(faces))).astype(int).T
    # Brought into one form, a ring begins at a corner, where straightening leaves it.
    return list(shapely.orient_polygons(shapely.normalize(faces[area[y, x]])))


def without_small_holes(shape: Polygon, least: float) -> Polygon:
    shell, *holes = (shapely.get_coordinates(ring) for ring in shapely.get_rings(shape))
    return Polygon(shell, [hole for hole in holes if Polygon(hole).area >= least])


def straighten(shape: Polygon, slack: float, least: float) -> list[Corner]:
    """One ring of at most MOST_POINTS corners: the slack, and with its square the least hole, grow until it is."""
    while True:
        straight = shapely.simplify(without_small_holes(shape, least), slack)
        shell, *holes = (shapely.get_coordinates(ring)[:-1] for ring in shapely.get_rings(straight))
        if len(shell) + sum(len(hole) + 2 for hole in holes) <= MOST_POINTS:
            ring = functools.reduce(cut_hole, holes, shell)
            return [(column, row) for column, row in ring.tolist()]
        slack *= 2
        least *= 4


def cut_hole(ring: NDArray[np.float64], hole: NDArray[np.float64]) -> NDArray[np.float64]:
    """One ring that goes into the hole and out again where both are nearest."""
    far = np.hypot(*(ring[:, None] - hole[None]).transpose(2, 0, 1))
    i, j = np.unravel_index(int(far.argmin()), far.shape)
    return np.concatenate([ring[: i + 1], hole[j:], hole[: j + 1], ring[i:]])
