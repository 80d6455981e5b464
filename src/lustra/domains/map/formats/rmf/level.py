"""One floor of an Open-RMF building: where its places lie in the building's frame, and how large it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lustra.domains.map.formats.limits import MOST_COSTLY_CELLS, judge_size, refused

CELL = 0.05  # m
MARGIN = 0.5  # m round the floor

Turn = NDArray[np.float64]


@dataclass(frozen=True)
class Level:
    name: str
    content: dict[str, Any]
    metres: float  # of a pixel
    up: float  # 1: y grows upwards in the file, -1: downwards
    turn: Turn  # into the building's frame
    shift: Turn

    def place(self, x: float, y: float) -> NDArray[np.float64]:
        return self.turn @ (np.array([x, self.up * y], float) * self.metres) + self.shift

    def corner(self, number: int) -> NDArray[np.float64]:
        return self.place(*self.content["vertices"][number][:2])

    def rows(self, kind: str) -> list[Any]:
        """What the file lists of this kind, such as `doors`."""
        return self.content.get(kind) or []

    def every_place(self) -> Iterable[NDArray[np.float64]]:
        yield from (self.corner(number) for number in range(len(self.content["vertices"])))
        yield from (self.place(model["x"], model["y"]) for model in self.rows("models"))
        yield from (self.place(x, y) for x, y, _ in self.rows("fiducials"))


def shared_points(base: Level, level: dict[str, Any], metres: float, up: float) -> tuple[Turn, Turn]:
    """Fiducials that both levels have by name: of this level in its own metres, and of the base in the building's."""
    own = {name: np.array([x, up * y]) * metres for x, y, name in level.get("fiducials") or []}
    others = {name: base.place(x, y) for x, y, name in base.rows("fiducials")}
    names = [name for name in own if name in others]
    return np.array([own[name] for name in names]), np.array([others[name] for name in names])


def measure_level(level: Level) -> tuple[float, float, int, int]:
    """The frame of a level: its left and bottom edge in m, and its columns and rows of cells."""
    corners = np.array(list(level.every_place()))
    if not np.isfinite(corners).all():
        raise refused("map_broken", "vertices")
    left, bottom = (np.floor((corners.min(0) - MARGIN) / CELL) * CELL).tolist()
    columns, rows = np.ceil((corners.max(0) + MARGIN - (left, bottom)) / CELL).tolist()
    judge_size(int(columns), int(rows), MOST_COSTLY_CELLS)
    return left, bottom, int(columns), int(rows)
