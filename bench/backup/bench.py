"""The whole product into one archive and back: 10,000 robots, a run of each on every day of a year, and their sums.

The archive is restored into a database and a folder beside those of the product, as `lustra restore` does; what is in
them then is compared with what was packed. Floors of the same run: the rows of the reports alone, copied out, and
copied into a table without an index.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure
from products import started
from year_of_reports import WHOLE, make_year

from lustra.stack import archive, place, programs
from lustra.stack.postgres import Postgres
from tests.product.running import Product

CUSTOMERS = 4 if SHORT else 200
ROBOTS = 20 if SHORT else 10_000
DAYS = 70 if SHORT else 400
REPORTS = 200 if SHORT else 10_000 * 365  # a run a robot and day
SPACING = timedelta(days=365) / REPORTS
BACKUP_S = 120.0
RESTORE_S = 240.0
BESIDE = "bench_restored"
# Of the bench's own robots: the product's robot works meanwhile.
CONTENT = """
select (select count(*) || ' ' || sum(hashtext(s::text)) from report_sum s join device d on d.id = s.device_id
  where d.serial_number like 'Y______'),
  (select count(*) || ' ' || sum(hashtext(r::text)) from task_report r where r.run like 'year%')"""


async def make_fleet(db: Any, owner: Any) -> None:
    end = await db.fetchval("select current_date")
    await make_year(db, end, customers=CUSTOMERS, robots=ROBOTS, days=DAYS)
    now = await db.fetchval("select date_trunc('day', now())")
    await owner.execute(
        "set session_replication_role = replica"
    )  # the sums stand already, and triggers would add to them
    if not await db.fetchval("select exists (select from task_report where run = 'year1')"):
        await owner.execute(WHOLE, REPORTS, ROBOTS, now, SPACING)
    await owner.execute("vacuum analyze task_report")


def owner_dsn(running: Product, tools: Path) -> str:
    """Of who may make databases, which the product's own processes may not."""
    port, password = urlsplit(running.run["postgres"]).port, place.load_settings(running.folder)["postgres_password"]
    return Postgres(tools, running.folder, port or 0, password, *place.child_user()).dsn


async def measured(running: Product) -> None:
    tools, objects = programs.installed().postgres, running.folder / "objects"
    dsn = owner_dsn(running, tools)
    async with running.database() as db, connected(dsn) as link:
        await make_fleet(db, link)
        before, stored = await db.fetchrow(CONTENT), names_of_files(objects)
        await link.execute(f"create database {BESIDE}")
        try:
            with tempfile.TemporaryDirectory(dir=running.folder) as name:
                file, folder = Path(name) / "all.tar", Path(name) / "objects"
                out, into = await copy_rows(link, Path(name) / "rows")
                began = time.perf_counter()
                await asyncio.to_thread(archive.backup, tools, dsn, objects, {}, file)
                took = time.perf_counter() - began
                figure, floor_name = f"backup of a year of {ROBOTS:,} robots", "copying its reports out, s"
                print_figure(figure, took, "s", limit=BACKUP_S, floor=out, floor_name=floor_name)
                print(f"{file.stat().st_size / 1e6:.1f} MB")
                began = time.perf_counter()
                await archive.restore(tools, archive.at(dsn, BESIDE), folder, file)
                took = time.perf_counter() - began
                floor_name = "copying its reports in, s"
                print_figure("the same restored", took, "s", limit=RESTORE_S, floor=into, floor_name=floor_name)
                await compare(dsn, before, stored, folder)
        finally:
            await link.execute(f"drop database {BESIDE} with (force)")


async def copy_rows(link: asyncpg.Connection, file: Path) -> tuple[float, float]:
    """Seconds to copy all reports out, and into a table without an index."""
    began = time.perf_counter()
    await link.copy_from_table("task_report", output=file, format="binary")
    out = time.perf_counter()
    await link.execute("create table bench_rows (like task_report including generated)")
    await link.copy_to_table("bench_rows", source=file, format="binary")
    into = time.perf_counter()
    await link.execute("drop table bench_rows")
    await asyncio.to_thread(file.unlink)
    return out - began, into - out


@asynccontextmanager
async def connected(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    link = await asyncpg.connect(dsn)
    try:
        yield link
    finally:
        await link.close()


def names_of_files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


async def compare(dsn: str, before: Any, stored: set[str], folder: Path) -> None:
    async with connected(archive.at(dsn, BESIDE)) as link:
        after = await link.fetchrow(CONTENT)
    assert after == before, (after, before)
    missing = stored - names_of_files(folder) - {"audit/anchors"}
    assert not missing, sorted(missing)[:5]


def main() -> None:
    with started("--robots", "1") as running:
        asyncio.run(measured(running))


if __name__ == "__main__":
    main()
