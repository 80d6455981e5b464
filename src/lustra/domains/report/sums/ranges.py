"""Which days a chart is about.

Rules: a range ends today, where today is latest among the robots' sites, or on the day that is asked for, and reaches
back 7 days, 30 days, 3 months or 12 months; a free one has at most 366 days. Up to 93 days are shown by day, more by
month. It is compared with as many days before it. Sums of robots are kept by quarter, month, ten days and day: a range
is put together from as few of them as do, and some are taken away again (a month but its last two days).
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from lustra.core.errors import Code, Refusal

RangeName = Literal["week", "month", "threeMonths", "year"]
Unit = Literal["day", "month"]
Grain = Literal["quarter", "month", "ten", "day"]
MONTHS = {"threeMonths": 3, "year": 12}
COUNTS = {"week": 7, "month": 30}  # days
DAY = timedelta(days=1)
MOST_DAYS = 366
MOST_BY_DAY = 93  # days


def _first_of_next(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=31)).replace(day=1)


def _months_before(day: date, months: int) -> date:
    """The same day of an earlier month, or that month's last."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days, both included."""

    start: date
    end: date

    @property
    def count(self) -> int:
        return (self.end - self.start).days + 1

    @property
    def unit(self) -> Unit:
        return "day" if self.count <= MOST_BY_DAY else "month"

    @property
    def before(self) -> "Days":
        return Days(self.start - timedelta(days=self.count), self.start - DAY)

    @property
    def whole_months(self) -> tuple[date, date]:
        """From the first day of the first whole month to before that of the month after the last; empty: both alike."""
        first = self.start if self.start.day == 1 else _first_of_next(self.start)
        last = (self.end + DAY).replace(day=1)
        return (first, last) if first < last else (first, first)

    def parts(self, unit: Unit) -> list["Days"]:
        """The days or months of which it consists; its first and last month may be in part."""
        starts = [self.start]
        while (start := starts[-1] + DAY if unit == "day" else _first_of_next(starts[-1])) <= self.end:
            starts.append(start)
        return [Days(start, after - DAY) for start, after in pairwise([*starts, self.end + DAY])]


def choose_days(name: RangeName | None, start: date | None, end: date | None, today: date) -> Days:
    """A named range goes before a start; without either it is a month."""
    last = end or today
    if name in MONTHS:
        days = Days(_months_before(last, MONTHS[name]) + DAY, last)
    elif name is None and start is not None:
        days = Days(start, last)
    else:
        days = Days(last - timedelta(days=COUNTS[name or "month"] - 1), last)
    if days.count < 1:
        raise Refusal(Code.BAD_INPUT, "startDate", reason="date_order")
    if days.count > MOST_DAYS:
        raise Refusal(Code.BAD_INPUT, "endDate", reason="range_long", days=MOST_DAYS)
    return days


@dataclass(frozen=True, slots=True)
class Block:
    """Days whose sums are kept in one row a robot; the smaller blocks of which it consists."""

    grain: Grain
    days: Days

    def smaller(self) -> list["Block"]:
        if self.grain == "quarter":
            return [Block("month", month) for month in self.days.parts("month")]
        if self.grain == "month":
            first, end = self.days.start, self.days.end
            starts = [first, first + timedelta(days=10), first + timedelta(days=20), end + DAY]
            return [Block("ten", Days(start, after - DAY)) for start, after in pairwise(starts)]
        return [Block("day", day) for day in self.days.parts("day")]


Signed = tuple[Block, int]  # 1: it counts, -1: it is taken away


def cover(days: Days) -> list[Signed]:
    """The fewest blocks that together are these days; none of no days."""
    blocks: list[Signed] = []
    start = days.start.replace(month=(days.start.month - 1) // 3 * 3 + 1, day=1)
    while start <= days.end:
        after = (start + timedelta(days=95)).replace(day=1)
        blocks += _cover(Block("quarter", Days(start, after - DAY)), days)
        start = after
    return blocks


def _cover(block: Block, days: Days) -> list[Signed]:
    """Of a block, what lies within the days: piece by piece, or the whole of it but the rest."""
    own = block.days
    within = Days(max(own.start, days.start), min(own.end, days.end))
    if within.count < 1:
        return []
    if within == own:
        return [(block, 1)]
    pieces = [piece for smaller in block.smaller() for piece in _cover(smaller, within)]
    rests = (Days(own.start, within.start - DAY), Days(within.end + DAY, own.end))
    rest = [piece for days in rests for smaller in block.smaller() for piece in _cover(smaller, days)]
    return pieces if len(pieces) <= len(rest) + 1 else [(block, 1), *((piece, -sign) for piece, sign in rest)]
