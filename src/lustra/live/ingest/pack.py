"""Packs finished minutes: points become one chunk a robot and minute. Makes and drops partitions.

Rules: a minute is packed when it is LATE_S old; what comes later is noted by its minute, and merged into the chunk that
is there, which for those of long ago is that of their ten minutes (compaction); the same points again change nothing; a
point stays in its table until the bus can no longer hand it over a second time, so that its key still refuses it: then
its whole hour is dropped. From which time on a point is late is said before its minute is packed, between two batches
of states: a batch either was committed before, or notes what is late. Packing takes turns with storing states, a few
robots at a time.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
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
ROBOTS = 50  # at a time
SHARE = 0.15  # of the time that packing takes at the most
LATE_MINUTES = 500  # in a transaction
CLAIM = timedelta(seconds=30)  # after which another ingest packs in place of one that died or froze
PARTITIONS = """select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'point'::regclass and c.relname ~ '^point_[0-9]+$'"""

RobotPoint = tuple[int, packed.Point]  # robot and point


async def merge(db: Connection, points: Iterable[RobotPoint]) -> int:
    """Points into the chunks of their times. Within a transaction of the caller."""
    by_minute: dict[tuple[int, int], list[packed.Point]] = {}
    for robot, point in points:
        by_minute.setdefault((robot, int(point[0]) // (MINUTE * 1000)), []).append(point)
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
    """Packs what finished since the last time, at most ten minutes of it, and what came late. True: there is more."""
    finished = int(now_s - LATE_S) // MINUTE * MINUTE
    span = await _claim(db, finished)
    if span:
        await _merge_between(db, *span)
        await db.execute(queries.STORE_PACKED, span[1])
    while await _merge_late_minutes(db):
        pass
    return span is not None and span[1] < finished


async def _claim(db: Connection, finished: int) -> tuple[int, int] | None:
    """The seconds that are to be packed; from here on a point of them is late. None: another ingest packs."""
    async with db.transaction():
        await db.execute(queries.END_WHEN_FROZEN)
        since = await db.fetchval(queries.CLAIM_PACKING, CLAIM)
        if since is None:
            return None
        until = max(since, min(finished, since + MOST_S))
        await db.execute(queries.LOCK_STATES)
        await db.execute(queries.ANNOUNCE_PACKED, until)
    return since, until


async def _merge_between(db: Connection, since: int, until: int) -> None:
    """In many short transactions: while one is open, the database keeps all former states of all robots."""
    robots = [row["robot"] for row in await db.fetch(INGEST.sql(queries.ROBOTS_WITH_STATE))] if since < until else []
    claimed_at = time.monotonic()
    for first in range(0, len(robots), ROBOTS):
        began = time.monotonic()
        some = robots[first : first + ROBOTS]
        async with db.transaction():
            await db.execute(queries.END_WHEN_FROZEN)
            await _merge_rows(db, await db.fetch(INGEST.sql(queries.POINTS_BETWEEN), some, since, until))
        if began - claimed_at > CLAIM.total_seconds() / 3:
            await db.execute(queries.RENEW_CLAIM, CLAIM)
            claimed_at = began
        await asyncio.sleep((time.monotonic() - began) * (1 / SHARE - 1))


async def _merge_late_minutes(db: Connection) -> bool:
    """True: there are more."""
    async with db.transaction():
        await db.execute(queries.END_WHEN_FROZEN)
        minutes = await db.fetch(INGEST.sql(queries.TAKE_LATE_MINUTES), LATE_MINUTES)
        await _merge_minutes(db, minutes)
    return len(minutes) == LATE_MINUTES


async def _merge_minutes(db: Connection, minutes: Sequence[Any]) -> None:
    if minutes:
        columns = zip(*map(tuple, minutes), strict=True)
        await _merge_rows(db, await db.fetch(INGEST.sql(queries.POINTS_OF_MINUTES), *columns))


async def _merge_rows(db: Connection, rows: Iterable[Any]) -> None:
    """Each of a robot, with a column of values for each of queries.PACKED."""
    await merge(db, ((row["robot"], point) for row in rows for point in zip(*tuple(row)[1:], strict=True)))


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
    async with db.transaction():
        packed_until = await db.fetchval(queries.LOCK_PACKED)
        if packed_until is None or packed_until < (hour + 1) * HOUR:
            return
        await db.execute("select lock_points($1)", hour)
        await _merge_minutes(db, await db.fetch(INGEST.sql(queries.TAKE_LATE_MINUTES_OF_HOUR), hour * 60))
        await db.execute("select drop_points($1)", hour)


async def _late(db: Connection, until: int) -> None:
    """Adds points to hours that were packed before they came."""
    async with db.transaction():
        points = await db.fetch(INGEST.sql(queries.TAKE_LATE_POINTS), until)
        await merge(db, ((point["robot"], tuple(point)[1:]) for point in points))
