"""A schedule occurs once on each of its days, whatever the zone does to its clocks."""

from datetime import date, datetime, time, timedelta, timezone
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lustra.protocol.recurrence import Weekly, between, coming, instant, occurrence, zone

UTC = timezone.utc
DAY = timedelta(days=1)
ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Asia/Shanghai",
    "Asia/Kathmandu",
    "Africa/Cairo",
    "America/Nuuk",
    "Pacific/Chatham",
    "Pacific/Apia",
]
EVERY_DAY = range(1, 8)
times = st.times(max_value=time(23, 59)).map(lambda t: t.replace(second=0, microsecond=0))
dates = st.dates(date(2010, 1, 1), date(2036, 12, 31))
# in Berlin
SPRING = date(2026, 3, 29)
AUTUMN = date(2026, 10, 25)


def real(day: date, where: ZoneInfo) -> bool:
    """Whether a zone has that day at all (Apia left out 2011-12-30)."""
    return any(
        datetime.combine(day, time(hour), where).astimezone(UTC).astimezone(where).date() == day for hour in range(24)
    )


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(ZONES), dates, times, st.none() | times, st.sets(st.integers(1, 7), min_size=1))
@example("Europe/Berlin", SPRING, time(2, 30), time(2, 45), {7})
@example("Europe/Berlin", AUTUMN, time(2, 30), time(2, 45), {7})
@example("America/Nuuk", date(2026, 3, 28), time(23, 30), time(0, 15), {6})  # the jump is over midnight
@example("America/Nuuk", date(2028, 4, 1), time(23, 0), None, {1, 2, 3, 4, 6})  # moved to the range's first moment
@example("Africa/Cairo", date(2026, 4, 24), time(0, 0), time(1, 0), {5})  # midnight is left out
@example("America/Sao_Paulo", date(2018, 2, 17), time(23, 30), None, {6, 7})  # 23:00 to 24:00 comes twice
@example("Australia/Lord_Howe", date(2026, 10, 4), time(2, 15), time(2, 20), {7})  # half an hour is left out
@example("Pacific/Apia", date(2011, 12, 29), time(10, 0), time(9, 0), {1, 2, 3, 4, 5, 6, 7})
def test_every_day_of_a_schedule_has_its_occurrence_exactly_once(
    name: str, around: date, start: time, end: time | None, days: set[int]
):
    where, rule = ZoneInfo(name), Weekly(days, start, name, end)
    first, past = around - 6 * DAY, around + 7 * DAY
    since, until = instant(first, time.min, where), instant(past, time.min, where)
    occurrences = list(between(rule, since, until))
    expected = [d for n in range(-1, 13) if (d := first + n * DAY).isoweekday() in days and real(d, where)]
    # A start that the clocks leave out is moved: of the day before into the range, of the last one behind it.
    assert [o.day for o in occurrences] == [d for d in expected if since <= instant(d, start, where) < until]
    assert all(a.start < b.start for a, b in pairwise(occurrences))
    for o in occurrences:
        shown = o.start.astimezone(where)
        exists = instant(o.day, start, where).astimezone(where).replace(tzinfo=None) == datetime.combine(o.day, start)
        assert not exists or (shown.date(), shown.time()) == (o.day, start)
        assert o.start == instant(o.day, start, where)
        assert (o.end is None) == (end is None)
        if o.end is not None:
            assert timedelta(0) < o.end - o.start <= timedelta(hours=27)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(ZONES), dates, times, st.lists(st.integers(1, 40), min_size=1, max_size=12))
def test_answer_the_same_in_pieces_as_at_once(name: str, day: date, start: time, cuts: list[int]):
    """However the robot's clock is looked at, nothing is seen twice and nothing is left out."""
    rule = Weekly(EVERY_DAY, start, name)
    since = datetime.combine(day, time.min, UTC)
    marks = [since]
    for hours in cuts:
        marks.append(marks[-1] + timedelta(hours=hours))
    pieces = [o for a, b in pairwise(marks) for o in between(rule, a, b)]
    assert pieces == list(between(rule, since, marks[-1]))


@pytest.mark.spec("q.forced_end_midnight")
def test_a_forced_end_before_the_start_is_the_next_days():
    rule = Weekly([1], time(22, 30), "Europe/Berlin", time(5, 0))
    result = occurrence(rule, date(2026, 11, 23), ZoneInfo("Europe/Berlin"))
    assert result
    assert result.start == datetime(2026, 11, 23, 21, 30, tzinfo=UTC)
    assert result.end == datetime(2026, 11, 24, 4, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "start", "end", "begins", "ends"),
    [
        (SPRING, time(2, 30), time(3, 30), (1, 0), (1, 30)),  # the clock jumps from 2:00 to 3:00 at 1:00 UTC
        (SPRING, time(2, 10), time(2, 40), (1, 0), (1, 30)),  # wholly in the hour that is left out: as long as meant
        (SPRING, time(1, 30), time(3, 30), (0, 30), (1, 30)),
        (AUTUMN, time(2, 30), time(2, 45), (0, 30), (0, 45)),  # 2:00 to 3:00 comes twice: the first
        (AUTUMN, time(1, 30), time(3, 30), (23, 30), (2, 30)),
    ],
)
def test_the_hour_that_dst_removes_and_the_one_that_comes_twice(
    day: Any, start: Any, end: Any, begins: tuple[Any, ...], ends: tuple[Any, ...]
):
    result = occurrence(Weekly([7], start, "Europe/Berlin", end), day, ZoneInfo("Europe/Berlin"))
    assert result
    assert (result.start.hour, result.start.minute) == begins
    assert result.end is not None
    assert (result.end.hour, result.end.minute) == ends


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ZONES), dates, times, st.none() | times, st.tuples(st.integers(-20, 20), times))
@example("Europe/Berlin", SPRING, time(22, 0), time(22, 45), (0, time(2, 30)))  # to an hour that is left out
@example("Europe/Berlin", AUTUMN, time(22, 0), None, (0, time(2, 30)))  # to one that comes twice
@example("Europe/Berlin", AUTUMN, time(22, 0), None, (-1, time(22, 0)))  # to the moment of another
def test_move_a_single_occurrence_and_leave_the_others(
    name: str, day: date, start: time, end: time | None, to: tuple[int, time]
):
    where, begins, at = ZoneInfo(name), day + to[0] * DAY, to[1]
    since, until = instant(day - 21 * DAY, time.min, where), instant(day + 28 * DAY, time.min, where)
    before = list(between(Weekly(EVERY_DAY, start, name, end), since, until))
    after = list(between(Weekly(EVERY_DAY, start, name, end, moves={day: (begins, at)}), since, until))
    assert {o.start for o in after} == {o.start for o in before if o.day != day} | {
        instant(begins, at, where) for o in before if o.day == day
    }
    assert all(a.start < b.start for a, b in pairwise(after))
    for o in after:
        assert o.end is None or timedelta(0) < o.end - o.start <= timedelta(hours=27)
        assert o.day == day or o in before


def test_a_move_of_a_day_that_the_schedule_does_not_have_moves_nothing():
    monday = date(2026, 11, 23)
    rule = Weekly([2], time(8, 0), "UTC", moves={monday: (monday + 3 * DAY, time(9, 0))})
    now = datetime(2026, 11, 22, tzinfo=UTC)
    assert [o.day for o in between(rule, now, now + 6 * DAY)] == [monday + DAY]


def test_the_next_one_passes_over_what_is_skipped():
    monday = date(2026, 11, 23)
    rule = Weekly([1], time(8, 0), "Asia/Shanghai", skips=[monday])
    now = datetime(2026, 11, 22, tzinfo=UTC)
    skipped, following = list(between(rule, now, now + 10 * DAY))
    assert (skipped.skipped, following.skipped) == (True, False)
    assert coming(rule, now) == following
    assert coming(Weekly([], time(8, 0), "Asia/Shanghai"), now) is None


def test_answer_400_days_at_the_most():
    since = datetime(2026, 1, 1, tzinfo=UTC)
    rule = Weekly(EVERY_DAY, time(12), "UTC")
    assert len(list(between(rule, since, since + timedelta(days=1000)))) == 401  # the day is counted whole


@pytest.mark.parametrize(
    ("name", "day", "at", "expected"),
    [
        ("Europe/Berlin", SPRING, time(2, 30), datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        ("Europe/Berlin", SPRING, time(2, 5), datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        ("Europe/Berlin", SPRING, time(2, 0), datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        ("Europe/Berlin", SPRING, time(2, 59, 59), datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        ("Australia/Lord_Howe", date(2026, 10, 4), time(2, 15), datetime(2026, 10, 3, 15, 30, tzinfo=UTC)),
        ("Africa/Cairo", date(2026, 4, 24), time(0, 10), datetime(2026, 4, 23, 22, 0, tzinfo=UTC)),
        ("Pacific/Apia", date(2011, 12, 30), time(9, 0), datetime(2011, 12, 30, 10, 0, tzinfo=UTC)),
    ],
)
def test_a_time_that_is_left_out_is_the_very_second_of_the_jump(name: str, day: date, at: time, expected: datetime):
    assert instant(day, at, ZoneInfo(name)) == expected


def test_a_zone_that_does_not_exist_has_no_occurrences():
    assert zone("Mars/Olympus") is None
    assert zone("../etc/passwd") is None
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert list(between(Weekly(EVERY_DAY, time(8, 0), "Mars/Olympus"), now, now + DAY)) == []
