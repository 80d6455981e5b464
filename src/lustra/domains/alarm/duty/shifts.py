"""When shifts of a week are, by the clocks of their zone.

Rules: a shift that ends at or before it begins ends on the next day; what begins and ends in the hour that summer time
skips or repeats is taken as the zone's rules say. Two of one person that touch or overlap are one stretch of duty.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

WEEK_DAYS = 7
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Shift:
    """`day`: 1 Monday to 7."""

    person_id: int
    day: int
    starts: time
    ends: time


@dataclass(frozen=True, slots=True)
class Stretch:
    person_id: int
    start: datetime
    end: datetime


def list_stretches(shifts: Iterable[Shift], zone: str, at: datetime) -> list[Stretch]:
    """Of the week before and after a moment, in the order of their starts."""
    place = ZoneInfo(zone)
    today = at.astimezone(place).date()
    days = [today + timedelta(days=offset) for offset in range(-WEEK_DAYS - 1, WEEK_DAYS + 2)]
    single = [
        Stretch(shift.person_id, _moment(day, shift.starts, place), _moment(_last_day(shift, day), shift.ends, place))
        for shift in shifts
        for day in days
        if day.isoweekday() == shift.day
    ]
    return sorted(_join(single), key=lambda stretch: (stretch.start, stretch.person_id))


def _last_day(shift: Shift, day: date) -> date:
    return day if shift.ends > shift.starts else day + DAY


def _moment(day: date, clock: time, place: ZoneInfo) -> datetime:
    return datetime.combine(day, clock, place).astimezone(UTC)


def _join(single: Iterable[Stretch]) -> list[Stretch]:
    joined: list[Stretch] = []
    for stretch in sorted(single, key=lambda each: (each.person_id, each.start)):
        last = joined[-1] if joined else None
        if last and last.person_id == stretch.person_id and stretch.start <= last.end:
            joined[-1] = Stretch(last.person_id, last.start, max(last.end, stretch.end))
        else:
            joined.append(stretch)
    return joined


def find_on_duty(stretches: Sequence[Stretch], at: datetime) -> list[Stretch]:
    return [stretch for stretch in stretches if stretch.start <= at < stretch.end]


def find_next(stretches: Sequence[Stretch], at: datetime) -> Stretch | None:
    """Who comes on duty first from now on."""
    return next((stretch for stretch in stretches if stretch.start > at), None)
