"""Buildings of Open-RMF (building.yaml): every floor a map, all in the frame of the first one.

Rules: a floor has its own metres per pixel, from what was measured on it; floors lie above each other by their
fiducials of the same name; y grows downwards in the file and upwards here; a floor that has no ground drawn is what
its walls enclose. Elevators, chargers, holding points and cleaning zones become points of the map. All floors are
measured before the first is drawn: together they keep to the cells of one map.
"""

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from lustra.domains.map.formats.limits import MOST_COSTLY_CELLS, judge_size, refused
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.domains.map.formats.yaml_text import load_yaml
from lustra.protocol.bus import Flag

CELL = 0.05  # m
WALL = 0.1  # m, as rmf_traffic_editor builds them
MARGIN = 0.5  # m round the floor
LONGEST = 2 << 20  # bytes
MOST_FLOORS = 100
BROKEN = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError)


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


@dataclass(frozen=True)
class Level:
    name: str
    content: dict[str, Any]
    metres: float  # of a pixel
    turn: NDArray[np.float64]  # into the building's frame
    shift: NDArray[np.float64]

    def place(self, x: float, y: float) -> NDArray[np.float64]:
        return self.turn @ (np.array([x, -y], float) * self.metres) + self.shift

    def corner(self, number: int) -> NDArray[np.float64]:
        return self.place(*self.content["vertices"][number][:2])


def _read_building(content: dict[str, Any]) -> list[Plan]:
    if len(content["levels"]) > MOST_FLOORS:
        raise refused("map_many_floors", "levels", most=MOST_FLOORS)
    scales = {name: read_scale(level) for name, level in content["levels"].items()}
    known = [s for s in scales.values() if s]
    if not known:
        raise refused("map_no_resolution", "measurements")
    levels: list[Level] = []
    for name, level in content["levels"].items():
        metres = scales[name] or known[0]
        turn, shift = align_to(levels[0], level, metres) if levels else (np.eye(2), np.zeros(2))
        levels.append(Level(str(name), level, metres, turn, shift))
    frames = [measure_level(level) for level in levels]
    cells = sum(width * height for *_, width, height in frames)
    if cells > MOST_COSTLY_CELLS:
        raise refused("map_many_cells", "levels", cells=cells, most=MOST_COSTLY_CELLS)
    building, elevators = str(content.get("name", "")), content.get("lifts") or {}
    return [_draw_plan(building, level, levels, elevators, frame) for level, frame in zip(levels, frames, strict=True)]


def read_scale(level: dict[str, Any]) -> float | None:
    """Metres of a pixel: the mean over what was measured."""
    scales: list[float] = []
    for a, b, about in level.get("measurements") or []:
        length = math.dist(level["vertices"][a][:2], level["vertices"][b][:2])
        if length > 0 and about["distance"][1] > 0:
            scales.append(about["distance"][1] / length)
    return sum(scales) / len(scales) if scales else None


def align_to(base: Level, level: dict[str, Any], metres: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The turn and shift that bring this level's fiducials onto those of the base; its own scale stays."""
    own_points = {name: np.array([x, -y]) * metres for x, y, name in level.get("fiducials") or []}
    base_points = {name: base.place(x, y) for x, y, name in base.content.get("fiducials") or []}
    shared_names = [name for name in own_points if name in base_points]
    if not shared_names:
        return np.eye(2), np.zeros(2)
    a, b = np.array([own_points[n] for n in shared_names]), np.array([base_points[n] for n in shared_names])
    u, v = a - a.mean(0), b - b.mean(0)
    angle = math.atan2(float((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum()), float((u * v).sum()))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return turn, b.mean(0) - turn @ a.mean(0)


def measure_level(level: Level) -> tuple[float, float, int, int]:
    """Left and bottom in m, columns and rows."""
    corners = np.array([level.corner(n) for n in range(len(level.content["vertices"]))])
    if not np.isfinite(corners).all():
        raise refused("map_broken", "vertices")
    left, bottom = (np.floor((corners.min(0) - MARGIN) / CELL) * CELL).tolist()
    columns, rows = np.ceil((corners.max(0) + MARGIN - (left, bottom)) / CELL).tolist()
    judge_size(int(columns), int(rows), MOST_COSTLY_CELLS)
    return left, bottom, int(columns), int(rows)


def _draw_plan(
    building: str, level: Level, levels: list[Level], elevators: dict[str, Any], frame: tuple[float, float, int, int]
) -> Plan:
    left, bottom, width, height = frame
    grounds = level.content.get("floors") or []
    picture = Image.new("L", (width, height), UNKNOWN if grounds else FREE)
    pen = ImageDraw.Draw(picture)

    def cell(at: NDArray[np.float64]) -> tuple[float, float]:
        return (at[0] - left) / CELL, height - (at[1] - bottom) / CELL

    outlines = [[cell(level.corner(n)) for n in ground["vertices"]] for ground in grounds]
    judge_grounds(outlines)
    for outline in outlines:
        pen.polygon(outline, fill=FREE)
    for a, b, *_ in level.content.get("walls") or []:
        pen.line([cell(level.corner(a)), cell(level.corner(b))], fill=OCCUPIED, width=round(WALL / CELL))
    if not grounds:
        picture.paste(Image.fromarray(fill_outside(np.asarray(picture))))
    flags = [*read_points(level), *draw_cabins(level, levels, elevators, pen, cell)]
    grid = np.asarray(picture).copy()
    name = " ".join(part for part in (building, level.name) if part)
    origin = (round(left, 6), round(bottom, 6), 0.0)
    return Plan(name, CELL, origin, grid, Marks(flags=flags), building, level.name)


def judge_grounds(outlines: list[list[tuple[float, float]]]) -> None:
    """Before they are drawn: those of a building lie beside each other, whoever lays thousands over all wants work."""
    boxes = [np.ptp(np.array(outline), axis=0) for outline in outlines]
    together = round(float(sum(width * height for width, height in boxes)))
    if together > 4 * MOST_COSTLY_CELLS:
        raise refused("map_many_cells", "floors", cells=together, most=4 * MOST_COSTLY_CELLS)


def fill_outside(grid: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Unknown as far as one comes from the upper left corner through cells of its kind, by runs of them in a row."""
    edges = np.diff(np.pad(grid == grid[0, 0], ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    first = np.searchsorted(rows, np.arange(grid.shape[0] + 1)).tolist()  # run of each row
    row_of, begin_of, end_of = rows.tolist(), begins.tolist(), ends.tolist()
    reached, waiting = {0}, [0]
    filled = grid.copy()
    while waiting:
        run = waiting.pop()
        row, begin, end = row_of[run], begin_of[run], end_of[run]
        filled[row, begin:end] = UNKNOWN
        for beside in {max(row - 1, 0), min(row + 1, grid.shape[0] - 1)} - {row}:
            low = bisect_right(end_of, begin, first[beside], first[beside + 1])
            high = bisect_left(begin_of, end, first[beside], first[beside + 1])
            new = set(range(low, high)) - reached
            reached |= new
            waiting += new
    return filled


def read_points(level: Level) -> list[Flag]:
    """Named places and chargers."""
    flags: list[Flag] = []
    names: set[str] = set()
    for number, (x, y, _, name, *more) in enumerate(level.content["vertices"]):
        about = more[0] if more else {}
        on = {key for key, (_, value) in about.items() if value is True}
        kind = "charging" if "is_charger" in on else "stop" if on & {"is_holding_point", "is_parking_spot"} else "other"
        if name and not any(key == "lift_cabin" for key in about):
            at = level.place(x, y)
            title = f"{name} {number}" if name in names else str(name)
            names.add(title)
            flags.append(Flag(name=title, type=kind, x=round(float(at[0]), 4), y=round(float(at[1]), 4)))
    return flags


def draw_cabins(
    level: Level, levels: list[Level], elevators: dict[str, Any], pen: ImageDraw.ImageDraw, cell: Any
) -> list[Flag]:
    """Lifts that stop at this level: their floor is free, and a point stands in them."""
    flags: list[Flag] = []
    for name, elevator in elevators.items():
        if level.name not in (elevator.get("level_doors") or {}):
            continue
        base = next(
            (candidate for candidate in levels if candidate.name == elevator.get("reference_floor_name")), levels[0]
        )
        at, yaw = base.place(elevator["x"], elevator["y"]), float(elevator.get("yaw", 0))
        along, across = np.array([math.cos(yaw), math.sin(yaw)]), np.array([-math.sin(yaw), math.cos(yaw)])
        w, d = along * elevator["width"] / 2, across * elevator["depth"] / 2
        pen.polygon([cell(at + w + d), cell(at - w + d), cell(at - w - d), cell(at + w - d)], fill=FREE)
        x, y = round(float(at[0]), 4), round(float(at[1]), 4)
        flags.append(Flag(name=str(name), type="elevator", x=x, y=y, yaw=yaw))
    return flags
