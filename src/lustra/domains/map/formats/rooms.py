"""Rooms of a floor as polygons, found in its picture (segmentation.py), to be corrected by a person.

Rules: no two rooms overlap, and where they meet they have the very same edge; what stands in a room belongs to it, a
room within a room does not (a cut leads to it); they come as one reads, from the top left.
"""

import functools
import math

import numpy as np
import shapely
from shapely import Polygon
from shapely.affinity import translate

from lustra.domains.map.formats.limits import refused
from lustra.domains.map.formats.marks import Room
from lustra.domains.map.formats.outline import MOST_POINTS, cut_hole, find_shapes
from lustra.domains.map.formats.plan import FREE, Plan
from lustra.domains.map.formats.segmentation import label_rooms
from lustra.protocol.geometry import XY, from_cell
from lustra.protocol.masks import Cells
from lustra.protocol.raster import Labels, find_windows

CELL = 0.1  # m: fine enough for a door
MOST_CELLS = 1_500_000  # that are looked at
MOST_ROOMS = 300
SLACK = 1.5  # cells that an edge may be straightened by
LINE = 2.0  # m: rooms that begin within so much of height stand in one line


def find_rooms(plan: Plan) -> list[Room]:
    step = step_of(plan)
    labels = label_rooms(shrink_free(plan.grid == FREE, step), plan.resolution * step)
    if (count := int(labels.max())) > MOST_ROOMS:
        raise refused("map_many_rooms", "mapId", count=count, most=MOST_ROOMS)
    shapes = outline_rooms(labels)
    return [describe(shape, plan, step) for shape in in_reading_order(shapes, LINE / plan.resolution / step)]


def step_of(plan: Plan) -> int:
    """Cells of the picture on an edge of one that is looked at."""
    return max(1, math.floor(CELL / plan.resolution + 0.01), math.ceil(math.sqrt(plan.grid.size / MOST_CELLS)))


def shrink_free(free: Cells, step: int) -> Cells:
    """Free where all is, counted from the lower left corner."""
    height, width = free.shape
    padded = np.pad(free, ((-height % step, 0), (0, -width % step)))
    blocks = padded.reshape(padded.shape[0] // step, step, -1, step)
    return np.asarray(blocks.all(axis=(1, 3)))


def outline_rooms(labels: Labels) -> list[Polygon]:
    """Straightened together, so that what they share stays one; more and more, until no ring has too many corners."""
    shapes = [
        translate(largest_part(labels[window] == number), window[1].start, window[0].start)
        for number, window in enumerate(find_windows(labels), 1)
    ]
    solid = [without_furniture(shape, shapes) for shape in shapes]
    slack = SLACK
    while True:
        straight: list[Polygon] = shapely.coverage_simplify(solid, slack).tolist()
        if all(count_corners(shape) <= MOST_POINTS for shape in straight):
            return straight
        slack *= 2


def count_corners(shape: Polygon) -> int:
    """Of the ring that it becomes: each cut to a hole is gone twice."""
    return int(shapely.get_num_coordinates(shape) + shapely.get_num_interior_rings(shape))


def largest_part(cells: Cells) -> Polygon:
    return max(find_shapes(cells), key=lambda part: part.area)


def without_furniture(shape: Polygon, all_shapes: list[Polygon]) -> Polygon:
    """The shape without its holes, but for those in which another room lies."""
    shell, *rings = shapely.get_rings(shape)
    holes = [Polygon(ring) for ring in rings]
    places = [other.point_on_surface() for other in all_shapes if other is not shape] if holes else []
    return Polygon(shell, [hole.exterior for hole in holes if shapely.contains(hole, places).any()])


def in_reading_order(shapes: list[Polygon], line: float) -> list[Polygon]:
    return sorted(shapes, key=lambda shape: (shape.bounds[1] // line, shape.bounds[0]))


def describe(shape: Polygon, plan: Plan, step: int) -> Room:
    rows = -(-plan.grid.shape[0] // step)
    cell = plan.resolution * step

    def metres(column: float, row: float) -> XY:
        x, y = from_cell(column, rows - row, plan.origin, cell)
        return round(x, 3), round(y, 3)

    shell, *holes = (shapely.get_coordinates(ring)[:-1] for ring in shapely.get_rings(shape))
    ring = functools.reduce(cut_hole, holes, shell)
    at = shape.point_on_surface()
    return Room(
        points=[metres(column, row) for column, row in ring.tolist()],
        at=metres(at.x, at.y),
        area=round(shape.area * cell**2, 2),
    )
