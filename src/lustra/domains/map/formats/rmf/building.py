"""Buildings of Open-RMF (building.yaml): every floor a map, all in the frame of the first one.

Rules: a floor has its own metres per pixel, from what was measured on it, else from its fiducials; floors lie above
each other by their fiducials of the same name. In a file drawn over pictures y grows downwards, in one of metres
upwards as here; places on the globe are refused. All floors are measured before the first is drawn: together they keep
to the cells of one map. Lanes are kept beside the map (ADR 29).
"""

import math
from typing import Any

import msgspec
import numpy as np

from lustra.domains.map.formats.limits import MOST_COSTLY_CELLS, refused
from lustra.domains.map.formats.plan import Plan
from lustra.domains.map.formats.rmf.drawing import draw_plan
from lustra.domains.map.formats.rmf.level import Level, Turn, measure_level, shared_points
from lustra.domains.map.formats.yaml_text import load_yaml

LONGEST = 2 << 20  # bytes
MOST_FLOORS = 100
PICTURE = "reference_image"  # values of coordinate_system that we read
METRES = "cartesian_meters"
GLOBE = {"wgs84", "web_mercator"}
BROKEN = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, msgspec.ValidationError)


def is_building(text: bytes) -> bool:
    return b"levels:" in text and b"vertices:" in text


def read_plans(text: bytes) -> list[Plan]:
    if len(text) > LONGEST:
        raise refused("map_yaml_vast")
    content = load_yaml(text)
    try:
        return _read_building(content)
    except BROKEN:
        raise refused("map_broken", "levels") from None


def _read_building(content: dict[str, Any]) -> list[Plan]:
    up = read_direction(content.get("coordinate_system", PICTURE))
    if len(content["levels"]) > MOST_FLOORS:
        raise refused("map_many_floors", "levels", most=MOST_FLOORS)
    scales = {name: 1.0 if up > 0 else read_scale(level) for name, level in content["levels"].items()}
    known = [s for s in scales.values() if s]
    if not known:
        raise refused("map_no_resolution", "measurements")
    levels: list[Level] = []
    for name, level in content["levels"].items():
        base = levels[0] if levels else None
        metres = scales[name] or (base and scale_by_fiducials(base, level, up)) or known[0]
        turn, shift = align_to(base, level, metres, up) if base else (np.eye(2), np.zeros(2))
        levels.append(Level(str(name), level, metres, up, turn, shift))
    frames = [measure_level(level) for level in levels]
    cells = sum(width * height for *_, width, height in frames)
    if cells > MOST_COSTLY_CELLS:
        raise refused("map_many_cells", "levels", cells=cells, most=MOST_COSTLY_CELLS)
    building, elevators = str(content.get("name", "")), content.get("lifts") or {}
    return [draw_plan(building, level, levels, elevators, frame) for level, frame in zip(levels, frames, strict=True)]


def read_direction(system: Any) -> float:
    """1 where y grows upwards and lengths are metres, -1 where it grows downwards in pixels."""
    if system in GLOBE:
        raise refused("map_globe", "coordinate_system", system=system)
    if system not in (PICTURE, METRES):
        raise refused("map_broken", "coordinate_system")
    return 1.0 if system == METRES else -1.0


def read_scale(level: dict[str, Any]) -> float | None:
    """Metres of a pixel: the mean over what was measured."""
    scales: list[float] = []
    for a, b, about in level.get("measurements") or []:
        length = math.dist(level["vertices"][a][:2], level["vertices"][b][:2])
        if length > 0 and about["distance"][1] > 0:
            scales.append(about["distance"][1] / length)
    return sum(scales) / len(scales) if scales else None


def scale_by_fiducials(base: Level, level: dict[str, Any], up: float) -> float | None:
    """Metres of a pixel by which this level's fiducials lie as far apart as those of the base; None: too few."""
    own, others = shared_points(base, level, 1.0, up)
    spread = math.hypot(*(own - own.mean(0)).flat) if len(own) > 1 else 0.0
    return math.hypot(*(others - others.mean(0)).flat) / spread or None if spread else None


def align_to(base: Level, level: dict[str, Any], metres: float, up: float) -> tuple[Turn, Turn]:
    """The turn and shift that bring this level's fiducials onto those of the base; its own scale stays."""
    a, b = shared_points(base, level, metres, up)
    if not len(a):
        return np.eye(2), np.zeros(2)
    u, v = a - a.mean(0), b - b.mean(0)
    angle = math.atan2(float((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum()), float((u * v).sum()))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return turn, b.mean(0) - turn @ a.mean(0)
