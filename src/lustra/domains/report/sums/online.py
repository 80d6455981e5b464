"""For which share of the time robots were connected.

A robot counts from when it was registered, or came to its owner, until now, or it was deleted or went to another; each
day by the clock of its site. Spans that are over are summed by day (`online_day`); of one that goes on, its time until
now counts.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from asyncpg import Pool
from numpy.typing import NDArray

from lustra.core.db import now
from lustra.domains.report.sums import queries
from lustra.domains.report.sums.ranges import DAY, Days
from lustra.domains.report.sums.service import Robots

Seconds = NDArray[np.float64]
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Share:
    """Of days from `start` on: how many robots there were and how many were connected, on average over the time."""

    start: date
    online: float
    total: float

    @property
    def rate(self) -> float | None:
        """None: there was no robot."""
        return round(min(1.0, self.online / self.total), DIGITS) if self.total > 0 else None


async def load_shares(pool: Pool, robots: Robots, parts: Sequence[Days]) -> list[Share]:
    """Of each of these spans of days, which follow one another."""
    where = robots.where("o")
    owned = await pool.fetch(where.sql(queries.OWNED_TIME), *where.values)
    where.add("o.day between {}::date and {}::date", parts[0].start, parts[-1].end)
    starts = [part.start for part in parts]
    ended: dict[str, Seconds] = defaultdict(lambda: np.zeros(len(parts)))
    for row in await pool.fetch(where.sql(queries.ONLINE), *where.values):
        ended[row["zone"]][bisect_right(starts, row["day"]) - 1] += row["seconds"]
    online, total = np.zeros(len(parts)), np.zeros(len(parts))
    for zone in {row["zone"] for row in owned}:
        edges = _edges(parts, zone)
        here = [row for row in owned if row["zone"] == zone]
        elapsed = np.maximum(np.minimum(edges[1:], now().timestamp()) - edges[:-1], 0)
        total += _divide(_overlap(here, "since", edges), elapsed)
        open_now = [row for row in here if row["began"] is not None]
        online += _divide(ended[zone] + _overlap(open_now, "began", edges), elapsed)
    return [Share(*share) for share in zip(starts, online.tolist(), total.tolist(), strict=True)]


async def load_rate(pool: Pool, robots: Robots, days: Days) -> float | None:
    """Of all days together."""
    [share] = await load_shares(pool, robots, [days])
    return share.rate


def _edges(parts: Sequence[Days], zone: str) -> Seconds:
    """When each begins at a site, and when the last ends; seconds since 1970."""
    days = [part.start for part in parts] + [parts[-1].end + DAY]
    return np.array([datetime.combine(day, time(), ZoneInfo(zone)).timestamp() for day in days])


def _overlap(rows: Sequence[Any], since: str, edges: Seconds) -> Seconds:
    """Seconds of all rows together between each two edges, from `since`, or from when the robot came to its owner."""
    if not rows:
        return np.zeros(len(edges) - 1)
    starts = np.array([max(row[since], row["since"]) for row in rows])
    ends = np.maximum(np.array([row["until"] for row in rows]), starts)
    reached = [np.sum(np.minimum(ends, edge) - np.minimum(starts, edge)) for edge in edges]
    return np.diff(np.array(reached))


def _divide(seconds: Seconds, elapsed: Seconds) -> Seconds:
    """Nothing, where no time has gone by."""
    return np.divide(seconds, elapsed, out=np.zeros_like(seconds), where=elapsed > 0)
