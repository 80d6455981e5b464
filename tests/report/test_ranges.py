"""Ranges of days: how they are chosen, and the blocks of days, months and quarters whose sums make them."""

from collections import defaultdict
from datetime import date, timedelta

import pytest

from lustra.domains.report.sums.ranges import Days, choose_days, cover


@pytest.mark.parametrize("days", [1, 31, 93, 94, 366])
def test_whole_months_and_days_beside_them_make_the_range(days: int):
    for start in (date(2024, 1, 1) + timedelta(days=n) for n in range(0, 800, 13)):
        span = Days(start, start + timedelta(days=days - 1))
        parts = span.parts(span.unit)
        assert (parts[0].start, parts[-1].end, sum(part.count for part in parts)) == (span.start, span.end, days)
        first, after = span.whole_months
        assert first == after or (span.start <= first < after <= span.end + timedelta(days=1))
        assert first.day == after.day == 1 or first == after
        assert (span.before.end, span.before.count) == (span.start - timedelta(days=1), days)


@pytest.mark.parametrize("count", [1, 9, 31, 93, 366])
def test_each_day_of_a_range_counts_once_in_its_blocks_and_no_other(count: int):
    for start in (date(2024, 1, 1) + timedelta(days=n) for n in range(0, 800, 17)):
        days = Days(start, start + timedelta(days=count - 1))
        blocks = cover(days)
        assert len(blocks) <= 18
        counted: defaultdict[date, int] = defaultdict(int)
        for block, sign in blocks:
            for day in block.days.parts("day"):
                counted[day.start] += sign
        assert {day for day, times in counted.items() if times} == {part.start for part in days.parts("day")}
        assert set(counted.values()) <= {0, 1}


def test_three_months_before_a_longer_ones_end_begin_in_the_shorter():
    assert choose_days("threeMonths", None, None, date(2026, 5, 31)) == Days(date(2026, 3, 1), date(2026, 5, 31))
    assert choose_days("year", None, None, date(2024, 2, 29)) == Days(date(2023, 3, 1), date(2024, 2, 29))
    assert choose_days("week", None, None, date(2026, 3, 31)).count == 7
