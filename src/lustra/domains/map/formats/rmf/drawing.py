"""A floor of an Open-RMF building drawn as a map.

Rules: the floor is its grounds without their holes, or what walls and shut doors enclose where no ground is drawn; a
door is an opening in its wall. A hole is forbidden too. Elevators, chargers, holding points, doors, furniture and
reference points become points of the map, each with a name of its own; the file does not say how large furniture is.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from lustra.domains.map.formats.limits import MOST_COSTLY_CELLS, refused
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.domains.map.formats.rmf.lanes import read_lanes
from lustra.domains.map.formats.rmf.level import CELL, Level
from lustra.protocol.bus import Flag, Zone

WALL = 0.1  # m, as rmf_traffic_editor builds them

Frame = tuple[float, float, int, int]  # left and bottom in m, columns and rows
Place = NDArray[np.float64]
Kind = Literal["charging", "stop", "elevator", "other"]


class Points:
    """Points of one map: no two have one name."""

    def __init__(self) -> None:
        self.flags: list[Flag] = []
        self._names: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last one given, by name: thousands may have the same

    def add(self, name: str, kind: Kind, at: Place, yaw: float = 0.0) -> None:
        title, number = name, self._numbers.get(name, 1)
        while title in self._names:
            number += 1
            title = f"{name} {number}"
        self._names.add(title)
        self._numbers[name] = number
        self.flags.append(Flag(name=title, type=kind, x=round(float(at[0]), 4), y=round(float(at[1]), 4), yaw=yaw))


def draw_plan(building: str, level: Level, levels: list[Level], elevators: dict[str, Any], frame: Frame) -> Plan:
    left, bottom, width, height = frame
    grounds, holes = level.rows("floors"), level.rows("holes")
    picture = Image.new("L", (width, height), UNKNOWN if grounds else FREE)
    pen = ImageDraw.Draw(picture)

    def cell(at: Place) -> tuple[float, float]:
        return (at[0] - left) / CELL, height - (at[1] - bottom) / CELL

    def draw_lines(kind: str, fill: int) -> None:
        for a, b, *_ in level.rows(kind):
            pen.line([cell(level.corner(a)), cell(level.corner(b))], fill=fill, width=round(WALL / CELL))

    outlines = [[cell(level.corner(n)) for n in shape["vertices"]] for shape in [*grounds, *holes]]
    judge_grounds(outlines)
    for outline in outlines[: len(grounds)]:
        pen.polygon(outline, fill=FREE)
    draw_lines("walls", OCCUPIED)
    if not grounds:
        draw_lines("doors", OCCUPIED)
        picture.paste(Image.fromarray(fill_outside(np.asarray(picture))))
    draw_lines("doors", FREE)
    for outline in outlines[len(grounds) :]:
        pen.polygon(outline, fill=UNKNOWN)
    points = Points()
    add_points(points, level)
    for name, at, yaw, corners in find_cabins(level, levels, elevators):
        pen.polygon([cell(corner) for corner in corners], fill=FREE)
        points.add(name, "elevator", at, yaw)
    add_doors_and_furniture(points, level)
    name = " ".join(part for part in (building, level.name) if part)
    marks = Marks(flags=points.flags, forbidden_zones=[zone_of(level, hole, n) for n, hole in enumerate(holes, 1)])
    origin = (round(left, 6), round(bottom, 6), 0.0)
    grid = np.asarray(picture).copy()
    return Plan(name, CELL, origin, grid, marks, building, level.name, lane_graph=read_lanes(level))


def zone_of(level: Level, hole: dict[str, Any], number: int) -> Zone:
    corners = [level.corner(n).tolist() for n in hole["vertices"]]
    return Zone(name=f"Hole {number}", points=[(round(x, 4), round(y, 4)) for x, y in corners])


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


def add_points(points: Points, level: Level) -> None:
    """Named places and chargers."""
    for x, y, _, name, *more in level.content["vertices"]:
        about = more[0] if more else {}
        on = {key for key, (_, value) in about.items() if value is True}
        kind = "charging" if "is_charger" in on else "stop" if on & {"is_holding_point", "is_parking_spot"} else "other"
        if name and not any(key == "lift_cabin" for key in about):
            points.add(str(name), kind, level.place(x, y))


def add_doors_and_furniture(points: Points, level: Level) -> None:
    for a, b, about in level.rows("doors"):
        points.add(str(about.get("name", [1, ""])[1]) or "Door", "other", (level.corner(a) + level.corner(b)) / 2)
    for model in level.rows("models"):
        name = str(model.get("name") or model.get("model_name") or "Furniture").rsplit("/", 1)[-1]
        points.add(name, "other", level.place(model["x"], model["y"]))
    for x, y, name in level.rows("fiducials"):
        points.add(str(name), "other", level.place(x, y))


def find_cabins(
    level: Level, levels: list[Level], elevators: dict[str, Any]
) -> Iterator[tuple[str, Place, float, list[Place]]]:
    """Name, middle, yaw and corners of each lift that stops at this level."""
    for name, elevator in elevators.items():
        if level.name not in (elevator.get("level_doors") or {}):
            continue
        reference = elevator.get("reference_floor_name")
        base = next((candidate for candidate in levels if candidate.name == reference), levels[0])
        at, yaw = base.place(elevator["x"], elevator["y"]), float(elevator.get("yaw", 0))
        along, across = np.array([math.cos(yaw), math.sin(yaw)]), np.array([-math.sin(yaw), math.cos(yaw)])
        w, d = along * elevator["width"] / 2, across * elevator["depth"] / 2
        yield str(name), at, yaw, [at + w + d, at - w + d, at - w - d, at + w - d]
