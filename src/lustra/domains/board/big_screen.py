"""The sums and lists of the big screen. Each follows the one definition of its own page: areas those of the report
charts, alarms those of the alarm centre, who waits that of the list of robots.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from asyncpg import Pool

from lustra.core.context import Ctx
from lustra.core.db import Connection
from lustra.core.scope import Scope
from lustra.domains.account.api import own
from lustra.domains.alarm.api import build_alarm_where, load_alarm_chart, load_alarm_page, render_alarm
from lustra.domains.board import queries
from lustra.domains.board.service import round_area
from lustra.domains.device.api import Where
from lustra.domains.report.api import Days, ReportRobots, load_report_series, load_report_today

ALARM_DAYS = 7
ALARM = 2  # the type; 1 is a notice
MOST_EVENTS = 6
EVENT = ("warnId", "time", "type", "content", "deviceCode", "zone")


async def load_name(ctx: Ctx) -> str:
    return (await own(ctx.db, ctx.actor)).name


async def load(pool: Pool, scope: Scope, language: str) -> dict[str, Any]:
    today = await load_report_today(pool, scope)
    month = await load_report_series(pool, ReportRobots(scope, None, None), Days(today.replace(day=1), today))
    async with pool.acquire() as db:
        week = build_alarm_where(scope, since=today - timedelta(days=ALARM_DAYS - 1), until=today)
        newest = await load_alarm_page(db, build_alarm_where(scope), MOST_EVENTS, 1)
        return {
            "month": [{"date": day["date"], "cleaned": day["cleanedArea"]} for day in month],
            "alarms": _count_by_day(await load_alarm_chart(db, week), today),
            "helpS": await _load_help_time(db, scope, today),
            "sites": await _load_sites(db, scope),
            "needs": await _load_needs(db, scope),
            "events": [{name: row[name] for name in EVENT} for row in (render_alarm(row, language) for row in newest)],
        }


def _count_by_day(rows: Sequence[Any], today: date) -> list[dict[str, Any]]:
    counts: Counter[tuple[date, bool]] = Counter()
    for row in rows:
        counts[row["date"], row["type"] == ALARM] += row["count"]
    days = [today - timedelta(days=ago) for ago in reversed(range(ALARM_DAYS))]
    return [{"date": day, "alarms": counts[day, True], "notices": counts[day, False]} for day in days]


async def _load_help_time(db: Connection, scope: Scope, today: date) -> float | None:
    where = build_alarm_where(scope, type_=ALARM, since=today - timedelta(days=ALARM_DAYS - 1))
    return await db.fetchval(where.sql(queries.HELP_TIME), *where.values)


async def _load_sites(db: Connection, scope: Scope) -> list[dict[str, Any]]:
    where = Where.of_robots(scope)
    rows = await db.fetch(where.sql(queries.PLACED_SITES), *where.values)
    return [dict(row) | {"cleaned": round_area(row["cleaned"])} for row in rows]


async def _load_needs(db: Connection, scope: Scope) -> list[dict[str, Any]]:
    where = Where.of_robots(scope)
    return [dict(row) for row in await db.fetch(where.sql(queries.NEEDS), *where.values)]
