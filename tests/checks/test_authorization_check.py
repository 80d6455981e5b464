"""The authorization check finds what it is there for."""

import json
from collections.abc import Callable
from pathlib import Path

import check_authorization
import pytest
from house import ROOT

TABLES = """
from lustra.core.db import Owned, Shared, Table
from sqlalchemy import select
class Robot(Table):
    __tablename__ = "robot"
    root = Owned(lambda row, scope: row.owner.in_(select(Robot.id).where(scope.below(Robot.path))))
class Kind(Table):
    __tablename__ = "kind"
    root = Shared
"""
QUERIES = """
from lustra.core.scope import Statement
FROM = "robot r"
KEYS = "select id from robot"
ROBOTS = Statement(f"select * from robot where {{where}} and id in ({KEYS})", where="true")
JOINED = "left join robot r on true"
KINDS = "select * from kind"
"""
GOOD = """
from sqlalchemy import Select, func
from lustra.core.scope import rows_of, shared, system
from lustra.domains.robot import queries
from lustra.domains.robot.tables import Kind, Robot
def listed(scope) -> Select[Robot]: return scope.select(Robot)
async def fetched(db, where): return await db.fetch(where.sql(queries.ROBOTS), *where.values)
async def kinds(db): return await db.fetch(queries.KINDS), await db.get(Kind, 1), shared.select(Kind)
async def parts(db, robot): return await db.scalars(rows_of(robot).select(Robot))
async def nightly(db): await db.execute(system("of all accounts").delete(Robot))
@call("/robot/list", needs="device/index")
async def robots(ctx): return await listed(ctx.scope)
@call("/about", needs=PUBLIC)
async def about(ctx): '''Robots join kind people, select from robot.'''
"""


Check = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def package(tmp_path: Path) -> Check:
    def written(**files: str) -> tuple[list[str], list[str]]:
        api = "from lustra.domains.robot.tables import Robot"
        sources = {"tables": TABLES, "queries": QUERIES, "service": GOOD, "api": api} | files
        folder = tmp_path / "lustra" / "domains" / "robot"
        folder.mkdir(parents=True, exist_ok=True)
        (folder.parent / "account").mkdir(exist_ok=True)
        (folder.parent / "account" / "keys.json").write_text(json.dumps([{"key": "device/index"}]))
        for name, source in sources.items():
            (folder / f"{name}.py").write_text(source)
        return check_authorization.check(tmp_path / "lustra")

    return written


def test_pass_valid_code_and_count_each_unscoped_query(package: Check):
    problems, uses = package()
    assert problems == []
    assert [use.rpartition(": ")[2] for use in uses] == ["of all accounts"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('@call("/x")\nasync def x(ctx): ...', "does not say what it needs"),
        ('@call("/x", needs=("device/index", "device/indx"))\nasync def x(ctx): ...', "unknown key: device/indx"),
        ("from sqlalchemy import select\nrows = select(Robot)", "sqlalchemy.select goes past the scope"),
        ("from sqlalchemy import select as choose\nrows = choose(Robot)", "sqlalchemy.select goes past the scope"),
        ("import sqlalchemy as sa\nrows = sa.select(Robot)", "sqlalchemy.select goes past the scope"),
        ("import sqlalchemy\nrows = sqlalchemy.sql.select(Robot)", "sqlalchemy.sql.select goes past the scope"),
        ("def x():\n from sqlalchemy import update\n return update(Robot)", "sqlalchemy.update goes past the scope"),
        (
            "from sqlalchemy import select\nasync def x(db, words):\n words.find('x')\n return select(Robot)",
            "goes past",
        ),
        ("from sqlalchemy import select\ndef x(visible): return visible(select)", "goes past the scope"),
        ("from sqlalchemy.dialects.postgresql import insert\nrow = insert(Robot)", "insert goes past the scope"),
        ("from sqlalchemy import Select\nrows = Select(Robot)", "sqlalchemy.Select goes past the scope"),
        ("from sqlalchemy import *", "imports everything of sqlalchemy"),
        ("async def x(db): return await db.get(Robot, 1)", "by its key, without a scope"),
        ("from lustra.domains.robot.api import Robot as R\nasync def x(db): await db.get(R, 1)", "by its key"),
        (
            "from lustra.domains.robot import tables\nasync def x(db): return await db.get(tables.Robot, 1)",
            "by its key",
        ),
        ("async def x(db): return await db.fetch('SELECT 1 FROM kind JOIN robot USING (id)')", "outside queries.py"),
        ("async def x(db): return await db.fetch('select 1 from kind k, robot r')", "outside queries.py"),
        ("class A:\n text = f'update robot set {name} = 1'", "outside queries.py"),
        ("async def x(db): return await db.fetch(queries.KEYS)", "is no Statement, and leaves its file"),
        ("from lustra.domains.robot.queries import KEYS\nuse(KEYS)", "is no Statement, and leaves its file"),
        ("async def x(db, name): return await db.fetch(f'select {name}')", "puts SQL together"),
        ("async def x(db): return await db.fetch(queries.KINDS.replace('kind', 'robot'))", "puts SQL together"),
        ("async def x(db): return await db.fetch(queries.KINDS + ' limit 1')", "puts SQL together"),
        ("from lustra.core.scope import Scope\ndef x(): return Scope('1', 1)", "makes a scope of its own"),
        ("from lustra.core import scope\ndef x(): return scope.System('all of them')", "makes a scope of its own"),
        ("def x(): return rows_of(Robot(id=1)).select(Robot)", "rows_of a row that nobody asked for"),
        ("from lustra.core.scope import RobotRows\nown = RobotRows()", "makes a scope of its own"),
        ("def x(): return system('').select(Robot)", "system() without a reason"),
        ("def x(why): return system(why).select(Robot)", "system() without a reason"),
    ],
)
def test_a_planted_violation_is_refused(package: Check, more: str, says: str):
    problems, _ = package(service=GOOD + "\n" + more)
    assert len(problems) >= 1
    assert any(says in problem for problem in problems), problems


@pytest.mark.parametrize("place", ["live/ingest/state", "live/push/rows", "elevators/rides", "app/about", "core/quota"])
def test_sql_of_owned_rows_is_refused_outside_of_the_domains_too(package: Check, tmp_path: Path, place: str):
    package()
    module = tmp_path / "lustra" / f"{place}.py"
    module.parent.mkdir(parents=True)
    module.write_text("STORE = 'update robot set at = $1'")
    problems, _ = check_authorization.check(tmp_path / "lustra")
    assert problems == [f"{module}:1 SQL of owned rows outside queries.py"]
    module.unlink()
    queries = module.with_name("queries.py")
    queries.write_text("from lustra.core.scope import Statement\nSTORE = Statement('update robot set at = $1')")
    assert check_authorization.check(tmp_path / "lustra")[0] == []


def test_a_file_of_queries_hands_out_no_text_and_asks_nothing_itself(package: Check):
    problems, _ = package(queries=QUERIES + "\ndef rows(path): return f'select * from robot where {path}'\n")
    assert any("hands out SQL of owned rows that is no Statement" in problem for problem in problems)
    problems, _ = package(queries=QUERIES + "\nasync def rows(db): return await db.fetch(KINDS)\n")
    assert any("asks the database itself" in problem for problem in problems)


def test_a_table_without_a_root_is_refused_and_cannot_even_be_declared(package: Check):
    problems, _ = package(tables=TABLES + 'class Lost(Table):\n    __tablename__ = "lost"\n')
    assert any("table Lost does not declare its root" in problem for problem in problems)
    from lustra.core.db import Table  # noqa: PLC0415  # only here

    with pytest.raises(TypeError, match="root"):

        class Lost(Table):
            __tablename__ = "lost"


def test_every_key_that_a_call_names_at_run_time_is_in_the_catalogue():
    from lustra.app.wiring import wire  # noqa: PLC0415  # registers all calls
    from lustra.core.calls.registry import all_keys  # noqa: PLC0415  # only here

    wire()
    catalogue = next((ROOT / "src/lustra/domains").rglob("keys.json"))
    assert all_keys() <= {entry["key"] for entry in json.loads(catalogue.read_text())}
