"""What may be drawn on a map.

Rules: nothing lies beyond the map's edge; a point has a name that no other point of the map has, and stands on free
floor (one that stood elsewhere before and was not moved may stay); a shape has as many corners as make one; hours are
times of a day and do not end as they begin.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from lustra.domains.map.formats.image import Grey
from lustra.domains.map.formats.limits import refused
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.plan import FREE
from lustra.protocol.geometry import beyond, to_cell
from lustra.protocol.hours import fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lustra.protocol.bus import Eraser, Flag

Pose = tuple[float, float, float]


def refuse_bad_marks(marks: Marks, before: Marks, grid: Grey, resolution: float, origin: Pose) -> None:
    """`grid` has its first row at the top."""
    size = (grid.shape[1], grid.shape[0])
    shapes = [*marks.virtual_walls, *marks.forbidden_zones, *marks.free_areas, *marks.erasers]
    for shape in shapes:
        if beyond(shape.points, size, origin, resolution):
            raise refused("map_beyond_edge", "marks", name=shape.name)
    for hours in marks.timed:
        if reason := fault(hours.start, hours.end):
            raise refused(reason, "marks")
    stood = {(f.x, f.y) for f in before.flags}
    names: set[str] = set()
    for flag in marks.flags:
        if not flag.name.strip():
            raise refused("map_flag_name", "marks")
        if flag.name in names:
            raise refused("map_flag_twice", "marks", name=flag.name)
        names.add(flag.name)
        if beyond([(flag.x, flag.y)], size, origin, resolution):
            raise refused("map_beyond_edge", "marks", name=flag.name)
        if (flag.x, flag.y) not in stood and not stands_on_free_floor(flag, marks.erasers, grid, resolution, origin):
            raise refused("map_flag_in_wall", "marks", name=flag.name)


def stands_on_free_floor(
    flag: "Flag", erasers: "Sequence[Eraser]", grid: Grey, resolution: float, origin: Pose
) -> bool:
    column, row = to_cell((flag.x, flag.y), origin, resolution)
    row, column = min(row, grid.shape[0] - 1), min(column, grid.shape[1] - 1)  # the edge belongs to the map
    if grid[grid.shape[0] - 1 - row, column] == FREE:
        return True
    return any(_under(flag, stroke) for stroke in erasers)


def _under(flag: "Flag", stroke: "Eraser") -> bool:
    at = np.array([flag.x, flag.y])
    for a, b in zip(stroke.points, stroke.points[1:], strict=False):
        way, off = np.subtract(b, a), at - a
        along = min(max(float(off @ way) / (float(way @ way) or 1.0), 0.0), 1.0)
        if math.dist(at, np.add(a, way * along)) <= stroke.width / 2:
            return True
    return False
