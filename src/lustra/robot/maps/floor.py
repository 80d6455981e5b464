"""A floor as the robot keeps it: an occupancy grid with its marks.

Row 0 of the grid is the lowest one (nav_msgs/OccupancyGrid); pictures have the top row first. Values are map_server's:
254 free, 0 occupied, 205 unknown. What is not surely free is an obstacle, and so are forbidden zones and virtual walls.
"""

import base64
import functools
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from lustra.protocol.bus import Eraser, Flag, MapContent, Zone
from lustra.protocol.geometry import XY
from lustra.protocol.hours import Hours

FREE = 254
OCCUPIED = 0
UNKNOWN = 205
WALL_CELLS = 2  # thickness of a virtual wall on the grid
SUBPIXEL = 8  # bits of fraction that OpenCV draws with

MOST_FLOORS = 32  # of one building and another, of which something is known
Cells = NDArray[np.bool_]
T = TypeVar("T")


@dataclass
class Floor:
    name: str
    grid: NDArray[np.uint8]
    resolution: float = 0.05
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    building: str = ""
    floor: str = ""
    virtual_walls: list[Zone] = field(default_factory=list[Zone])
    forbidden_zones: list[Zone] = field(default_factory=list[Zone])
    free_areas: list[Zone] = field(default_factory=list[Zone])
    flags: list[Flag] = field(default_factory=list[Flag])
    erasers: list[Eraser] = field(default_factory=list[Eraser])
    hours: Hours | msgspec.UnsetType = msgspec.UNSET
    revision: int = 1
    shut: frozenset[tuple[str, int]] = frozenset()  # zones with hours that are closed now (hours.py): kind and place

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in cells."""
        return self.grid.shape[1], self.grid.shape[0]

    @property
    def closed(self) -> list[Zone]:
        """Zones with hours that are closed now."""
        return [getattr(self, kind)[n] for kind, n in sorted(self.shut)]

    @property
    def private_rooms(self) -> list[list[XY]]:
        """Corners of those in which no camera sends pictures."""
        return [zone.points for zone in [*self.free_areas, *self.forbidden_zones] if zone.private]

    @cached_property
    def blocked(self) -> Cells:
        """Obstacles: what is not surely free and nobody has erased, and what people have forbidden."""
        mask = (self.grid != FREE).astype(np.uint8)
        for stroke in self.erasers:
            width = max(1, round(stroke.width / self.resolution))
            cv2.polylines(
                mask, [self.to_pixels(stroke.points)], isClosed=False, color=0, thickness=width, shift=SUBPIXEL
            )
        for zone in [*(z for z in self.forbidden_zones if not z.hours), *self.closed]:
            cv2.fillPoly(mask, [self.to_pixels(zone.points)], 1, shift=SUBPIXEL)
        for wall in self.virtual_walls:
            cv2.polylines(
                mask, [self.to_pixels(wall.points)], isClosed=False, color=1, thickness=WALL_CELLS, shift=SUBPIXEL
            )
        return mask.astype(np.bool_)

    @cached_property
    def echo(self) -> NDArray[np.float32]:
        """What light meets (not zones and virtual walls): cells from the middle of each cell to that of the nearest
        obstacle, with a border of obstacles all round."""
        padded = np.pad(self.grid == FREE, 1).astype(np.uint8)
        return cv2.distanceTransform(padded, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).astype(np.float32)

    @cached_property
    def fingerprint(self) -> str:
        """Equal for floors whose obstacles are equal: what was planned on one holds on the other."""
        text = f"{self.resolution} {self.origin} {self.blocked.shape}".encode()
        return hashlib.sha256(text + np.packbits(self.blocked).tobytes()).hexdigest()

    def cells_inside(self, ring: Sequence[XY]) -> Cells:
        """Cells whose middle lies in the polygon (even and odd, row by row)."""
        height, width = self.grid.shape
        flips = np.zeros((height, width + 1), np.uint8)  # counts, modulo 256: even stays even
        corners = self.to_vertices(ring) - 0.5  # so that middles are whole numbers
        for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            low, high = sorted((ay, by))
            rows = np.arange(max(0, math.ceil(low)), min(height, math.ceil(high)))
            if len(rows):
                crossing = np.ceil(ax + (rows - ay) * (bx - ax) / (by - ay))
                np.add.at(flips, (rows, crossing.clip(0, width).astype(int)), 1)
        used = np.nonzero(flips.any(axis=1))[0]
        mask = np.zeros((height, width), np.bool_)
        mask[used] = flips[used].cumsum(axis=1, dtype=np.uint8)[:, :width] & 1
        return mask

    def to_pixels(self, points: Sequence[XY] | NDArray[np.float64]) -> NDArray[np.int32]:
        """Points as OpenCV draws them: its whole numbers are the middles of cells."""
        return np.round((self.to_vertices(points) - 0.5) * (1 << SUBPIXEL)).astype(np.int32)

    def to_vertices(self, points: Sequence[XY] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Metres in the map frame to (column, row) of the lattice of cell corners."""
        x, y, yaw = self.origin
        d = np.asarray(points, np.float64).reshape(-1, 2) - (x, y)
        c, s = math.cos(yaw), math.sin(yaw)
        return np.stack([d[:, 0] * c + d[:, 1] * s, d[:, 1] * c - d[:, 0] * s], 1) / self.resolution

    def to_metres(self, vertices: NDArray[Any]) -> NDArray[np.float64]:
        x, y, yaw = self.origin
        v = np.asarray(vertices, np.float64).reshape(-1, 2) * self.resolution
        c, s = math.cos(yaw), math.sin(yaw)
        return np.stack([x + v[:, 0] * c - v[:, 1] * s, y + v[:, 0] * s + v[:, 1] * c], 1)

    def square_metres(self, cells: Cells) -> float:
        return float(np.count_nonzero(cells)) * self.resolution**2

    def charger(self, near: XY | None = None) -> Flag | None:
        """The charger nearest to a place, else the first."""
        flags = [f for f in self.flags if f.type == "charging"]
        return min(flags, key=lambda f: math.dist((f.x, f.y), near) if near else 0.0, default=None)

    def changed(self, **marks: Any) -> "Floor":
        """The next revision of this floor."""
        return replace(self, **({"shut": frozenset()} | marks | {"revision": self.revision + 1}))

    def content(self) -> MapContent:
        done, png = cv2.imencode(".png", np.flipud(self.grid))
        if not done:
            raise ValueError("the grid does not fit into a PNG")
        width, height = self.size
        return MapContent(
            name=self.name,
            resolution=self.resolution,
            width=width,
            height=height,
            origin=self.origin,
            grid=base64.b64encode(png.tobytes()).decode(),
            building=self.building,
            floor=self.floor,
            virtual_walls=self.virtual_walls,
            forbidden_zones=self.forbidden_zones,
            free_areas=self.free_areas,
            flags=self.flags,
            erasers=self.erasers,
            hours=self.hours,
        )

    @classmethod
    def read(cls, content: MapContent, revision: int) -> "Floor":
        picture = cv2.imdecode(np.frombuffer(base64.b64decode(content.grid), np.uint8), cv2.IMREAD_GRAYSCALE)
        if picture is None:
            raise ValueError(f"the grid of {content.name} is no picture")
        drawn = ("virtual_walls", "forbidden_zones", "free_areas", "flags", "erasers", "hours")
        marks = {n: getattr(content, n) for n in drawn}
        return cls(
            content.name,
            np.flipud(picture).astype(np.uint8),
            content.resolution,
            content.origin,
            content.building,
            content.floor,
            revision=revision,
            **marks,
        )


def once_for_each_grid(look: Callable[[Floor], T]) -> Callable[[Floor], T]:
    """Decorates what is found out of a floor's grid, and takes long. Threads may ask at once."""
    known: LRUCache[int, tuple[object, T]] = LRUCache(MOST_FLOORS)  # with the grid, so that its number stays its own
    turn = Lock()

    @functools.wraps(look)
    def find(floor: Floor) -> T:
        with turn:
            if (number := id(floor.echo)) not in known:
                known[number] = (floor.echo, look(floor))
            return known[number][1]

    return find


def encode_floor(floor: Floor) -> bytes:
    return msgspec.json.encode({"revision": floor.revision, "content": floor.content()})


class MapFile(msgspec.Struct):
    revision: int
    content: MapContent


def decode_floor(data: bytes) -> Floor:
    file = msgspec.json.decode(data, type=MapFile)
    return Floor.read(file.content, file.revision)
