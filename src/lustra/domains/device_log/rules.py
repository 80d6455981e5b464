"""Of which days logs may be asked for.

Rule: the first day is one of the last seven or today, and not after the last day. Where robots are at places of
several zones, a day counts as today as long as it is so at one of them.
"""

from datetime import date, timedelta

from lustra.core.errors import Code, Refusal

PAGE = "device/log"  # key of the page of logs
DAYS = 7
LARGEST = 256 << 20  # bytes of a file that is sent up
STATES = ("uploading", "synchronised", "failed")


def refuse_start(start: date | None, todays: tuple[date, date], field: str = "startDate") -> None:
    if start is None:
        return
    first, last = todays
    if start > last:
        raise Refusal(Code.BAD_INPUT, field, reason="date_future")
    if start < first - timedelta(days=DAYS):
        raise Refusal(Code.BAD_INPUT, field, reason="date_within7", days=DAYS)
