"""What was cleaned on a floor today and yesterday, all its robots' reported runs together, as cells of one map's grid.

A run counts on the day on which it began, at the robot's site. Each robot has a map of its own of the floor: the cells
of those whose grid is shifted against the shown one by whole cells are taken over; a map in another frame (another
resolution, turned) is left out, and is painted on its own picture.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from cachetools import LRUCache

from lustra.core.context import Ctx
from lustra.domains.device.api import Where
from lustra.domains.map.api import load_version
from lustra.domains.report import queries
from lustra.protocol.bus import Mask
from lustra.protocol.masks import Cells, add_mask, pack_mask

DAYS = 2  # today and yesterday
MOST_RUNS = 500
LONGEST_SIDE = 20_000  # cells, of a mask
SAME = 1e-6  # m and radians
ALIGNED = 0.1  # of a cell, by which two grids may be apart
FRAME = ("resolution", "origin_x", "origin_y", "origin_yaw")
_painted: LRUCache[Any, list[Mask]] = LRUCache(256)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a grid lies: m per cell, pose of its lower left corner, size in cells."""

    resolution: float
    x: float
    y: float
    yaw: float
    width: int = 0
    height: int = 0

    def offset(self, other: "Frame") -> tuple[int, int] | None:
        """Column and row of this grid at which the other begins; None: they do not lie cell on cell."""
        if abs(self.resolution - other.resolution) > SAME or abs(self.yaw - other.yaw) > SAME:
            return None
        dx, dy = other.x - self.x, other.y - self.y
        cos, sin = np.cos(self.yaw), np.sin(self.yaw)
        column, row = (dx * cos + dy * sin) / self.resolution, (dy * cos - dx * sin) / self.resolution
        if abs(column - round(column)) > ALIGNED or abs(row - round(row)) > ALIGNED:
            return None
        return round(column), round(row)


async def load_cleaned(ctx: Ctx, map_id: int) -> dict[str, Any]:
    """Refused where the map is not in scope, or support is kept out."""
    version = await load_version(ctx, map_id, None)
    frame = read_frame(version)
    where = of_floor(ctx, version)
    statement = where.sql(queries.CLEANED_RUNS, days=str(DAYS), most=str(MOST_RUNS))
    rows = await ctx.app.pool.fetch(statement, *where.values)
    runs = tuple((row["id"], row["ago"], row["updated_at"]) for row in rows)
    if (frame, runs) not in _painted:
        where.add("r.id = any({}::bigint[])", [row["id"] for row in rows])
        masks = await ctx.app.pool.fetch(where.sql(queries.CLEANED_CELLS), *where.values)
        _painted[frame, runs] = await asyncio.to_thread(
            paint_days, frame, {row["id"]: row["ago"] for row in rows}, masks
        )
    today, yesterday = _painted[frame, runs]
    return {"revision": version["revision"], "today": today, "yesterday": yesterday}


def read_frame(row: Any) -> Frame:
    """Of a version of a map."""
    return Frame(*(row[name] for name in FRAME), width=row["width"], height=row["height"])


def of_floor(ctx: Ctx, version: Any) -> Where:
    """The runs of its owner on the floor, whichever robot's map of it this is; of a map without a place, its own."""
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.owner_id = {}", version["owner_id"])
    if version["building"] or version["floor"]:
        where.add("(r.building, r.floor) = ({}, {})", version["building"], version["floor"])
    else:
        where.add("r.map_id = {}", version["id"])
    return where


def read_cells(frame: Frame, row: Any) -> Cells | None:
    """What a run swept, in this grid; None: its map lies in another frame."""
    offset = frame.offset(Frame(*(row[name] for name in FRAME)))
    return None if offset is None else place_cells(frame, row["cells"], offset)


def place_cells(frame: Frame, reported: Any, offset: tuple[int, int] = (0, 0)) -> Cells:
    """Cells of a mask as a robot reported it, from this column and row of the grid on."""
    cells = np.zeros((frame.height, frame.width), np.bool_)
    with contextlib.suppress(ValueError):  # what a robot reported as cells is none, or is too large
        mask = msgspec.convert(reported, Mask)
        if max(mask.width, mask.height) <= LONGEST_SIDE:
            add_mask(cells, mask, *offset)
    return cells


def paint_days(frame: Frame, days: dict[int, int], rows: Sequence[Any]) -> list[Mask]:
    """A mask for each day, today first. `days`: how many days ago a report's run began."""
    painted = [np.zeros((frame.height, frame.width), np.bool_) for _ in range(DAYS)]
    for row in rows:
        cells = read_cells(frame, row)
        if cells is not None:
            painted[days[row["id"]]] |= cells
    return [pack_mask(cells) for cells in painted]
