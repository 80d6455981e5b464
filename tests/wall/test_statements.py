"""PostgreSQL plans every statement that the product has: those of owned rows, and each constant that is SQL.

A new one is among them by itself: all modules are read, whoever imports them.
"""

import ast
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import cast

import asyncpg
import pytest
import sqlalchemy
from sqlalchemy.dialects import postgresql

import lustra
from lustra.core.scope import Statement
from lustra.live.ingest.queries import INCOMING

BEGINS = re.compile(r"\s*(select|with|insert|update|delete)\s", re.IGNORECASE)
RUNNING = {"fetch", "fetchrow", "fetchval", "execute", "executemany", "scalar", "scalars", "stream", "cursor", "text"}
STACK = "lustra.stack."  # it makes the database itself
# Parts of the statements beside them, and a list of rights.
PARTS = {
    "domains.alarm_rule.queries.OF_ACCOUNT",
    "domains.device.queries.BOUND",
    "domains.report.sums.queries.PROVISIONAL",
    "domains.report.sums.queries._SERIES",
    "domains.telemetry.queries.HITS",
    "domains.telemetry.queries.KEYS_SEARCHED",
    "core.database.database_rights.ALL",
}


def modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(lustra.__path__, "lustra."):
        if ".migrations" not in module.name and not module.name.startswith((STACK, "lustra.robot")):
            yield import_module(module.name)


def text_of(value: object) -> str | None:
    if isinstance(value, Statement):
        return value.sample()
    if isinstance(value, sqlalchemy.TextClause):
        return value.text
    return value if isinstance(value, str) and BEGINS.match(value) else None


def parts_of(value: object) -> tuple[object, ...]:
    if isinstance(value, dict):  # of texts they are words, or parts
        return tuple(part for part in cast("dict[object, object]", value).values() if isinstance(part, Statement))
    return cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)


def constants(module: ModuleType) -> Iterator[tuple[str, str]]:
    for name, value in vars(module).items():
        place = f"{module.__name__.removeprefix('lustra.')}.{name}"
        for number, each in enumerate(parts_of(value)):
            text = None if name.startswith("__") or place in PARTS else text_of(each)
            if text is not None:
                yield f"{place}.{number}", text


def literals(module: ModuleType) -> Iterator[tuple[str, str]]:
    """What functions hand to the database as it stands there."""
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in RUNNING:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield f"{module.__name__}:{node.lineno}", first.value


def statements() -> Iterator[tuple[str, str]]:
    """Where each stands, and its text, with values as $1 or :name."""
    for module in modules():
        yield from constants(module)
        yield from literals(module)


STATEMENTS = dict(statements())


def numbered(text: str) -> str:
    """Values by name become values by number, as asyncpg sends them."""
    if re.search(r"(?<!:):[a-z]\w*", text) is None:
        return text
    compiled = sqlalchemy.text(text).compile(dialect=postgresql.asyncpg.dialect())
    return str(compiled)


def test_each_statement_of_owned_rows_is_among_them():
    texts = set(STATEMENTS.values())
    assert len(STATEMENTS) > 100
    assert [statement for statement in Statement.all if statement.sample() not in texts] == []


async def test_every_statement_is_planned(database: str):
    link = await asyncpg.connect(database)
    faults: dict[str, str] = {}
    try:
        await link.execute(INCOMING)
        for place, text in STATEMENTS.items():
            try:
                if BEGINS.match(text):
                    await link.execute(f"explain (generic_plan) {numbered(text)}")
            except asyncpg.PostgresError as fault:
                faults[place] = str(fault)
    finally:
        await link.close()
    assert faults == {}


@pytest.mark.parametrize("text", ["select no_such from device", "select 1 from no_such_table", "select 1 form device"])
async def test_a_statement_that_is_not_right_is_not_planned(database: str, text: str):
    link = await asyncpg.connect(database)
    with pytest.raises(asyncpg.PostgresError):
        await link.execute(f"explain (generic_plan) {numbered(text)}")
    await link.close()
