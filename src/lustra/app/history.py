"""The demo's past, made by the robots' own simulator under a virtual clock.

Rules: the newest day first; packed minutes, m² by hour and reports go through ingest's own functions, one transaction a
robot and day, and a day that stands is never made again; it begins when the floors' mirrors have come, so that reports
know their maps; live robots go first (this process is nice).
"""

import asyncio
import os
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import structlog

from lustra.app.demo_fleet import Robot
from lustra.core import db as database
from lustra.core.settings import Settings
from lustra.domains.report import keep as reports
from lustra.live.ingest import pack
from lustra.robot import history

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger(__name__)
DAYS = 14
MIRRORS_S, PAUSE_S = 60, 1.0
NICE = 15
MISSING = """select count(*) from device d where d.serial_number = any($1)
  and not exists (select from floor_map m where m.device_id = d.id)"""
PLANNED = """insert into history_day (robot, day) select d.id, day from device d, unnest($2::date[]) day
  where d.serial_number = any($1) on conflict do nothing"""
OPEN = """select true from history_day h join device d on d.id = h.robot
  where d.serial_number = $1 and h.day = $2 and not made"""
MADE = """update history_day h set made = true from device d
  where d.id = h.robot and d.serial_number = $1 and h.day = $2 and not made returning h.robot"""
SWEPT = """
insert into area_hour (robot, hour, owner_id, owner_path, area)
select d.id, h.hour, d.owner_id, d.owner_path, h.area from unnest($2::timestamptz[], $3::float8[]) as h(hour, area)
join device d on d.serial_number = $1
on conflict (robot, hour, owner_id) do update set area = area_hour.area + excluded.area"""


async def make_history(settings: Settings, robots: list[Robot], days: int = DAYS) -> None:
    os.nice(NICE)
    pool = await database.pool(settings.database_url, size=2)
    try:
        sns = [robot.sn for robot in robots]
        first = await pool.fetchval("select min(created_at) from device where serial_number = any($1)", sns)
        end = first.astimezone(timezone.utc).replace(second=0, microsecond=0)
        starts = [end - timedelta(days=back) for back in range(1, days + 1)]
        await pool.execute(PLANNED, sns, [start.date() for start in starts])
        await _mirrors(pool, [robot.sn for robot in robots if not robot.off])
        berths = berthed(robots)
        for start in starts:
            for robot in robots:
                await _day(pool, robot, start, berths[robot.sn])
    finally:
        await pool.close()
    log.info("history.done", days=days)


def berthed(robots: list[Robot]) -> dict[str, int]:
    """Which charger of its floor is whose, as the fleet's process gives them out."""
    mates: defaultdict[tuple[str, str], int] = defaultdict(int)
    told: dict[str, int] = {}
    for robot in robots:
        place = (robot.site.building, robot.floor)
        told[robot.sn] = mates[place]
        mates[place] += 1
    return told


async def _mirrors(pool: "asyncpg.Pool", sns: list[str]) -> None:
    for _ in range(MIRRORS_S):
        if not await pool.fetchval(MISSING, sns):
            return
        await asyncio.sleep(PAUSE_S)


async def _day(pool: "asyncpg.Pool", robot: Robot, start: datetime, berth: int) -> None:
    """24 hours of a robot from then on."""
    if not await pool.fetchval(OPEN, robot.sn, start.date()):
        return
    end = start + timedelta(days=1)
    made = await asyncio.to_thread(history.day, robot.sn, robot.site.building, robot.floor, start, end, berth=berth)
    async with pool.acquire() as db, db.transaction():
        device = await db.fetchval(MADE, robot.sn, start.date())
        if device is None:
            return
        await pack.merge(db, ((device, point) for point in made.points))
        hours = sorted(made.area)
        await db.execute(SWEPT, robot.sn, hours, [made.area[hour] for hour in hours])
        await reports.keep(db, [(robot.sn, report) for report in made.reports])
