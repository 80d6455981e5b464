"""Files for analysts: what robots recorded of themselves and what they reported, in Parquet.

Rules: `points/SERIAL/DAY.parquet` and `reports/SERIAL/DAY.parquet`, a file a robot and day at its site; a day of
nothing has none. All files of a kind have the same columns with the same types, as the wire names them; times are
UTC. A point belongs to who owned the robot then, a report to who owned it as its run began. A file stands whole or not
at all, and one of before is replaced.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, time
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import numpy as np
from asyncpg import Pool
from numpy.typing import NDArray

from lustra.core.db import Connection, snapshot
from lustra.core.scope import Scope
from lustra.domains.device.api import Where
from lustra.domains.report.analysts import queries
from lustra.domains.report.sums.ranges import DAY, Days
from lustra.domains.telemetry.api import find_spans, load_points

MS = 1000
POINT = ("time", "x", "y", "yaw", "battery", "liquid")
TIME = "datetime64[ms]"
TYPES = {"float8": "float64", "int4": "int64", "int8": "int64", "timestamptz": TIME}  # others are texts
AT_ONCE = 2000
DIGITS = 6  # a `real` as it was sent: 12.3, where its nearest double is 12.300000190734863
Columns = dict[str, NDArray[Any]]
Owned = tuple[int | None, int | None]  # from when until when, in ms


class Folder:
    """Where files go, and how many of each kind there are."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.counts = {"points": 0, "reports": 0}

    def write(self, kind: str, serial: str, day: Any, columns: Columns) -> None:
        import duckdb  # noqa: PLC0415  an extra

        target = self.place / kind / quote(serial, safe="") / f"{day}.parquet"
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_suffix(".part")
        with duckdb.connect() as memory:
            memory.register("rows", columns)
            memory.table("rows").write_parquet(str(unfinished), compression="zstd")
        unfinished.replace(target)
        self.counts[kind] += 1


async def write_files(pool: Pool, scope: Scope, days: Days, folder: Folder) -> None:
    """All of owners in scope."""
    await _write_points(pool, scope, days, folder)
    await _write_reports(pool, scope, days, folder)


async def _write_points(pool: Pool, scope: Scope, days: Days, folder: Folder) -> None:
    """Day by day: which robots have points is asked once, and only those are read."""
    async with pool.acquire() as db:
        robots: dict[tuple[int, str, str], list[Owned]] = {}
        for row in await db.fetch(scope.sql(queries.OWNED_SPANS), scope.path):
            robot = row["device_id"], row["serial_number"], row["zone"]
            robots.setdefault(robot, []).append((row["since"], row["until"]))
        for day in days.parts("day"):
            spans = [
                (serial, (robot, *span))
                for (robot, serial, zone), owned in robots.items()
                for span in _within(day, ZoneInfo(zone), owned)
            ]
            places = await find_spans(db, scope, [span for _, span in spans])
            for serial, known in groupby((spans[place] for place in places), key=itemgetter(0)):
                points = [_point(row) for _, span in known for row in await load_points(db, scope, *span)]
                if points:
                    folder.write("points", serial, day.start, _columns(POINT, (TIME, *["float64"] * 5), points))


def _point(row: Sequence[float]) -> Sequence[float | None]:
    """A level of -1 is that of a robot without a tank."""
    *values, liquid = row
    return *values, None if liquid < 0 else liquid


def _within(day: Days, zone: ZoneInfo, owned: Sequence[Owned]) -> Iterator[tuple[int, int]]:
    """What of these spans lies within the day at the site: its first and its last millisecond."""
    begin, end = (round(datetime.combine(at, time(), zone).timestamp() * MS) for at in (day.start, day.end + DAY))
    for since, until in owned:
        first, after = max(begin, since or begin), min(end, until or end)
        if first < after:
            yield first, after - 1


async def _write_reports(pool: Pool, scope: Scope, days: Days, folder: Folder) -> None:
    where = Where.of_stamped(scope, "r")
    start, end = (f"{where.value(day)}::date" for day in (days.start, days.end))
    async with snapshot(pool) as db:
        await _write_rows(db, where.sql(queries.REPORTS, start=start, end=end), where.values, folder)


async def _write_rows(db: Connection, sql: str, values: Sequence[Any], folder: Folder) -> None:
    """Rows come by robot and day; those of one day are held at once."""
    statement = await db.prepare(sql)
    _, *shown = statement.get_attributes()
    names, types = [at.name for at in shown], [TYPES.get(at.type.name, "object") for at in shown]
    held: list[Any] = []

    def write_held() -> None:
        if held:
            folder.write("reports", *_file_of(held[0]), _columns(names, types, [tuple(row)[1:] for row in held]))
            held.clear()

    cursor = await statement.cursor(*values)
    while rows := await cursor.fetch(AT_ONCE):
        for row in rows:
            if held and _file_of(held[0]) != _file_of(row):
                write_held()
            held.append(row)
    write_held()


def _file_of(row: Any) -> tuple[str, Any]:
    return row["deviceSerialNumber"], row["day"]


def _columns(names: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    return {
        name: _column(kind, values) for name, kind, values in zip(names, types, zip(*rows, strict=True), strict=True)
    }


def _column(kind: str, values: Sequence[Any]) -> NDArray[Any]:
    """Of one type whatever is missing: an all empty column has its type too."""
    if kind == "object":
        return np.array(["" if value is None else value for value in values], dtype=object)
    if kind == TIME:
        return np.array([_utc(value) for value in values], dtype=TIME)
    missing = [value is None for value in values]
    numbers = np.array([0 if value is None else value for value in values], dtype=kind)
    return np.ma.array(np.round(numbers, DIGITS), mask=missing)


def _utc(value: float | datetime | None) -> np.datetime64:
    """Of a time, or of ms since 1970."""
    if value is None:
        return np.datetime64("NaT", "ms")
    at = value.timestamp() * MS if isinstance(value, datetime) else value
    return np.datetime64(round(at), "ms")
