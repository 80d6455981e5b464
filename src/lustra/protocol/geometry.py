"""Shapes in the map frame: metres, y up, yaw in radians counter-clockwise from +x (REP 103). Plain numbers only: every
process and every robot imports this, and an area alone is not worth loading shapely for."""

import math
from collections.abc import Sequence

XY = tuple[float, float]


def area(ring: Sequence[XY]) -> float:
    """Area of a polygon in m², whichever way round it goes (shoelace)."""
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, [*ring[1:], *ring[:1]], strict=True))) / 2


def is_near(ring: Sequence[XY], at: XY, reach: float) -> bool:
    """Whether a point lies in a polygon (even and odd), or at most `reach` m from its edge."""
    inside = False
    for a, b in zip(ring, [*ring[1:], *ring[:1]], strict=True):
        if distance_to_side(at, a, b) <= reach:
            return True
        if (a[1] > at[1]) != (b[1] > at[1]):
            inside ^= at[0] < a[0] + (at[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
    return inside


def distance_to_side(at: XY, a: XY, b: XY) -> float:
    """From a point to the nearest one between two others, m."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    along = min(max(((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length / length, 0.0), 1.0) if length else 0.0
    return math.hypot(at[0] - a[0] - along * dx, at[1] - a[1] - along * dy)


def to_cell(at: XY, origin: tuple[float, float, float], resolution: float) -> tuple[int, int]:
    """Column and row of the cell that holds a point. Row 0 is the lowest, as in nav_msgs/OccupancyGrid."""
    dx, dy, yaw = at[0] - origin[0], at[1] - origin[1], origin[2]
    along, across = dx * math.cos(yaw) + dy * math.sin(yaw), dy * math.cos(yaw) - dx * math.sin(yaw)
    return math.floor(along / resolution), math.floor(across / resolution)


def from_cell(column: float, row: float, origin: tuple[float, float, float], resolution: float) -> XY:
    """The point at a (fractional) column and row; the middle of a cell is at +0.5."""
    along, across, yaw = column * resolution, row * resolution, origin[2]
    return (
        origin[0] + along * math.cos(yaw) - across * math.sin(yaw),
        origin[1] + along * math.sin(yaw) + across * math.cos(yaw),
    )


def beyond(
    points: Sequence[XY], size: tuple[int, int], origin: tuple[float, float, float], resolution: float
) -> list[XY]:
    """Those of the points that lie beyond the map's edge; the edge itself belongs to the map."""
    slack = 1e-6
    out: list[XY] = []
    for at in points:
        dx, dy, yaw = at[0] - origin[0], at[1] - origin[1], origin[2]
        along = (dx * math.cos(yaw) + dy * math.sin(yaw)) / resolution
        across = (dy * math.cos(yaw) - dx * math.sin(yaw)) / resolution
        if not (-slack <= along <= size[0] + slack and -slack <= across <= size[1] + slack):
            out.append(at)
    return out
