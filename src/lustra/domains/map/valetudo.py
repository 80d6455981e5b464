"""Maps of vacuum robots as Valetudo tells them (ValetudoMap, JSON): rooms, walls, no-go areas and the dock.

Rules: lengths are centimetres, y grows downwards; here they are metres, y up, from the grid's lower left corner.
"""

import math
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from lustra.domains.map import image
from lustra.domains.map.image import refused
from lustra.domains.map.marks import Marks
from lustra.domains.map.outline import outlines
from lustra.domains.map.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.protocol.bus import Flag, Zone

CM = 0.01
MARGIN = 10  # cells that stay unknown round the floor
KIND = b'"ValetudoMap"'
HEAD = 4096


class Layer(msgspec.Struct):
    type: str
    pixels: list[int] = []
    compressed: list[int] = msgspec.field(name="compressedPixels", default=[])
    about: dict[str, Any] = msgspec.field(name="metaData", default={})


class Entity(msgspec.Struct):
    type: str
    points: list[float] = []
    about: dict[str, Any] = msgspec.field(name="metaData", default={})


class Told(msgspec.Struct):
    pixel: float = msgspec.field(name="pixelSize")
    layers: list[Layer] = []
    entities: list[Entity] = []


def is_one(data: bytes) -> bool:
    return KIND in data[:HEAD] or KIND in data[-HEAD:]


def cells(layer: Layer) -> NDArray[np.int64]:
    """Columns and rows; runs are (column, row, count)."""
    if layer.compressed:
        runs = np.array(layer.compressed[: len(layer.compressed) // 3 * 3], np.int64).reshape(-1, 3)
        if (runs < 0).any() or runs[:, 2].sum() > image.LARGEST**2 or runs.max(initial=0) > image.LARGEST:
            raise refused("map_broken", "compressedPixels")
        starts = np.repeat(runs[:, :2], runs[:, 2], axis=0)
        first = np.repeat(np.cumsum(runs[:, 2]) - runs[:, 2], runs[:, 2])
        starts[:, 0] += np.arange(len(starts)) - first
        return starts
    return np.array(layer.pixels[: len(layer.pixels) // 2 * 2], np.int64).reshape(-1, 2)


def parse(data: bytes) -> Plan:
    try:
        told = msgspec.json.decode(data, type=Told)
    except (msgspec.MsgspecError, RecursionError):
        raise refused("map_broken", "files") from None
    if not told.pixel > 0:
        raise refused("map_no_resolution", "pixelSize")
    found = [(layer, cells(layer)) for layer in told.layers]
    every = np.concatenate([c for _, c in found]) if found else np.empty((0, 2), np.int64)
    if not len(every):
        raise refused("map_no_image")
    left, top = (every.min(axis=0) - MARGIN).tolist()
    width, height = (every.max(axis=0) + MARGIN + 1 - (left, top)).tolist()
    image.fitting(width, height)
    resolution = told.pixel * CM
    grid = np.full((height, width), UNKNOWN, np.uint8)
    rooms: list[Zone] = []

    def metres(column: float, row: float) -> tuple[float, float]:
        return round((column - left) * resolution, 4), round((top + height - row) * resolution, 4)

    for layer, at in sorted(found, key=lambda pair: pair[0].type == "wall"):
        mask = np.zeros((height, width), np.bool_)
        mask[at[:, 1] - top, at[:, 0] - left] = True
        grid[mask] = OCCUPIED if layer.type == "wall" else FREE
        if layer.type == "segment":
            ring = max(outlines(mask), key=len, default=[])
            name = str(layer.about.get("name") or layer.about.get("segmentId") or "")
            if ring:
                rooms.append(Zone(name=name, points=[metres(c + left, r + top) for c, r in ring]))
    marks = Marks(free_areas=rooms)
    for one in told.entities:
        corners = [
            metres(x / told.pixel, y / told.pixel) for x, y in zip(one.points[::2], one.points[1::2], strict=False)
        ]
        mark(marks, one, corners)
    return Plan("Valetudo", resolution, (0.0, 0.0, 0.0), grid, marks)


def mark(marks: Marks, one: Entity, corners: list[tuple[float, float]]) -> None:
    if one.type == "charger_location" and corners:
        angle = one.about.get("angle", 0)  # degrees, clockwise
        yaw = -math.radians(angle) if isinstance(angle, int | float) else 0.0
        marks.flags.append(Flag(name="Charger", type="charging", x=corners[0][0], y=corners[0][1], yaw=yaw))
    elif one.type == "virtual_wall" and len(corners) > 1:
        marks.virtual_walls.append(Zone(points=corners))
    elif one.type == "no_go_area" and len(corners) > 2:  # noqa: PLR2004  (a polygon has three corners)
        marks.forbidden_zones.append(Zone(points=corners))
