"""The lanes of a floor of an Open-RMF building, as rmf_traffic_editor writes them.

Rule: all that the file says of a lane and of its corners is kept: those of people, too, and what we have no word for.
"""

from typing import Any

import msgspec

from lustra.domains.map.formats.lane_graph import Lane, LaneCorner, LaneGraph, Value
from lustra.domains.map.formats.rmf.level import Level

KINDS = ("lanes", "human_lanes")
NAMED = ("bidirectional", "orientation", "speed_limit")  # a field of a lane each


def read_lanes(level: Level) -> LaneGraph | None:
    """None: the floor has no lanes. Raises ValueError and the like where a lane is none."""
    rows = [(kind, row) for kind in KINDS for row in level.rows(kind)]
    if not rows:
        return None
    ends = [int(end) for _, row in rows for end in row[:2]]
    if min(ends) < 0:
        raise ValueError("a corner has no number below 0")
    places = {number: place for place, number in enumerate(dict.fromkeys(ends))}
    lanes = [_read_lane(kind, row, places) for kind, row in rows]
    return LaneGraph([_read_corner(level, number) for number in places], lanes)


def _read_lane(kind: str, row: list[Any], places: dict[int, int]) -> Lane:
    start, end, *more = row
    properties = _read_properties(more[0] if more else {})
    lane = {
        "start": places[int(start)],
        "end": places[int(end)],
        "bidirectional": bool(properties.get("bidirectional", False)),
        "orientation": properties.get("orientation", ""),
        "speed": float(properties.get("speed_limit", 0.0)),
        "human": kind == "human_lanes",
        "properties": {name: value for name, value in properties.items() if name not in NAMED},
    }
    return msgspec.convert(lane, Lane)


def _read_corner(level: Level, number: int) -> LaneCorner:
    _, _, _, name, *more = level.content["vertices"][number]
    x, y = level.corner(number).tolist()
    return LaneCorner(round(x, 4), round(y, 4), str(name), _read_properties(more[0] if more else {}))


def _read_properties(listed: dict[str, Any]) -> dict[str, Value]:
    """Each stands there with the number of its type before its value."""
    return {str(name): msgspec.convert(value, Value) for name, (_, value) in listed.items()}
