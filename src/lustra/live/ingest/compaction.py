"""Ten minutes of a robot's history lie in one chunk once they are a day old: a third of the bytes, a tenth of the rows.

Rules: of a robot, as many minutes as MOST at once, in one transaction that also says how far it has come, so that being
killed loses nothing and doing it again changes nothing; a chunk of ten minutes begins at a whole ten, and once it is as
old as LUSTRA_TRACK_COARSE_DAYS says it is coarse. Points that come later still join the chunk of their ten minutes:
who merges locks how far the robot has come, so that neither overwrites the other.
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lustra.core.db import Connection
from lustra.domains.telemetry.api import chunk_codec as packed
from lustra.live.ingest import queries
from lustra.live.ingest.queries import INGEST

if TYPE_CHECKING:
    import asyncpg

MINUTE = 60  # seconds
TEN = 10  # minutes
HOUR = 60
DAY = 24 * HOUR
MOST = DAY
SAFE = 22 * HOUR  # what is younger is never compacted, whatever clock one asks: no lock is needed
SPENT_S = 20.0  # after which the rest waits for the next time

Stored = list[tuple[int, bytes]]  # minute at which a chunk begins, and the chunk


@dataclass(frozen=True, slots=True)
class Limits:
    """In minutes since 1970."""

    until: int = 0
    coarse_until: int = 0

    def find_chunk(self, minute: int) -> int:
        """The minute at which its chunk begins."""
        return minute - minute % TEN if minute < self.until else minute

    def is_coarse(self, begin: int) -> bool:
        return begin < self.coarse_until


async def lock_limits(db: Connection, minutes: Iterable[tuple[int, int]], now_s: float) -> dict[int, Limits]:
    """By robot, of the robots and minutes that points are merged into."""
    safe = int(now_s) // MINUTE - SAFE
    robots = {robot: minute < safe for robot, minute in sorted(minutes, reverse=True)}  # by its oldest
    old = sorted(robot for robot, is_old in robots.items() if is_old)
    rows = await db.fetch(INGEST.sql(queries.LOCK_LIMITS), old) if old else []
    return dict.fromkeys(robots, Limits()) | {row["robot"]: Limits(row["until"], row["coarse_until"]) for row in rows}


async def compact(pool: "asyncpg.Pool", now_s: float, coarse_days: int) -> None:
    """Every robot that is an hour behind, until all are done or SPENT_S is over."""
    began, robot = time.monotonic(), 0
    until = (int(now_s) // MINUTE - DAY) // TEN * TEN
    limits = Limits(until, (until + DAY - coarse_days * DAY) if coarse_days else 0)
    due = INGEST.sql(queries.COMPACTION_DUE)
    async with pool.acquire() as db:
        while time.monotonic() - began < SPENT_S:
            robot = await db.fetchval(due, robot, limits.until - HOUR, limits.coarse_until - HOUR)
            if robot is None:
                return
            while await compact_robot(db, robot, limits) and time.monotonic() - began < SPENT_S:
                pass


async def compact_robot(db: Connection, robot: int, limits: Limits) -> bool:
    """At most MOST minutes of a robot. True: there is more."""
    async with db.transaction():
        row = await db.fetchrow(INGEST.sql(queries.LOCK_COMPACTION), robot)
        if row is None:
            return False
        until = await _repack(db, robot, _span(row["until"], row["next"], limits.until), coarse=False)
        coarse = _span(row["coarse_until"], row["next_coarse"], min(limits.coarse_until, until))
        coarse_until = await _repack(db, robot, coarse, coarse=True)
        await db.execute(INGEST.sql(queries.STORE_COMPACTION), robot, until, coarse_until)
    return until < limits.until or coarse_until < min(limits.coarse_until, until)


def _span(since: int, first: int | None, limit: int) -> tuple[int, int]:
    """From the first chunk on. Never back: a limit that was set older leaves what is done."""
    begin = min(max(since, first - first % TEN), limit) if first is not None else limit
    return max(since, begin), max(since, min(begin + MOST, limit))


async def _repack(db: Connection, robot: int, span: tuple[int, int], *, coarse: bool) -> int:
    since, until = span
    if since < until:
        rows = await db.fetch(INGEST.sql(queries.CHUNKS_BETWEEN), robot, since, until)
        stored = [(row["minute"], row["data"]) for row in rows]
        chunks = await asyncio.to_thread(join, stored, coarse=coarse)
        joined = {minute for minute, _ in stored} - chunks.keys()
        await db.execute(INGEST.sql(queries.REMOVE_CHUNKS), robot, list(joined))
        robots, begins, data = [robot] * len(chunks), list(chunks), list(chunks.values())
        await db.execute(INGEST.sql(queries.STORE_CHUNKS), robots, begins, data)
    return until


def join(stored: Stored, *, coarse: bool) -> dict[int, bytes]:
    """Chunks of ten minutes by the minute at which they begin. What is coarse already stays so."""
    tens: dict[int, list[Any]] = {}
    for minute, data in stored:
        tens.setdefault(minute - minute % TEN, []).append(data)
    return {
        ten: packed.encode(
            (point for data in parts for point in packed.decode(data)),
            coarse=coarse or any(map(packed.is_coarse, parts)),
        )
        for ten, parts in tens.items()
    }
