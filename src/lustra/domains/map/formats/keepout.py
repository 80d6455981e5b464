"""Keep-out masks of navigation (a map_server yaml with its picture) as forbidden zones of a map.

Rules: what the mask has as occupied is forbidden, however coarse its cells are; what of it lies beyond the map is left
away. A mask whose greys are degrees is one of speeds, and refused for that. The other way, what may never or at some
hours not be entered is occupied: a mask knows no hours.
"""

import math
from collections.abc import Mapping

import msgspec
import numpy as np
from PIL import Image, ImageDraw

from lustra.domains.map.formats import detection
from lustra.domains.map.formats.limits import refused
from lustra.domains.map.formats.outline import outlines
from lustra.domains.map.formats.plan import FREE, OCCUPIED, Plan
from lustra.protocol.bus import Zone
from lustra.protocol.geometry import XY, beyond, from_cell, to_cell

MOST = 200
SPECK_M2 = 0.02  # less is noise
SLACK_M = 0.05  # how far an edge may be straightened
WALL = 0.1  # m: the width of a virtual wall in a mask


class Frame(msgspec.Struct):
    """Where a map's cells lie: columns and rows, m of a cell, pose of the lower left corner."""

    width: int
    height: int
    resolution: float
    origin: tuple[float, float, float]


def zones(files: Mapping[str, bytes], onto: Frame) -> list[Zone]:
    (mask, *more) = detection.read_plans(files)
    if more:
        raise refused("map_several", count=len(more) + 1)
    if mask.shows_speeds:
        raise refused("map_speed_mask")
    height = mask.grid.shape[0]
    zones: list[Zone] = []
    slack, least = SLACK_M / mask.resolution, SPECK_M2 / mask.resolution**2
    for ring in outlines(mask.grid == OCCUPIED, slack, least):
        corners = (from_cell(c, height - r, mask.origin, mask.resolution) for c, r in ring)
        points = [_within((round(x, 4), round(y, 4)), onto) for x, y in corners]
        if len({(round(x, 3), round(y, 3)) for x, y in points}) > 2:  # noqa: PLR2004  (a polygon has three corners)
            zones.append(Zone(points=points))
    if len(zones) > MOST:
        raise refused("map_many_zones", count=len(zones), most=MOST)
    return zones


def draw_mask(plan: Plan) -> Plan:
    """The map's frame, occupied where a forbidden zone or a virtual wall is, and free elsewhere."""
    height, width = plan.grid.shape
    picture = Image.new("L", (width, height), FREE)
    pen = ImageDraw.Draw(picture)

    def cells(points: list[XY]) -> list[XY]:
        return [to_pen(point, plan.origin, plan.resolution, height) for point in points]

    for zone in plan.marks.forbidden_zones:
        pen.polygon(cells(zone.points), fill=OCCUPIED)
    for wall in plan.marks.virtual_walls:
        pen.line(cells(wall.points), fill=OCCUPIED, width=max(1, round(WALL / plan.resolution)))
    return Plan(plan.name, plan.resolution, plan.origin, np.asarray(picture))


def to_pen(at: XY, origin: tuple[float, float, float], resolution: float, height: int) -> XY:
    """Column and row as the pen counts them: by the middles of cells, from the top."""
    dx, dy, yaw = at[0] - origin[0], at[1] - origin[1], origin[2]
    along, across = dx * math.cos(yaw) + dy * math.sin(yaw), dy * math.cos(yaw) - dx * math.sin(yaw)
    return along / resolution - 0.5, height - across / resolution - 0.5


def _within(at: XY, onto: Frame) -> XY:
    if not beyond([at], (onto.width, onto.height), onto.origin, onto.resolution):
        return at
    column, row = to_cell(at, onto.origin, onto.resolution)
    return from_cell(min(max(column, 0), onto.width), min(max(row, 0), onto.height), onto.origin, onto.resolution)
