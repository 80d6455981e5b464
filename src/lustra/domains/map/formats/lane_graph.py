"""Lanes of a building: the corners and one-way edges that a scheduler of many makers' robots drives by (ADR 29).

Rules: they are kept with a map for reference and are no marks of it; nobody draws on them, and no robot is given them.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from lustra.core.errors import Code, Refusal

Value = str | bool | int | float
MOST_LANES = 5000
LONGEST_TEXT = 200
FARTHEST = 1e7  # m, as of whatever is drawn


class LaneCorner(msgspec.Struct):
    """In m, in the map's frame. `properties`: all that the file says of it, by name."""

    x: float
    y: float
    name: str = ""
    properties: dict[str, Value] = {}


class Lane(msgspec.Struct):
    """From corner to corner, by their places in the list. `orientation`: how a robot shall point on it; empty: either
    way. `speed`: its limit in m/s; 0: none. `human`: people walk there. `properties`: what else the file says."""

    start: int
    end: int
    bidirectional: bool = False
    orientation: Literal["", "forward", "backward"] = ""
    speed: float = 0.0
    human: bool = False
    properties: dict[str, Value] = {}


class LaneGraph(msgspec.Struct):
    corners: list[LaneCorner]
    lanes: list[Lane]


def judge_lane_graph(graph: LaneGraph | None) -> None:
    """What goes into the database and out to everybody's list: whole, finite, within reach, and not vast."""
    if graph is None:
        return
    if max(len(graph.lanes), len(graph.corners)) > MOST_LANES:
        raise _refused("map_many_marks", most=MOST_LANES)
    ends = [end for lane in graph.lanes for end in (lane.start, lane.end)]
    if not all(0 <= end < len(graph.corners) for end in ends):
        raise _refused("map_broken")
    if not all(abs(number) <= FARTHEST for number in _numbers(graph)):  # false of NaN, too
        raise _refused("map_range", least=-FARTHEST, most=FARTHEST)
    if any(len(text) > LONGEST_TEXT or "\0" in text for text in _texts(graph)):
        raise _refused("map_broken")


def _refused(reason: str, **values: object) -> Refusal:
    return Refusal(Code.MAP_REFUSED, "lanes", reason=reason, **values)


def _values(graph: LaneGraph) -> Iterable[Value]:
    for part in (*graph.corners, *graph.lanes):
        yield from part.properties.values()


def _numbers(graph: LaneGraph) -> Iterable[float]:
    for corner in graph.corners:
        yield from (corner.x, corner.y)
    for lane in graph.lanes:
        yield lane.speed
    yield from (value for value in _values(graph) if not isinstance(value, str))


def _texts(graph: LaneGraph) -> Iterable[str]:
    for corner in graph.corners:
        yield from (corner.name, *corner.properties)
    for lane in graph.lanes:
        yield from lane.properties
    yield from (value for value in _values(graph) if isinstance(value, str))
