"""Hours of zones: what the clock at the wall shows, over midnight and every change of the clocks."""

from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lustra.protocol.hours import Hours, fault, meets, shown

CLOCKS = st.times().map(lambda at: at.strftime("%H:%M"))
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca")
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2027, 1, 1))  # noqa: DTZ001  made UTC below
BERLIN = "Europe/Berlin"


def closed(hours: Hours, zone: str, at: datetime) -> bool:
    return meets(hours, shown(zone, at, at))


@settings(deadline=None)
@given(CLOCKS, CLOCKS, st.sampled_from(ZONES), MOMENTS)
def test_closed_is_what_the_clock_at_the_wall_says(start: Any, end: Any, zone: Any, at: Any):
    if start == end:
        return
    now = at.replace(tzinfo=timezone.utc)
    wall = now.astimezone(ZoneInfo(zone)).strftime("%H:%M")
    over = start <= wall < end if start < end else wall >= start or wall < end
    assert closed(Hours(start=start, end=end), zone, now) is over


@settings(deadline=None)
@given(CLOCKS, CLOCKS, st.sampled_from(ZONES), MOMENTS)
def test_close_by_closing_hours_what_opening_hours_leave_open(start: Any, end: Any, zone: Any, at: Any):
    if start != end:
        now = at.replace(tzinfo=timezone.utc)
        assert closed(Hours(start=start, end=end), zone, now) is not closed(Hours(start=end, end=start), zone, now)


@settings(deadline=None)
@given(CLOCKS, CLOCKS, st.sampled_from(ZONES), MOMENTS, st.integers(0, 600))
def test_a_time_meets_hours_when_one_of_its_minutes_does(start: Any, end: Any, zone: Any, at: Any, length: Any):
    if start == end:
        return
    hours, since = Hours(start=start, end=end), at.replace(tzinfo=timezone.utc, second=0, microsecond=0)
    each = (closed(hours, zone, since + timedelta(minutes=n)) for n in range(length + 1))
    assert meets(hours, shown(zone, since, since + timedelta(minutes=length))) is any(each)


@pytest.mark.parametrize(
    ("at", "so"),
    [
        ((2026, 3, 29, 0, 59), False),  # 01:59, then the clock jumps to 03:00
        ((2026, 3, 29, 1, 0), False),
        ((2026, 10, 25, 0, 30), True),  # 02:30 for the first time
        ((2026, 10, 25, 1, 30), True),  # and for the second
        ((2026, 10, 25, 2, 0), False),  # 03:00
    ],
)
def test_skip_an_hour_that_clocks_skip_and_count_a_repeated_one_twice(at: tuple[Any, ...], so: bool):
    now = datetime(*at, tzinfo=timezone.utc)
    assert closed(Hours(start="02:15", end="02:45"), BERLIN, now) is so


def test_each_minute_between_is_shown_the_first_and_the_last_too():
    since = datetime(2026, 1, 1, 10, 0, tzinfo=timezone.utc)
    assert shown("UTC", since, since + timedelta(minutes=3)) == {600, 601, 602, 603}


def test_two_days_show_every_minute():
    since = datetime(2026, 1, 1, tzinfo=timezone.utc)
    assert len(shown(BERLIN, since, since + timedelta(days=3))) == 24 * 60


@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        ("22:00", "06:00", ""),
        ("08:00", "08:00", "hours_empty"),
        ("24:00", "06:00", "hours_time"),
        ("6:00", "08:00", "hours_time"),
        ("12:60", "08:00", "hours_time"),
        ("", "08:00", "hours_time"),
    ],
)
def test_hours_are_two_different_times_of_a_day(start: str, end: str, reason: str):
    assert fault(start, end) == reason
