"""Floor plans by code: a few methods that draw walls, doors and furniture in metres, and the grid that comes of it.

x to the right, y up, the plan's own origin at the lower left of the building; the grid has a margin of unknown ground.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Flag, Zone
from lustra.protocol.geometry import XY
from lustra.robot.maps.floor import FREE, OCCUPIED, SUBPIXEL, UNKNOWN, Floor

MARGIN = 1.0
WALL = 0.15
DOOR = 0.95
RESOLUTION = 0.05


def box(x0: float, y0: float, x1: float, y1: float) -> list[XY]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


@dataclass
class FloorPlan:
    """Everything is drawn in the order of the calls; doors cut walls, furniture stands last."""

    name: str
    building: str
    floor: str
    outline: list[XY]
    walls: list[list[XY]] = field(default_factory=list[list[XY]])
    doors: list[tuple[XY, XY]] = field(default_factory=list[tuple[XY, XY]])
    obstacles: list[list[XY]] = field(default_factory=list[list[XY]])
    unseen: list[list[XY]] = field(default_factory=list[list[XY]])
    round_tables: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    rooms: list[Zone] = field(default_factory=list[Zone])
    forbidden: list[Zone] = field(default_factory=list[Zone])
    virtual: list[Zone] = field(default_factory=list[Zone])
    flags: list[Flag] = field(default_factory=list[Flag])
    guarded: list[tuple[str, float, float]] = field(default_factory=list[tuple[str, float, float]])

    def wall(self, *points: XY) -> None:
        self.walls.append(list(points))

    def door(self, x: float, y: float, *, upright: bool, width: float = DOOR, guarded: str = "") -> None:
        """An opening with its middle at (x, y), in a wall that stands upright in the plan or lies. guarded: the name
        under which its access control knows it."""
        if guarded:
            self.guarded.append((guarded, round(x, 3), round(y, 3)))
        h = width / 2
        self.doors.append(((x, y - h), (x, y + h)) if upright else ((x - h, y), (x + h, y)))

    def room(self, name: str, *ring: XY) -> None:
        self.rooms.append(Zone(points=list(ring), name=name))

    def obstacle(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.obstacles.append(box(x0, y0, x1, y1))

    def shaft(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """An elevator behind closed doors: its walls, and what no robot has seen yet within them."""
        self.unseen.append(box(x0, y0, x1, y1))
        self.walls.append([*box(x0, y0, x1, y1), (x0, y0)])

    def table(self, x: float, y: float, radius: float = 0.5) -> None:
        self.round_tables.append((x, y, radius))

    def forbid(self, name: str, *ring: XY) -> None:
        self.forbidden.append(Zone(points=list(ring), name=name))

    def virtual_wall(self, *points: XY) -> None:
        self.virtual.append(Zone(points=list(points)))

    def charger(self, name: str, x: float, y: float, yaw: float) -> None:
        self.flags.append(Flag(name=name, type="charging", x=x, y=y, yaw=yaw))

    def elevator(self, name: str, x: float, y: float, yaw: float) -> None:
        """The place in a cabin where a robot rides."""
        self.flags.append(Flag(name=name, type="elevator", x=round(x, 3), y=y, yaw=yaw))

    def render(self) -> Floor:
        xs, ys = [p[0] for p in self.outline], [p[1] for p in self.outline]
        x0, y0 = min(xs) - MARGIN, min(ys) - MARGIN
        width, height = round((max(xs) + MARGIN - x0) / RESOLUTION), round((max(ys) + MARGIN - y0) / RESOLUTION)
        grid = np.full((height, width), UNKNOWN, np.uint8)

        def at(points: list[XY]) -> NDArray[np.int32]:
            cells = (np.array(points) - (x0, y0)) / RESOLUTION - 0.5
            return np.round(cells * (1 << SUBPIXEL)).astype(np.int32)

        thick = round(WALL / RESOLUTION)
        cv2.fillPoly(grid, [at(self.outline)], FREE, shift=SUBPIXEL)
        for ring in self.unseen:
            cv2.fillPoly(grid, [at(ring)], UNKNOWN, shift=SUBPIXEL)
        for line in [[*self.outline, self.outline[0]], *self.walls]:
            cv2.polylines(grid, [at(line)], isClosed=False, color=OCCUPIED, thickness=thick, shift=SUBPIXEL)
        for a, b in self.doors:
            upright = a[0] == b[0]
            dx, dy = (WALL, 0.0) if upright else (0.0, WALL)
            cv2.fillPoly(grid, [at(box(a[0] - dx, a[1] - dy, b[0] + dx, b[1] + dy))], FREE, shift=SUBPIXEL)
        for ring in self.obstacles:
            cv2.fillPoly(grid, [at(ring)], OCCUPIED, shift=SUBPIXEL)
        for x, y, radius in self.round_tables:
            (cx, cy) = at([(x, y)])[0].tolist()
            cv2.circle(grid, (cx, cy), round(radius / RESOLUTION * (1 << SUBPIXEL)), OCCUPIED, -1, shift=SUBPIXEL)
        return Floor(
            self.name,
            grid,
            RESOLUTION,
            (round(x0, 3), round(y0, 3), 0.0),
            self.building,
            self.floor,
            self.virtual,
            self.forbidden,
            self.rooms,
            self.flags,
        )
