"""A year of 10,000 robots: every chart by its ranges, the year's summary, the export of 100,000 reports, a month's PDF.

The sums by day and month are written as a year of reports would have left them, three runs a robot and day; 100,000
reports stand whole. The year's total is compared with what was written.
"""

import asyncio
import sys
import time
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, times_ms
from products import started
from year_of_reports import WHOLE, make_year

from lustra.domains.report.sums.queries import FIGURES
from lustra.domains.report.sums.ranges import choose_days, cover
from tests.product.running import Console, Product

CUSTOMERS = 4 if SHORT else 200
ROBOTS = 20 if SHORT else 10_000
DAYS = 70 if SHORT else 400
REPORTS = 200 if SHORT else 100_000
OF_MONTH = 50 if SHORT else 2000
TIMES = 2 if SHORT else 20
WARM = 0 if SHORT else 1
DOCUMENTS = 1 if SHORT else TIMES  # each is laid out and signed in a process of its own
MOST_MS = 300.0
MOST_SUMS = 4  # bare ones, as long as which the slowest part may take
SUMMARY_MS = 1000.0
EXPORT_S = 15.0
EXPORT_MB = 60.0
PDF_S = 2.0
RANGES = ("week", "month", "threeMonths", "year")
PARTS = ("robot", "type", "group", "customer", "country")
WRITTEN = """
select (sum(s.cleaned) + (select coalesce(sum(cleaned::text::numeric), 0) from task_report where provisional))::float8
from report_sum s
where s.grain = 'day' and s.day between $1 and $2
  and s.owner_path <@ (select path from account where account = 'dealer')"""
# The least that could do: the nine sums of each robot from the blocks of days that make up the year, with no names.
FLOOR = f"""
select s.device_id, {", ".join(f"sum(s.{name})" for name in FIGURES)}
from unnest($1::text[], $2::date[]) c(grain, day) join robot_sum s on s.grain = c.grain and s.day = c.day group by 1"""


async def measure_charts(db: Any, dealer: Console, end: str) -> None:
    await dealer("/taskReport/updateTarget", targetArea=900, manualRate=310, manualWater=0.5, careMinutes=5)
    worst: dict[str, float] = {}
    for name in RANGES:
        payload = {"range": name, "endDate": end}
        chart = await times_ms(lambda payload=payload: dealer("/taskReport/chart", **payload), TIMES, warm=WARM)
        worst[f"chart, {name}"] = percentile(chart, 0.95)
        summary = await times_ms(lambda payload=payload: dealer("/summary/chartAll", **payload), TIMES, warm=WARM)
        worst[f"summary, {name}"] = percentile(summary, 0.95)
        targets = await times_ms(lambda payload=payload: dealer("/taskReport/chartTarget", **payload), TIMES, warm=WARM)
        worst[f"targets, {name}"] = percentile(targets, 0.95)
    for label, value in worst.items():
        print_figure(f"{label}, p95", value, "ms", limit=SUMMARY_MS if label == "summary, year" else MOST_MS)
    parts = [
        percentile(
            await times_ms(
                lambda part=part: dealer("/taskReport/chartParts", range="year", endDate=end, by=part), TIMES, warm=WARM
            ),
            0.95,
        )
        for part in PARTS
    ]
    year = cover(choose_days("year", None, date.fromisoformat(end), date.fromisoformat(end)))
    grains, days = [block.grain for block, _ in year], [block.days.start for block, _ in year]
    floor = percentile(await times_ms(lambda: db.fetch(FLOOR, grains, days), TIMES, warm=WARM), 0.95)
    print_figure(
        "the year taken apart, slowest of five, p95",
        max(parts),
        "ms",
        limit=MOST_MS,
        floor=floor,
        floor_name="the bare sums of each robot",
        most_floors=MOST_SUMS,
    )


async def compare_sums(db: Any, dealer: Console, end: str) -> None:
    """The year's total is what stands in the sums by day, to the last digit. The product's own robot may clean
    meanwhile."""
    last = date.fromisoformat(end)
    first = last - timedelta(days=min(DAYS, 365))
    before = await db.fetchval(WRITTEN, first, last)
    total = await dealer("/taskReport/chartSummary", startDate=str(first), endDate=end)
    after = await db.fetchval(WRITTEN, first, last)
    assert before <= total["cleanedArea"] <= after, (total["cleanedArea"], before, after)
    for part in ("type", "country"):
        apart = await dealer("/taskReport/chartParts", startDate=str(first), endDate=end, by=part)
        area = float(sum(Decimal(str(row["cleanedArea"])) for row in apart["list"]))
        assert total["cleanedArea"] <= area <= await db.fetchval(WRITTEN, first, last), (part, area)


async def measure_export(running: Product, db: Any, dealer: Console) -> None:
    now = await db.fetchval("select date_trunc('day', now())")
    await db.execute(WHOLE, REPORTS, ROBOTS, now, timedelta(seconds=60))
    server, sizes = running.processes()["server"], list[float]()

    async def watch() -> None:
        while True:
            sizes.append(memory_mb(server))
            await asyncio.sleep(0.05)

    before, watching = memory_mb(server), asyncio.create_task(watch())
    began = time.perf_counter()
    async with dealer.http.stream("POST", "/api/taskReport/export", json={"taskName": "Task"}, timeout=120) as answer:
        size = sum([len(part) async for part in answer.aiter_raw()])
    took = time.perf_counter() - began
    watching.cancel()
    print_figure(f"export of {REPORTS:,} reports", took, "s", limit=EXPORT_S)
    print_figure("memory that it takes", max([*sizes, before]) - before, "MB", limit=EXPORT_MB)
    print(f"{size / 1e6:.1f} MB of xlsx")


def memory_mb(process: psutil.Process) -> float:
    return process.memory_info().rss / 1e6


async def measure_month(db: Any, dealer: Console) -> None:
    """Of a customer with so many runs."""
    customer = await db.fetchval("select min(id) from account where account like 'year%'")
    month = await db.fetchval("select date_trunc('month', now() - interval '1 month')")
    robot = "select min(id) from device where owner_id = (select min(id) from account where account like 'year%')"
    of_robot = WHOLE.replace("on d.place = n % $2::int", f"on d.id = ({robot}) and $2::int > 0").replace(
        "'year' ||", "'m' ||"
    )
    await db.execute(of_robot, OF_MONTH, 1, month + timedelta(days=27), timedelta(minutes=15))
    payload = {"month": f"{month:%Y-%m}", "userId": customer}
    times = await times_ms(lambda: dealer.raw("/taskReport/month", **payload), DOCUMENTS, warm=WARM)
    print_figure(f"PDF of a month of {OF_MONTH:,} runs, p95", percentile(times, 0.95) / 1000, "s", limit=PDF_S)


async def measured(running: Product) -> None:
    async with running.database() as db, running.console("dealer") as dealer:
        end = await db.fetchval("select current_date")
        await make_year(db, end, customers=CUSTOMERS, robots=ROBOTS, days=DAYS)
        await measure_charts(db, dealer, str(end))
        await compare_sums(db, dealer, str(end))
        await measure_export(running, db, dealer)
        await measure_month(db, dealer)


def main() -> None:
    with started("--robots", "1") as running:
        asyncio.run(measured(running))


if __name__ == "__main__":
    main()
