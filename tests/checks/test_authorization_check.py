"""The authorization check finds what it is there for."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import check_authorization
import pytest
from house import ROOT

TABLES = """
from lustra.core.db import Owned, Shared, Table
class Robot(Table):
    __tablename__ = "robot"
    root = Owned("account")
class Kind(Table):
    __tablename__ = "kind"
    root = Shared
"""
GOOD = """
ROBOTS = "select * from robot"
def visible(actor): return select(Robot.id).where(Robot.owner == actor)
async def listed(db, actor): return await db.scalars(select(Robot).where(Robot.id.in_(visible(actor))))
async def counted(db, where: Where): return await db.fetch(ROBOTS + str(where))
async def parts(db, robot: Robot): return await db.scalars(select(Robot).where(Robot.id == robot.id))
async def below(db, path): return await db.fetch("select 1 from robot where path <@ $1", path)
async def kinds(db): return await db.scalars(select(Kind))
async def nightly(db):
    '''Unscoped: a job.'''
    return await db.fetch(ROBOTS)
@call("/robot/list", needs="device/index")
async def robots(ctx): return await listed(ctx.db, ctx.actor)
@call("/about", needs=PUBLIC)
async def about(ctx): '''Robots join kind people.'''
"""


@pytest.fixture
def package(tmp_path: Path):
    def written(**files: Any):
        sources = {"tables": TABLES, "service": GOOD} | files
        folder = tmp_path / "domains" / "robot"
        folder.mkdir(parents=True, exist_ok=True)
        (tmp_path / "domains" / "account").mkdir(exist_ok=True)
        (tmp_path / "domains" / "account" / "keys.json").write_text(json.dumps([{"key": "device/index"}]))
        for name, source in sources.items():
            (folder / f"{name}.py").write_text(source)
        return check_authorization.check(tmp_path)

    return written


def test_what_keeps_the_rules_passes(package: Callable[..., list[str]]):
    assert package() == []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('@call("/x")\nasync def x(ctx): ...', "does not say what it needs"),
        ('@call("/x", needs=("device/index", "device/indx"))\nasync def x(ctx): ...', "unknown key: device/indx"),
        ("async def x(db): return await db.scalars(select(Robot))", "x reads owned rows"),
        ("async def x(db): return await db.get(Robot, 1)", "x reads owned rows"),
        ("async def x(db):\n where = Where()\n return await db.fetch(ROBOTS + str(where))", "x reads owned rows"),
        ("async def x(db, of: Where):\n of = Where()\n return await db.fetch(ROBOTS)", "x reads owned rows"),
        ("async def x(db): await db.execute(update(Robot).values(name=''))", "x reads owned rows"),
        ("async def x(db): return await db.fetch(ROBOTS)", "x reads owned rows"),
        ("async def x(db): return await db.fetch('SELECT 1 FROM kind JOIN robot USING (id)')", "x reads owned rows"),
        ("class A:\n async def x(self, db): return await db.scalar(select(Robot.id))", "x reads owned rows"),
    ],
)
def test_a_planted_violation_is_found(package: Callable[..., list[str]], more: str, says: str):
    (report,) = package(service=GOOD + "\n" + more)
    assert says in report


def test_a_table_without_a_root_is_found_and_cannot_even_be_declared(package: Callable[..., list[str]]):
    (report,) = package(tables=TABLES + 'class Lost(Table):\n    __tablename__ = "lost"\n')
    assert "table Lost does not declare its root" in report
    from lustra.core.db import Table  # noqa: PLC0415  # only here

    with pytest.raises(TypeError, match="root"):

        class Lost(Table):
            __tablename__ = "lost"


def test_every_key_that_a_call_names_at_run_time_is_in_the_catalogue():
    from lustra.app.wiring import wire  # noqa: PLC0415  # registers all calls
    from lustra.core.calls.registry import all_keys  # noqa: PLC0415  # only here

    wire()
    known = {entry["key"] for entry in json.loads((ROOT / "src/lustra/domains/account/keys.json").read_text())}
    assert all_keys() <= known
