"""Maps of vacuum robots as Valetudo tells them (ValetudoMap, JSON): rooms, walls, no-go areas and the dock.

Rules: lengths are centimetres, y grows downwards; here they are metres, y up, from the same origin, so that a place of
the robot's is found again. An angle is clockwise from north, in degrees. All layers are measured together before the
first cell is drawn. Where it must not mop it must not go: our robots clean wet. A map has the name of its file.
"""

import math
from pathlib import PurePath
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from lustra.domains.map.formats.limits import (
    LARGEST_CELL,
    LONGEST_SIDE,
    MOST_COSTLY_CELLS,
    SMALLEST_CELL,
    judge_size,
    refused,
)
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.outline import outlines
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.protocol.bus import Flag, Zone

CM = 0.01
MARGIN = 10  # cells that stay unknown round the floor
KIND = b'"ValetudoMap"'
HEAD = 4096
LONGEST = 32 << 20  # bytes
MOST_RUNS = 1_000_000  # of all layers
FARTHEST_CELL = 1_000_000
PATHS = {"path", "predicted_path"}

Runs = NDArray[np.int64]  # rows of column, row, count


class Layer(msgspec.Struct):
    type: str
    pixels: list[int] = []
    compressed: list[int] = msgspec.field(name="compressedPixels", default=[])
    about: dict[str, Any] = msgspec.field(name="metaData", default={})


class Entity(msgspec.Struct):
    type: str
    points: list[float] = []
    about: dict[str, Any] = msgspec.field(name="metaData", default={})


class ValetudoMap(msgspec.Struct):
    pixel: float = msgspec.field(name="pixelSize")
    layers: list[Layer] = []
    entities: list[Entity] = []


def is_valetudo(data: bytes) -> bool:
    return KIND in data[:HEAD] or KIND in data[-HEAD:]


def read_runs(layer: Layer) -> Runs:
    """The layer's cells as runs; files of old versions list each cell instead."""
    try:
        if layer.compressed:
            runs = np.array(layer.compressed[: len(layer.compressed) // 3 * 3], np.int64).reshape(-1, 3)
        else:
            cells = np.array(layer.pixels[: len(layer.pixels) // 2 * 2], np.int64).reshape(-1, 2)
            runs = np.concatenate([cells, np.ones((len(cells), 1), np.int64)], axis=1)
    except OverflowError:
        raise refused("map_broken", "compressedPixels") from None
    if (np.minimum(runs[:, :2], -runs[:, :2]) < -FARTHEST_CELL).any() or runs[:, 2].max(initial=0) > LONGEST_SIDE:
        raise refused("map_broken", "compressedPixels")
    if (runs[:, 2] < 0).any() or (layer.compressed and (runs < 0).any()):
        raise refused("map_broken", "compressedPixels")
    return runs[runs[:, 2] > 0]


def bounding_box(runs: Runs) -> tuple[int, int, int, int]:
    """Left and top cell, and the cells just beyond right and bottom."""
    left, top = runs[:, :2].min(axis=0).tolist()
    return left, top, int((runs[:, 0] + runs[:, 2]).max()), int(runs[:, 1].max()) + 1


def read_plan(name: str, data: bytes) -> Plan:
    content = decode(data)
    layers = [(layer, runs) for layer in content.layers if len(runs := read_runs(layer))]
    if not layers:
        raise refused("map_no_image")
    boxes = [bounding_box(runs) for _, runs in layers]
    left, top = min(b[0] for b in boxes) - MARGIN, min(b[1] for b in boxes) - MARGIN
    width, height = max(b[2] for b in boxes) + MARGIN - left, max(b[3] for b in boxes) + MARGIN - top
    judge_size(width, height, MOST_COSTLY_CELLS)
    together = sum((b[2] - b[0]) * (b[3] - b[1]) for b in boxes)
    if together > 4 * MOST_COSTLY_CELLS:  # rooms lie beside each other, but their boxes overlap
        raise refused("map_many_cells", cells=together, most=4 * MOST_COSTLY_CELLS)
    resolution = content.pixel * CM
    grid = np.full((height, width), UNKNOWN, np.uint8)
    rooms: list[Zone] = []

    def metres(column: float, row: float) -> tuple[float, float]:
        return round(column * resolution, 4), round(-row * resolution, 4)

    for layer, runs in sorted(layers, key=lambda pair: pair[0].type == "wall"):
        column, row, right, bottom = bounding_box(runs)
        mask = draw_runs(runs, (column, row, right, bottom))
        cut = grid[row - top : bottom - top, column - left : right - left]
        cut[mask] = OCCUPIED if layer.type == "wall" else FREE
        if layer.type == "segment":
            ring = max(outlines(mask), key=len, default=[])
            room = str(layer.about.get("name") or layer.about.get("segmentId") or "")
            if ring:
                rooms.append(Zone(name=room, points=[metres(c + column, r + row) for c, r in ring]))
    marks = Marks(free_areas=rooms)
    for entity in content.entities:
        corners = [
            metres(x / content.pixel, y / content.pixel)
            for x, y in zip(entity.points[::2], entity.points[1::2], strict=False)
        ]
        add_mark(marks, entity, corners)
    paths = sum(entity.type in PATHS for entity in content.entities)
    origin = (*metres(left, top + height), 0.0)
    return Plan(PurePath(name).stem, resolution, origin, grid, marks, left_out={"paths": paths} if paths else {})


def decode(data: bytes) -> ValetudoMap:
    if len(data) > LONGEST:
        raise refused("map_broken", "files")
    try:
        content = msgspec.json.decode(data, type=ValetudoMap)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise refused("map_broken", "files") from None
    if not content.pixel > 0:
        raise refused("map_no_resolution", "pixelSize")
    if not SMALLEST_CELL <= content.pixel * CM <= LARGEST_CELL:
        raise refused("map_range", "pixelSize", least=SMALLEST_CELL / CM, most=LARGEST_CELL / CM)
    if sum(len(layer.compressed) // 3 + len(layer.pixels) // 2 for layer in content.layers) > MOST_RUNS:
        raise refused("map_broken", "layers")
    return content


def draw_runs(runs: Runs, within: tuple[int, int, int, int]) -> NDArray[np.bool_]:
    """A grid of the size of `within`, in which the layer's cells are true."""
    left, top, right, bottom = within
    mask = np.zeros((bottom - top, right - left), np.bool_)
    for column, row, count in runs.tolist():
        mask[row - top, column - left : column - left + count] = True
    return mask


def add_mark(marks: Marks, entity: Entity, corners: list[tuple[float, float]]) -> None:
    if entity.type == "charger_location" and corners:
        angle = entity.about.get("angle")
        yaw = math.remainder(math.radians(90 - angle), math.tau) if isinstance(angle, int | float) else 0.0
        marks.flags.append(Flag(name="Charger", type="charging", x=corners[0][0], y=corners[0][1], yaw=round(yaw, 6)))
    elif entity.type == "obstacle" and corners:
        name = f"{entity.about.get('label') or 'Obstacle'} {len(marks.flags) + 1}"
        marks.flags.append(Flag(name=name, type="other", x=corners[0][0], y=corners[0][1]))
    elif entity.type == "virtual_wall" and len(corners) > 1:
        marks.virtual_walls.append(Zone(points=corners))
    elif entity.type in ("no_go_area", "no_mop_area") and len(corners) > 2:  # noqa: PLR2004  (a polygon has three corners)
        name = "No mopping" if entity.type == "no_mop_area" else ""
        marks.forbidden_zones.append(Zone(name=name, points=corners))
