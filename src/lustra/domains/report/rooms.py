"""When each room of a floor was last cleaned: by the last run that swept at least half of what is free in it, as its
report's cells say. Days are those of the robot's site, on which the run began; runs of LONGEST_DAYS days are looked at.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cachetools import LRUCache

from lustra.core.context import Ctx
from lustra.domains.map.api import RoomCells, load_room_cells, load_version
from lustra.domains.report import queries
from lustra.domains.report.cleaned import MOST_RUNS, Frame, load_cleaned, of_floor, read_cells, read_frame
from lustra.protocol.bus import Mask
from lustra.protocol.masks import Cells, unpack_mask

LONGEST_DAYS = 90
LEAST = 0.5  # of a room's free cells
PASSED = 0.1  # of them: a run that swept less drove through
THOUSANDTHS = 1000
AT_ONCE = 50  # runs whose cells are held
_swept: LRUCache[Any, list[int]] = LRUCache(20_000)


@dataclass(frozen=True, slots=True)
class ZoneRun:
    """The last run that swept a zone, and how much of it, in thousandths."""

    report_id: int
    ended: datetime
    coverage: int


async def find_zone_run(ctx: Ctx, version: Any, room: RoomCells) -> ZoneRun | None:
    """Of runs of LONGEST_DAYS days that swept more of it than one does that drives through; None: none did."""
    free = int(_Window(room.mask).cells.sum())
    last = (await _find_last(ctx, version, [room], [free], PASSED)).get(0)
    if last is None:
        return None
    [cells] = (await _load_swept(ctx, version, [room], [last]))[last["id"]]
    return ZoneRun(last["id"], last["ended"], round(THOUSANDTHS * cells / free))


async def load_rooms(ctx: Ctx, map_id: int) -> list[dict[str, Any]]:
    """Refused where the map is not in scope, or support is kept out."""
    version = await load_version(ctx, map_id, None)
    rooms = await load_room_cells(ctx, version)
    if not rooms:
        return []
    frame = read_frame(version)
    today = (await load_cleaned(ctx, map_id))["today"]
    free, cleaned = await asyncio.to_thread(_count_today, frame, rooms, today)
    last = await _find_last(ctx, version, rooms, free)
    cell = frame.resolution**2
    return [
        {
            "id": room.id,
            "name": room.name,
            "area": free[i] * cell,
            "cleanedToday": cleaned[i] * cell,
            "cleanedTime": last[i]["ended"] if i in last else None,
            "daysAgo": last[i]["ago"] if i in last else None,
        }
        for i, room in enumerate(rooms)
    ]


async def _find_last(
    ctx: Ctx, version: Any, rooms: Sequence[RoomCells], free: Sequence[int], least: float = LEAST
) -> dict[int, Any]:
    """The run that swept at least that share of a room last, by the room's place in the list."""
    where = of_floor(ctx, version)
    statement = where.sql(queries.CLEANED_RUNS, days=str(LONGEST_DAYS), most=str(MOST_RUNS))
    runs = await ctx.app.pool.fetch(statement, *where.values)
    last: dict[int, Any] = {}
    for start in range(0, len(runs), AT_ONCE):
        some = runs[start : start + AT_ONCE]
        swept = await _load_swept(ctx, version, rooms, some)
        for run in some:
            for i, cells in enumerate(swept.get(run["id"], ())):
                if cells and cells >= least * free[i]:
                    last.setdefault(i, run)
        if len(last) == len(rooms):
            break
    return last


async def _load_swept(ctx: Ctx, version: Any, rooms: Sequence[RoomCells], runs: Sequence[Any]) -> dict[int, list[int]]:
    """How many cells of each room each run swept."""
    of = (version["id"], version["revision"], tuple(_place_of(room.mask) for room in rooms))
    keys = {run["id"]: (run["id"], run["updated_at"], *of) for run in runs}
    if unread := [report for report, key in keys.items() if key not in _swept]:
        where = of_floor(ctx, version)
        where.add("r.id = any({}::bigint[])", unread)
        rows = await ctx.app.pool.fetch(where.sql(queries.CLEANED_CELLS), *where.values)
        counts = await asyncio.to_thread(_count_runs, read_frame(version), rooms, rows)
        _swept.update({keys[report]: cells for report, cells in counts.items()})
    return {report: _swept[key] for report, key in keys.items() if key in _swept}


def _count_runs(frame: Frame, rooms: Sequence[RoomCells], rows: Sequence[Any]) -> dict[int, list[int]]:
    read = {row["id"]: read_cells(frame, row) for row in rows}
    windows = [_Window(room.mask) for room in rooms]
    return {report: [window.count(cells) for window in windows] for report, cells in read.items() if cells is not None}


def _count_today(frame: Frame, rooms: Sequence[RoomCells], today: Mask) -> tuple[list[int], list[int]]:
    """Free cells of each room, and how many of them were swept today."""
    windows = [_Window(room.mask) for room in rooms]
    cells = unpack_mask(today, (frame.height, frame.width))
    return [int(window.cells.sum()) for window in windows], [window.count(cells) for window in windows]


def _place_of(mask: Mask) -> tuple[int, int, str]:
    """Tells rooms of a map apart: ids and names may be empty."""
    return mask.column, mask.row, mask.data


class _Window:
    """A room's cells where they lie in the grid."""

    def __init__(self, mask: Mask) -> None:
        self.at = (slice(mask.row, mask.row + mask.height), slice(mask.column, mask.column + mask.width))
        alone = Mask(width=mask.width, height=mask.height, data=mask.data)
        self.cells = unpack_mask(alone, (mask.height, mask.width))

    def count(self, swept: Cells) -> int:
        return int((self.cells & swept[self.at]).sum())
