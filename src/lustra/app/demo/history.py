"""The demo's past, made by the robots' own simulator under a virtual clock.

Rules: a robot's day is from EARLY to EARLY of its own clock, when none of its schedules runs; the newest is today's, as
far as it has come. The newest day first; packed minutes, m² by hour, reports and what became of schedules go through
ingest's own functions, one transaction a robot and day, and a day that stands is never made again; it begins when the
floors' mirrors have come, so that reports know their maps; live robots go first (this process is nice).
"""

import asyncio
import os
from collections import defaultdict
from dataclasses import asdict
from datetime import date, datetime, time, timedelta, timezone
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec
import structlog

from lustra.app.demo import queries
from lustra.app.demo.fleet import Robot
from lustra.core import db as database
from lustra.core.scope import robots_own
from lustra.core.settings import Settings
from lustra.domains.report import keep as reports
from lustra.domains.task import plans
from lustra.live.ingest import pack
from lustra.protocol.bus import Event
from lustra.protocol.recurrence import DAY, instant
from lustra.robot.demo import history
from lustra.robot.demo.elevator import building_floors
from lustra.robot.demo.past_schedules import Home
from lustra.robot.demo.past_schedules import initial_schedules as schedules
from lustra.robot.demo.schedules import Planned

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger(__name__)
DAYS = 14  # before today
EARLY = time(4)
MIRRORS_S = 60
PAUSE_S = 1.0
NICE = 15


Span = tuple[datetime, datetime]


async def make_history(settings: Settings, robots: list[Robot], days: int = DAYS) -> None:
    os.nice(NICE)
    pool = await database.pool(settings.database_url, size=2)
    try:
        sns = [robot.sn for robot in robots]
        first = await pool.fetchval(robots_own.sql(queries.FIRST_ROBOT), sns)
        end = first.astimezone(timezone.utc).replace(second=0, microsecond=0)
        days_by_robot = {robot.sn: spans(end, ZoneInfo(robot.site.zone), days) for robot in robots}
        for sn, robot_days in days_by_robot.items():
            await pool.execute(robots_own.sql(queries.PLAN_DAYS), sn, [day for day, _ in robot_days])
        await _mirrors(pool, [robot for robot in robots if not robot.off])
        homes = await asyncio.to_thread(locate_homes, robots)
        for back in range(days + 1):
            for sn in sns:
                day, span = days_by_robot[sn][back]
                await keep_day(pool, sn, homes[sn], day, span)
    finally:
        await pool.close()
    log.info("history.done", days=days)


def spans(end: datetime, zone: ZoneInfo, days: int) -> list[tuple[date, Span]]:
    """Local days, from the one that has come as far as `end` on back."""
    today = (end.astimezone(zone) - timedelta(hours=EARLY.hour)).date()
    dates = [today - back * DAY for back in range(days + 1)]
    return [(day, (instant(day, EARLY, zone), min(end, instant(day + DAY, EARLY, zone)))) for day in dates]


def locate_homes(robots: list[Robot]) -> dict[str, Home]:
    """Where each is at home: its charger as the fleet's process gives them out, and its schedules."""
    mates: defaultdict[tuple[str, str], int] = defaultdict(int)
    homes: dict[str, Home] = {}
    for robot in robots:
        place = (robot.site.building, robot.floor)
        week = [Planned(**asdict(plan)) for plan in robot.week]
        homes[robot.sn] = Home(*place, mates[place], robot.site.zone, schedules(*place, week, rides=robot.rides))
        mates[place] += 1
    return homes


async def _mirrors(pool: "asyncpg.Pool", robots: list[Robot]) -> None:
    map_counts = [len(building_floors(robot.site.building)) if robot.rides else 1 for robot in robots]
    for _ in range(MIRRORS_S):
        if not await pool.fetchval(robots_own.sql(queries.COUNT_MISSING), [robot.sn for robot in robots], map_counts):
            return
        await asyncio.sleep(PAUSE_S)


async def keep_day(pool: "asyncpg.Pool", sn: str, home: Home, day: date, span: Span) -> None:
    if not await pool.fetchval(robots_own.sql(queries.OPEN_DAY), sn, day):
        return
    past = await asyncio.to_thread(history.day, sn, home, *span)
    async with pool.acquire() as db, db.transaction():
        device = await db.fetchval(robots_own.sql(queries.CLAIM_DAY), sn, day)
        if device is None:
            return
        await pack.merge(db, ((device, point) for point in past.points))
        hours = sorted(past.area)
        await db.execute(robots_own.sql(queries.STORE_AREA), sn, hours, [past.area[hour] for hour in hours])
        await reports.keep(db, [(sn, report) for report in past.reports])
        for at, occurrence in past.occurrences:
            name = f"{occurrence.kind}/{occurrence.schedule}/{occurrence.start}"
            content = msgspec.to_builtins(occurrence)
            await plans.keep_occurrence(db, sn, Event(at=at, id=name, kind="occurrence", name=name, content=content))
