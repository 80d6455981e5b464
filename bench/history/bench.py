"""The stored history of robots that drive by their own planner, one state a second: bytes a point of five values, with
its index, by the minute and once ten minutes lie together; and how long the replay of a run of eight hours takes.

The rows are written into a table of their own of the same shape, so that its size is theirs alone.
"""

import asyncio
import random
import sys
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, times_ms
from products import started

from lustra.domains.telemetry.api import chunk_codec as packed
from lustra.live.ingest import compaction
from lustra.robot.buildings import catalogue
from lustra.robot.demo import history
from lustra.robot.demo.past_schedules import Home
from tests.product.running import Product

ROBOTS = 1 if SHORT else 20
RUN_H = 1 if SHORT else 8
DAY_H = 5 if SHORT else 24
TIMES = 2 if SHORT else 20
JITTER_MS = 10
TEN_MS = 600_000
MOST_BYTES = 3.5
MOST_MS = 1000.0
BEGIN = datetime.now(UTC).replace(hour=5, minute=0, second=0, microsecond=0) - timedelta(days=3)
TABLE = "create table bench_chunk (like chunk including all)"
FILL = "insert into bench_chunk select * from unnest($1::int[], $2::int[], $3::bytea[])"
REPORT = """
insert into task_report (device_id, owner_id, owner_path, run, gid, provisional, map_revision, building, floor,
  map_name, task_name, started, ended, "end", planned, cleaned, clean_mode, route, speed, faults, factor, driven)
select d.id, d.owner_id, d.owner_path, 'bench' || extract(epoch from $2::timestamptz), '', false, 0, '', '', '',
  'Bench', $2, $3, 'finished', 100, 90, '', '', '', '{}', 1, '{}'
from device d where d.serial_number = $1 returning id"""
ROBOT = """
insert into device (serial_number, name, type_id, owner_id, owner_path)
select 'H00001', 'History', (select min(id) from device_type), a.id, a.path from account a where a.account = 'dealer'
on conflict do nothing"""


def drive(number: int) -> list[packed.Point]:
    """A robot's day; its clock is not quite even."""
    dice = random.Random(number)
    places = list(catalogue.PLANS)
    home = Home(*places[number % len(places)], number // len(places) % 2)
    past = history.day(f"B{number}", home, BEGIN, BEGIN + timedelta(hours=DAY_H), step_s=1.0)
    return [(point[0] + dice.randrange(JITTER_MS), *point[1:]) for point in past.points]


def at_work(points: Iterable[packed.Point]) -> list[packed.Point]:
    """Without the ten minutes that it stands at its charger, which press to nothing."""
    tens: dict[float, list[packed.Point]] = {}
    for point in points:
        tens.setdefault(point[0] // TEN_MS, []).append(point)
    return [each for group in tens.values() if len({point[1:3] for point in group}) > 1 for each in group]


def by_minute(points: Iterable[packed.Point]) -> compaction.Stored:
    minutes: dict[int, list[packed.Point]] = {}
    for point in points:
        minutes.setdefault(int(point[0]) // 60_000, []).append(point)
    return [(minute, packed.encode(group)) for minute, group in minutes.items()]


async def bytes_a_point(db: Any, robots: list[dict[int, bytes]], points: int) -> float:
    await db.execute(TABLE)
    for number, chunks in enumerate(robots, 1):
        await db.execute(FILL, [number] * len(chunks), list(chunks), list(chunks.values()))
    await db.execute("vacuum bench_chunk")
    size = await db.fetchval("select pg_total_relation_size('bench_chunk')")
    await db.execute("drop table bench_chunk")
    return size / points


async def measure_size(db: Any) -> list[packed.Point]:
    days = [drive(number) for number in range(ROBOTS)]
    worked = [at_work(day) for day in days]
    stored = [by_minute(day) for day in worked]
    points = sum(len(day) for day in worked)
    minutes = await bytes_a_point(db, [dict(each) for each in stored], points)
    tens = await bytes_a_point(db, [compaction.join(each, coarse=False) for each in stored], points)
    coarse = await bytes_a_point(db, [compaction.join(each, coarse=True) for each in stored], points)
    print_figure("a point at work, by the minute", minutes, "B")
    print_figure("a point at work, ten minutes together", tens, "B", limit=MOST_BYTES)
    print_figure("a point at work, by the centimetre", coarse, "B")
    rest = [compaction.join(by_minute(day), coarse=False) for day in days]
    print_figure("a point of a whole day", await bytes_a_point(db, rest, sum(map(len, days))), "B", limit=MOST_BYTES)
    return days[0]


async def measure_replay(running: Product, db: Any, points: list[packed.Point]) -> None:
    """Of the hours with the robot's day in them, compacted."""
    await db.execute(ROBOT)
    robot = await db.fetchval("select id from device where serial_number = 'H00001'")
    chunks = compaction.join(by_minute(points), coarse=False)
    fill = FILL.replace("bench_chunk", "chunk")
    await db.execute(fill, [robot] * len(chunks), list(chunks), list(chunks.values()))
    report = await db.fetchval(REPORT, "H00001", BEGIN, BEGIN + timedelta(hours=RUN_H))
    async with running.console("dealer") as dealer:

        async def ask() -> None:
            await dealer("/taskReport/replay", taskReportId=report)

        times = await times_ms(ask, TIMES, warm=1)
    print_figure(f"replay of a run of {RUN_H} h, p95", percentile(times, 0.95), "ms", limit=MOST_MS, worst=max(times))
    await db.execute("delete from chunk where robot = $1", robot)
    await db.execute("delete from device where id = $1", robot)


async def measured(running: Product) -> None:
    async with running.database() as db:
        points = await measure_size(db)
        await measure_replay(running, db, points)


def main() -> None:
    with started("--robots", "1") as running:
        asyncio.run(measured(running))


if __name__ == "__main__":
    main()
