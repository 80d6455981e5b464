"""Whether the alarms of a fleet are any good: measures of ISA-18.2, each with what it should be at most.

Rules: of the alarms in scope within a span; what stands is of now. Alarms that are too many, that come again and again,
or that nobody takes, are settings to be changed, so each measure names which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.scope import Scope
from lustra.domains.alarm.measures import queries
from lustra.domains.device.api import Where

HOURS = 24
WINDOW_S = 600  # in which alarms are counted for the peak
FLOOD = 10  # alarms within the window, beyond which people overlook some
CHATTERS = 5  # times that one alarm was raised
STANDS_H = 24


@dataclass(frozen=True, slots=True)
class Measure:
    """`most`: what it should be at most."""

    name: str
    most: float


MEASURES = (
    Measure("perHour", 6),
    Measure("peak", FLOOD),
    Measure("flood", 0.01),
    Measure("standing", 5),
    Measure("chattering", 0),
    Measure("take", 600),
    Measure("resolve", 4 * 3600),
)


async def load(ctx: Ctx, scope: Scope, device_ids: Sequence[int] | None, days: int) -> list[dict[str, Any]]:
    """In the order of MEASURES; a value that nothing is known for is None."""
    since = now() - timedelta(days=days)
    where = _build_where(scope, device_ids)
    standing = where.sql(queries.STANDING, hours=STANDS_H)
    values = {"standing": await ctx.app.pool.fetchval(standing, *where.values)}
    values |= await _measure_span(ctx, _build_where(scope, device_ids), since, days * HOURS)
    return [
        {"name": each.name, "value": values[each.name], "most": each.most, "met": (values[each.name] or 0) <= each.most}
        for each in MEASURES
    ]


def _build_where(scope: Scope, device_ids: Sequence[int] | None) -> Where:
    where = Where.of_stamped(scope, "r")
    if device_ids is not None:
        where.add("r.device_id = any({}::bigint[])", list(device_ids))
    return where


async def _measure_span(ctx: Ctx, where: Where, since: datetime, hours: int) -> dict[str, float | None]:
    where.add("r.raised_at >= {}", since)
    statement = where.sql(queries.MEASURES, window=WINDOW_S, flood=FLOOD, chatters=CHATTERS)
    row = await ctx.app.pool.fetchrow(statement, *where.values)
    return {
        "perHour": row["alarms"] / hours,
        "peak": row["peak"],
        "flood": row["floods"] * WINDOW_S / (hours * 3600),
        "chattering": row["chattering"],
        "take": row["take"],
        "resolve": row["resolve"],
    }
