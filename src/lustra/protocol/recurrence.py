"""When a weekly schedule occurs: robot and server ask the same functions.

Rules: days and times are those of a wall clock in an IANA zone. A start in an hour that the clock leaves out is when
the clock jumps; one in an hour that comes twice is the first of the two; so each day has its occurrence exactly once.
An end at or before the start is the next day's. A day that a zone leaves out as a whole has none.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
LONGEST = timedelta(days=400)  # that anybody may ask for at once


@dataclass(frozen=True, slots=True)
class Weekly:
    """`days` are ISO weekdays, 1 is Monday. `end` is the forced end; `skips` are the local dates that are left out."""

    days: Collection[int]
    start: time
    zone: str
    end: time | None = None
    skips: Collection[date] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """`day` is the local date that it belongs to, also where DST moves its start to the next."""

    day: date
    start: datetime
    end: datetime | None
    skipped: bool


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo | None:
    """None where there is no such zone."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def instant(day: date, at: time, where: ZoneInfo) -> datetime:
    """The first moment (UTC) at which a wall clock shows this time or, where it never does, a later one."""
    wall = datetime.combine(day, at, where)
    utc = wall.astimezone(timezone.utc)
    if utc.astimezone(where).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return utc
    before = wall.replace(fold=1).astimezone(timezone.utc)  # in a gap, fold 1 reckons with the offset after the jump
    after = utc
    while after - before > SECOND:
        middle = before + (after - before) // 2
        if middle.astimezone(where).replace(tzinfo=None) < wall.replace(tzinfo=None):
            before = middle
        else:
            after = middle
    return after.replace(microsecond=0)


def occurrence(rule: Weekly, day: date, where: ZoneInfo) -> Occurrence | None:
    """The one of that local date, if it has one."""
    if day.isoweekday() not in rule.days or instant(day, time.min, where) == instant(day + DAY, time.min, where):
        return None
    start = instant(day, rule.start, where)
    end = None
    if rule.end is not None:
        over = rule.end <= rule.start
        end = instant(day + DAY if over else day, rule.end, where)
        if end <= start:  # both times lie in the hour that is left out
            end = start + (datetime.combine(day, rule.end) - datetime.combine(day, rule.start))
    return Occurrence(day, start, end, day in rule.skips)


def between(rule: Weekly, since: datetime, until: datetime) -> Iterator[Occurrence]:
    """All that start at `since` or later and before `until`, skipped ones too, in their order."""
    where = zone(rule.zone)
    if where is None:
        return
    day = since.astimezone(where).date() - DAY
    last = min(until, since + LONGEST).astimezone(where).date()
    while day <= last:
        candidate = occurrence(rule, day, where)
        if candidate and since <= candidate.start < until:
            yield candidate
        day += DAY


def coming(rule: Weekly, now: datetime) -> Occurrence | None:
    """The next one that is not skipped."""
    return next((o for o in between(rule, now, now + LONGEST) if not o.skipped), None)
