"""Maps made elsewhere: map_server's yaml with its picture.

Rules: the yaml names its picture (folders in the name do not matter); free, occupied and unknown are what map_server
makes of the pixels (`negate`, `mode`, `occupied_thresh`, `free_thresh`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from lustra.domains.map import image
from lustra.domains.map.archive import last
from lustra.domains.map.bundle import FREE_THRESH, NOTES, OCCUPIED_THRESH, Notes, read_notes
from lustra.domains.map.limits import judge_frame, refused
from lustra.domains.map.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.domains.map.yaml_text import load_yaml

if TYPE_CHECKING:
    from numpy.typing import NDArray

PERCENT = 100
LONGEST_YAML = 64 * 1024
MODES = {"trinary", "scale", "raw"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the yaml says."""

    image: str
    resolution: float
    origin: tuple[float, float, float]
    negate: bool
    mode: str
    occupied: float
    free: float


def parse(name: str, text: bytes, files: Mapping[str, bytes]) -> Plan:
    """The map of a yaml, with its picture and its annotations among these files."""
    sheet = read_sheet(text)
    beside = {last(path): data for path, data in files.items()}
    wanted = last(sheet.image)
    if wanted not in beside:
        raise refused("map_image_missing", image=sheet.image[:200])
    grid = classify(image.read(beside[wanted]), sheet)
    notes = read_notes(beside[NOTES], beside) if NOTES in beside else Notes()
    title = notes.name or PurePosixPath(name).stem
    return Plan(title, sheet.resolution, sheet.origin, grid, notes.marks(), notes.building, notes.floor)


def read_sheet(text: bytes) -> Sheet:
    told = load_yaml(text[:LONGEST_YAML])
    if not isinstance(told, dict):
        raise refused("map_no_yaml")
    picture = told.get("image")
    if not isinstance(picture, str) or not picture.strip():
        raise refused("map_image_missing", "image", image="")
    resolution = _number(told.get("resolution"))
    if resolution is None or resolution <= 0:
        raise refused("map_no_resolution", "resolution")
    mode = told.get("mode", "trinary")
    if mode not in MODES:
        raise refused("map_broken", "mode")
    occupied = _threshold(told, "occupied_thresh", OCCUPIED_THRESH)
    free = _threshold(told, "free_thresh", min(FREE_THRESH, occupied))
    if free > occupied:
        raise refused("map_broken", "free_thresh")
    origin = _origin(told.get("origin"))
    judge_frame(resolution, origin)
    return Sheet(picture, resolution, origin, _flag(told.get("negate", 0)), mode, occupied, free)


def _number(told: Any) -> float | None:
    if isinstance(told, bool) or not isinstance(told, int | float | str):
        return None
    try:  # "5e-2" without a dot is text to YAML 1.1
        value = float(told)
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _threshold(told: dict[str, Any], key: str, default: float) -> float:
    value = _number(told.get(key, default))
    if value is None or not 0 <= value <= 1:
        raise refused("map_broken", key)
    return value


def _origin(told: Any) -> tuple[float, float, float]:
    values = [_number(v) for v in told] if isinstance(told, list) and len(told) in {2, 3} else [None]
    x, y, yaw = [*values, 0.0][:3] if len(values) > 1 else (None, None, None)
    if x is None or y is None or yaw is None:
        raise refused("map_broken", "origin")
    return x, y, yaw


def _flag(told: Any) -> bool:
    if told not in (0, 1):  # True and False are 1 and 0
        raise refused("map_broken", "negate")
    return bool(told)


def classify(picture: image.Picture, sheet: Sheet) -> image.Grey:
    """Free, occupied or unknown for each cell. In `raw` mode a pixel is the occupancy in percent itself, over 100 is
    unknown; in `scale` mode what lies between the thresholds is a likelihood: neither sure enough, so unknown."""
    levels = np.arange(256)
    if sheet.mode == "raw":
        occupancy: NDArray[np.float64] = levels / PERCENT
        told = levels <= PERCENT
    else:
        occupancy = (levels if sheet.negate else 255 - levels) / 255
        told = np.ones(256, bool)
    table = np.full(256, UNKNOWN, np.uint8)
    table[told & (occupancy > sheet.occupied)] = OCCUPIED
    table[told & (occupancy < sheet.free)] = FREE
    grid = image.look_up(table, picture.grey)
    if picture.clear is not None:
        grid[picture.clear] = UNKNOWN
    return grid
