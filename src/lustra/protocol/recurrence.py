"""When a weekly schedule occurs: robot and server ask the same functions.

Rules: days and times are those of a wall clock in an IANA zone. A start in an hour that the clock leaves out is when
the clock jumps; one in an hour that comes twice is the first of the two; so each day has its occurrence exactly once.
An end at or before the start is the next day's. A day that a zone leaves out as a whole has none. An occurrence may be
moved to another day and time, alone; it still belongs to the day that it is moved from. Two at one moment are one.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache
from heapq import merge
from itertools import takewhile
from operator import attrgetter
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
START = attrgetter("start")
LONGEST = timedelta(days=400)  # that anybody may ask for at once


@dataclass(frozen=True, slots=True)
class Weekly:
    """`days` are ISO weekdays, 1 is Monday. `end` is the forced end; `skips` are the local dates that are left out;
    `moves` say to which date and time that of a local date is moved."""

    days: Collection[int]
    start: time
    zone: str
    end: time | None = None
    skips: Collection[date] = ()
    moves: Mapping[date, tuple[date, time]] = field(default_factory=dict[date, tuple[date, time]])


@dataclass(frozen=True, slots=True)
class Occurrence:
    """`day` is the local date that it belongs to, also where DST moves its start to the next."""

    day: date
    start: datetime
    end: datetime | None
    skipped: bool


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo | None:
    """The time zone of that name; None where there is none."""
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
    """When the rule comes on a local date; None where it does not."""
    if day.isoweekday() not in rule.days or instant(day, time.min, where) == instant(day + DAY, time.min, where):
        return None
    begins, at = rule.moves.get(day, (day, rule.start))
    start = instant(begins, at, where)
    end = None
    if rule.end is not None:
        ends = begins + DAY if rule.end <= at else begins
        end = instant(ends, rule.end, where)
        if end <= start:  # both times lie in the hour that is left out
            end = start + (datetime.combine(ends, rule.end) - datetime.combine(begins, at))
    return Occurrence(day, start, end, day in rule.skips)


def _own_days(rule: Weekly, first: date, last: date) -> Iterator[date]:
    day = first
    while day <= last:
        if day not in rule.moves:
            yield day
        day += DAY


def between(rule: Weekly, since: datetime, until: datetime) -> Iterator[Occurrence]:
    """All that start at `since` or later and before `until`, skipped ones too, in their order."""
    where = zone(rule.zone)
    if where is None:
        return
    first = since.astimezone(where).date() - DAY
    last = min(until, since + LONGEST).astimezone(where).date()
    own = (o for day in _own_days(rule, first, last) if (o := occurrence(rule, day, where)))
    moved = sorted((o for day in rule.moves if (o := occurrence(rule, day, where))), key=START)
    latest = None
    for candidate in takewhile(lambda o: o.start < until, merge(own, moved, key=START)):
        if candidate.start >= since and candidate.start != latest:
            yield candidate
        latest = candidate.start


def coming(rule: Weekly, now: datetime) -> Occurrence | None:
    """The next occurrence that nobody has skipped; None where there is none within LONGEST."""
    return next((o for o in between(rule, now, now + LONGEST) if not o.skipped), None)
