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

from lustra.domains.map.formats import image
from lustra.domains.map.formats.archive import file_name
from lustra.domains.map.formats.bundle import FREE_THRESH, NOTES, OCCUPIED_THRESH, Notes, read_notes
from lustra.domains.map.formats.limits import judge_frame, refused
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.domains.map.formats.yaml_text import load_yaml

if TYPE_CHECKING:
    from numpy.typing import NDArray

PERCENT = 100
LONGEST_YAML = 64 * 1024
MODES = {"trinary", "scale", "raw"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """The fields of a map_server's yaml."""

    image: str
    resolution: float
    origin: tuple[float, float, float]
    negate: bool
    mode: str
    occupied: float
    free: float


def read_plan(name: str, text: bytes, files: Mapping[str, bytes]) -> Plan:
    """The map of a yaml, with its picture and its annotations among these files."""
    sheet = read_sheet(text)
    files_by_name = {file_name(path): data for path, data in files.items()}
    image_name = file_name(sheet.image)
    if image_name not in files_by_name:
        raise refused("map_image_missing", image=sheet.image[:200])
    picture = image.read(files_by_name[image_name])
    grid = classify(picture, sheet)
    notes = read_notes(files_by_name[NOTES], files_by_name) if NOTES in files_by_name else Notes()
    title = notes.name or PurePosixPath(name).stem
    return Plan(
        title,
        sheet.resolution,
        sheet.origin,
        grid,
        notes.marks(),
        notes.building,
        notes.floor,
        graded_cells=count_graded(picture, sheet),
        lane_graph=notes.lane_graph or None,
    )


def read_sheet(text: bytes) -> Sheet:
    values = load_yaml(text[:LONGEST_YAML])
    if not isinstance(values, dict):
        raise refused("map_no_yaml")
    picture = values.get("image")
    if not isinstance(picture, str) or not picture.strip():
        raise refused("map_image_missing", "image", image="")
    resolution = _read_number(values.get("resolution"))
    if resolution is None or resolution <= 0:
        raise refused("map_no_resolution", "resolution")
    mode = values.get("mode", "trinary")
    if mode not in MODES:
        raise refused("map_broken", "mode")
    occupied = _read_threshold(values, "occupied_thresh", OCCUPIED_THRESH)
    free = _read_threshold(values, "free_thresh", min(FREE_THRESH, occupied))
    if free > occupied:
        raise refused("map_broken", "free_thresh")
    origin = _read_origin(values.get("origin"))
    judge_frame(resolution, origin)
    return Sheet(picture, resolution, origin, _read_negate(values.get("negate", 0)), mode, occupied, free)


def _read_number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:  # "5e-2" without a dot is text to YAML 1.1
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _read_threshold(values: dict[str, Any], key: str, default: float) -> float:
    value = _read_number(values.get(key, default))
    if value is None or not 0 <= value <= 1:
        raise refused("map_broken", key)
    return value


def _read_origin(value: Any) -> tuple[float, float, float]:
    numbers = [_read_number(v) for v in value] if isinstance(value, list) and len(value) in {2, 3} else [None]
    x, y, yaw = [*numbers, 0.0][:3] if len(numbers) > 1 else (None, None, None)
    if x is None or y is None or yaw is None:
        raise refused("map_broken", "origin")
    return x, y, yaw


def _read_negate(value: Any) -> bool:
    if value not in (0, 1):  # True and False are 1 and 0
        raise refused("map_broken", "negate")
    return bool(value)


def classify(picture: image.Picture, sheet: Sheet) -> image.Grey:
    """Free, occupied or unknown for each cell. In `raw` mode a pixel is the occupancy in percent itself, over 100 is
    unknown; in `scale` mode what lies between the thresholds is a likelihood: neither sure enough, so unknown."""
    occupancy, known = read_levels(sheet)
    table = np.full(256, UNKNOWN, np.uint8)
    table[known & (occupancy > sheet.occupied)] = OCCUPIED
    table[known & (occupancy < sheet.free)] = FREE
    grid = image.look_up(table, picture.grey)
    if picture.clear is not None:
        grid[picture.clear] = UNKNOWN
    return grid


def read_levels(sheet: Sheet) -> tuple["NDArray[np.float64]", "NDArray[np.bool_]"]:
    """For each of the 256 greys: its occupancy, 0 to 1, and whether it says one."""
    levels = np.arange(256)
    if sheet.mode == "raw":
        return levels / PERCENT, levels <= PERCENT
    return (levels if sheet.negate else 255 - levels) / 255, np.ones(256, bool)


def count_graded(picture: image.Picture, sheet: Sheet) -> int:
    """How many cells say something between free and occupied, where the sheet says that greys mean degrees."""
    if sheet.mode == "trinary":
        return 0
    occupancy, known = read_levels(sheet)
    between = known & (occupancy > sheet.free) & (occupancy < sheet.occupied)
    return int(np.bincount(picture.grey.ravel(), minlength=256)[between].sum())
