"""Hours of the day in which a part of a floor is closed: robot, server and console ask the same.

Rule: what a clock at the wall of that zone shows, counts. From `start` on it is closed, at `end` it is open; an end
before the start is the next day's. An hour that comes twice counts both times, one that is left out does not come.
"""

import re
from collections.abc import Collection
from datetime import datetime, timedelta, timezone
from typing import Annotated

import msgspec
from msgspec import Meta

from lustra.protocol.recurrence import zone

CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
MINUTE = timedelta(minutes=1)
DAY_MINUTES = 24 * 60


class Hours(msgspec.Struct, kw_only=True, frozen=True):
    """From `start` to `end`, each day; an end before the start is the next day's."""

    start: Annotated[str, Meta(description="HH:MM.")]
    end: Annotated[str, Meta(description="HH:MM.")]


def fault(start: str, end: str) -> str:
    """What is wrong with them: a reason of the catalogue, or nothing."""
    if not (CLOCK.fullmatch(start) and CLOCK.fullmatch(end)):
        return "hours_time"
    return "hours_empty" if start == end else ""


def minute(at: str) -> int:
    return int(at[:2]) * 60 + int(at[3:])


def shown(name: str, since: datetime, until: datetime) -> frozenset[int]:
    """Minutes of the day that a wall clock of the zone shows from then until then, both counted."""
    where = zone(name) or timezone.utc
    if until - since >= 2 * timedelta(days=1):
        return frozenset(range(DAY_MINUTES))
    at, out = since.replace(second=0, microsecond=0), set[int]()
    while at <= until:
        wall = at.astimezone(where)
        out.add(wall.hour * 60 + wall.minute)
        at += MINUTE
    return frozenset(out)


def meets(hours: Hours, minutes: Collection[int]) -> bool:
    """Whether one of these minutes of the day lies in the hours."""
    start, end = minute(hours.start), minute(hours.end)
    if start < end:
        return any(start <= at < end for at in minutes)
    return any(at >= start or at < end for at in minutes)
