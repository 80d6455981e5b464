"""`lustra export parquet`: what robots recorded and reported, in files that a stock reader of Parquet opens."""

import asyncio
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import duckdb
import pytest

from lustra.app.arguments import parser
from lustra.app.commands import export as command
from lustra.core.errors import Refusal
from lustra.domains.report import keep as reports
from lustra.live.ingest import pack
from lustra.live.ingest import state as hot
from tests.report.test_charts import ms
from tests.world import World, report, state

DAYS = ("--from", "2026-03-01", "--to", "2026-03-31")
NOON = ms(2026, 3, 5, 12)
WITHOUT = "import sys; sys.modules['duckdb'] = None; from lustra.app.cli import main; main()"


async def export(world: World, folder: Path, *words: str) -> dict[str, int]:
    """What the command does, here: how many files of each kind there are then."""
    arguments = parser().parse_args(["export", "parquet", str(folder), *words])
    return await command.export(world.services.settings, arguments)


async def run_command(world: World, folder: Path, *words: str, program: str = "") -> "subprocess.CompletedProcess[str]":
    python = ["-c", program] if program else ["-m", "lustra.app.cli"]
    environment = {**os.environ, "LUSTRA_DATABASE_URL": world.services.settings.database_url}
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, *python, "export", "parquet", str(folder), *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=60,
    )


async def keep_points(world: World, begin: int, count: int = 5, sn: str = "SC0001", **fields: Any) -> None:
    sent = [state(begin + n * 1000, x=n / 10, y=1.0, **fields) for n in range(count)]
    async with world.as_ingest() as db:
        await pack.partitions(db, begin / 1000)
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), point) for point in sent])


async def keep_run(world: World, started: int, sn: str = "SC0001", **fields: Any) -> None:
    async with world.as_ingest() as db:
        await reports.keep(db, [(sn, report(started=started, ended=started + 60_000, **fields))])


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*"))


async def test_a_file_a_robot_and_day_at_its_site_is_read_by_a_stock_reader(world: World, tmp_path: Path):
    await world.pool.execute("update device set zone = 'Asia/Tokyo' where serial_number = 'SC0001'")
    late = ms(2026, 3, 5, 16)  # the next day in Tokyo
    await keep_points(world, NOON)
    await keep_points(world, late, count=2)
    await keep_run(world, NOON, cleaned=12.3, task="Lobby ünïcode")
    await keep_run(world, NOON + 120_000, cleaned=0.1)
    await keep_run(world, late, cleaned=7.0)
    ended = await run_command(world, tmp_path, *DAYS)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"2 files of points, 2 files of reports in {tmp_path}\n"
    assert files(tmp_path) == [
        "points/SC0001/2026-03-05.parquet",
        "points/SC0001/2026-03-06.parquet",
        "reports/SC0001/2026-03-05.parquet",
        "reports/SC0001/2026-03-06.parquet",
    ]
    points = duckdb.read_parquet(str(tmp_path / "points/SC0001/2026-03-05.parquet"))
    assert points.columns == ["time", "x", "y", "yaw", "battery", "liquid"]
    rows = points.fetchall()
    assert [row[1] for row in rows] == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert rows[0][0] == datetime(2026, 3, 5, 12)  # noqa: DTZ001  times are UTC
    runs = duckdb.read_parquet(str(tmp_path / "reports/*/*.parquet"))
    listed = runs.project('"taskName", "cleanedArea", "startTime", "editTime"').order('"startTime"').fetchall()
    assert listed[0][0] == "Lobby ünïcode"
    assert [row[1] for row in listed] == [12.3, 0.1, 7.0]
    assert {row[3] for row in listed} == {None}


async def test_files_of_robots_that_say_less_have_the_same_columns_and_types(world: World, tmp_path: Path):
    await keep_points(world, NOON, liquid=50.0)
    await keep_points(world, NOON, sn="SC0002", liquid=None)
    assert await export(world, tmp_path, *DAYS) == {"points": 2, "reports": 0}
    types = {tuple(map(str, duckdb.read_parquet(str(tmp_path / path)).types)) for path in files(tmp_path)}
    assert types == {("TIMESTAMP", *["DOUBLE"] * 5)}
    both = duckdb.read_parquet(str(tmp_path / "points/*/*.parquet"))
    assert both.aggregate("count(*), count(liquid)").fetchall() == [(10, 5)]


async def hand_over(world: World, at: int) -> None:
    """SC0001 was its user's until then, and is another customer's from then on."""
    device = world.devices["SC0001"]
    await world.pool.execute(
        "insert into former_owner (device_id, owner_id, to_id, things, until, by_id)"
        " values ($1, $2, $3, 'keep', $4, $2)",
        device,
        world.accounts["user"],
        world.accounts["rivaluser"],
        at,
    )
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a where a.account = 'rivaluser'"
        " and device.id = $1",
        device,
    )


async def test_a_customer_gets_what_was_its_own_then_and_nothing_of_others(world: World, tmp_path: Path):
    for at in (ms(2026, 3, 5, 12), ms(2026, 3, 10, 6), ms(2026, 3, 10, 18), ms(2026, 3, 12, 12)):
        await keep_points(world, at, count=3)
    await keep_run(world, NOON, cleaned=1.0)
    await keep_run(world, NOON, sn="SC0010", cleaned=2.0)
    await hand_over(world, ms(2026, 3, 10, 12))
    for account, days, rows in (
        ("user", ["05", "10"], 6),
        ("rivaluser", ["10", "12"], 6),
        ("admin", ["05", "10", "12"], 12),
    ):
        folder = tmp_path / account
        await export(world, folder, *DAYS, "--customer", account)
        assert sorted(path.stem[-2:] for path in folder.glob("points/SC0001/*")) == days
        assert duckdb.read_parquet(str(folder / "points/*/*.parquet")).count("x").fetchall() == [(rows,)]
    assert [path.parent.name for path in (tmp_path / "user").glob("reports/*/*")] == ["SC0001"]
    assert [path.parent.name for path in (tmp_path / "rivaluser").glob("reports/*/*")] == ["SC0010"]


async def test_write_no_file_for_who_shares_but_the_second_of_a_point(world: World, tmp_path: Path):
    await keep_points(world, NOON, count=1)
    await hand_over(world, NOON + 500)
    await export(world, tmp_path / "new", *DAYS, "--customer", "rivaluser")
    await export(world, tmp_path / "former", *DAYS, "--customer", "user")
    assert (files(tmp_path / "new"), files(tmp_path / "former")) == ([], ["points/SC0001/2026-03-05.parquet"])


async def test_an_export_of_the_same_days_replaces_its_files(world: World, tmp_path: Path):
    await keep_run(world, NOON, cleaned=1.0)
    for count in (1, 2):
        await export(world, tmp_path, *DAYS)
        runs = duckdb.read_parquet(str(tmp_path / "reports/SC0001/2026-03-05.parquet"))
        assert len(runs.fetchall()) == count
        await keep_run(world, NOON + 120_000, cleaned=2.0)
    assert files(tmp_path) == ["reports/SC0001/2026-03-05.parquet"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--from", "2026-05-01", "--to", "2026-04-30"), "must not be after"),
        (("--from", "1976-05-01", "--to", "2026-04-30"), "366"),
        (("--customer", "nobody"), "not found"),
    ],
)
async def test_refuse_what_cannot_be_exported(world: World, tmp_path: Path, words: tuple[str, ...], why: str):
    with pytest.raises(Refusal) as refusal:
        await export(world, tmp_path, *words)
    assert why in refusal.value.text("en").lower()
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "program", "why"),
    [(("--customer", "nobody"), "", "not found"), (DAYS, WITHOUT, "pip install 'lustra[parquet]'")],
)
async def test_the_command_ends_with_a_sentence(
    world: World, tmp_path: Path, words: tuple[str, ...], program: str, why: str
):
    ended = await run_command(world, tmp_path, *words, program=program)
    assert ended.returncode == 1
    assert why in ended.stderr.lower(), ended.stderr
    assert "Traceback" not in ended.stderr
