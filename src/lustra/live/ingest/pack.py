"""Packs finished minutes: points become one chunk a robot and minute, in one transaction. Makes and drops partitions.

Rules: a minute is packed when it is LATE_S old; points that come later are merged into the chunk that is there, which
for those of long ago is that of their ten minutes (compaction); the
same points again change nothing; a point stays in its table until the bus can no longer hand it over a second time,
so that its key still refuses it: then its whole hour is dropped.
"""

import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from lustra.core.db import Connection
from lustra.domains.telemetry.api import chunk_codec as packed
from lustra.live.ingest import compaction, queries
from lustra.live.ingest.queries import INGEST

MINUTE = 60
HOUR = 3600
LATE_S = 120
AHEAD_H = 3
KEEP_H = 26  # the stream of states keeps a day
MOST_S = 600  # seconds of points taken into one transaction
PARTITIONS = """select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'point'::regclass and c.relname ~ '^point_[0-9]+$'"""

RobotPoint = tuple[int, packed.Point]  # robot and point


async def _since(db: Connection) -> int:
    [row] = await db.fetch(queries.PACKED_UNTIL)
    return row["slot"]


async def merge(db: Connection, points: Iterable[RobotPoint]) -> int:
    """Points, in order of robot and time, into the chunks of their times. Within a transaction of the caller."""
    minutes = groupby(points, lambda entry: (entry[0], int(entry[1][0]) // (MINUTE * 1000)))
    by_minute = {key: [point for _, point in group] for key, group in minutes}
    limits = await compaction.lock_limits(db, by_minute, time.time())
    fresh: dict[tuple[int, int], list[packed.Point]] = {}
    for (robot, minute), rows in by_minute.items():
        fresh.setdefault((robot, limits[robot].find_chunk(minute)), []).extend(rows)
    robots, begins = [robot for robot, _ in fresh], [begin for _, begin in fresh]
    for old in await db.fetch(INGEST.sql(queries.STORED_CHUNKS), robots, begins):
        key = old["robot"], old["minute"]
        fresh[key] = packed.decode(old["data"]) + fresh[key]
    data = [packed.encode(rows, coarse=limits[robot].is_coarse(begin)) for (robot, begin), rows in fresh.items()]
    await db.execute(INGEST.sql(queries.STORE_CHUNKS), robots, begins, data)
    return len(fresh)


async def pack(db: Connection, now_s: float) -> bool:
    """Packs what finished since the last time, at most ten minutes of it. True: there is more."""
    async with db.transaction():
        since = await _since(db)
        finished = int(now_s - LATE_S) // MINUTE * MINUTE
        end = min(finished, since + MOST_S)
        if end <= since:
            return False
        points = await db.fetch(INGEST.sql(queries.FINISHED_POINTS), since, end)
        await merge(db, ((p["robot"], tuple(p)[1:]) for p in points))
        await db.execute("update packed_until set slot = $1", end)
    return end < finished


async def partitions(db: Connection, now_s: float) -> None:
    """The coming hours have their partitions; those that are packed and can come no more go."""
    hour = int(now_s) // HOUR
    existing = {int(row["relname"].removeprefix("point_")) for row in await db.fetch(PARTITIONS)}
    for coming in range(hour, hour + AHEAD_H + 1):
        if coming not in existing:
            await _make(db, coming)
    for old in sorted(existing):
        if old < hour - KEEP_H:
            await _drop(db, old)
    await _late(db, (hour - KEEP_H) * HOUR)


async def _make(db: Connection, hour: int) -> None:
    """A robot whose clock runs ahead has points there already: they move over."""
    await db.execute("select make_points($1)", hour)


async def _drop(db: Connection, hour: int) -> None:
    """What came after its minute was packed is merged before the hour goes."""
    since, until = hour * HOUR, (hour + 1) * HOUR
    async with db.transaction():
        if await _since(db) < until:
            return
        await db.execute("select lock_points($1)", hour)
        await _merge_all(db, await db.fetch(INGEST.sql(queries.FINISHED_POINTS), since, until))
        await db.execute("select drop_points($1)", hour)


async def _late(db: Connection, until: int) -> None:
    """Adds points to hours that were packed before they came."""
    async with db.transaction():
        await _merge_all(db, await db.fetch(INGEST.sql(queries.TAKE_LATE_POINTS), until))


async def _merge_all(db: Connection, points: Sequence[Any]) -> None:
    if points:
        await merge(db, ((p["robot"], tuple(p)[1:]) for p in points))
