"""The mapped tables are what the migrations make."""

from typing import Any

import asyncpg
import pytest

from lustra.app.web import ready
from lustra.app.wiring import wire
from lustra.core.db import Base
from lustra.core.migrations import Unfit, _fit, upgrade

COLUMNS = """SELECT table_name, column_name, is_nullable = 'YES' AS empty FROM information_schema.columns
WHERE table_schema = 'public'"""

TABLES = """SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
AND NOT relispartition AND relname <> 'alembic_version' AND relname NOT LIKE 'procrastinate%'"""


async def test_every_table_has_a_class_that_says_whose_its_rows_are(database: str):
    wire()
    link = await asyncpg.connect(database)
    tables = {row["relname"] for row in await link.fetch(TABLES)}
    await link.close()
    assert tables == {*Base.metadata.tables, ready.WriteCheck.__tablename__}


async def test_every_mapped_column_is_there_and_as_optional_as_it_is_declared(database: str):
    wire()
    link = await asyncpg.connect(database)
    columns = {(row["table_name"], row["column_name"]): row["empty"] for row in await link.fetch(COLUMNS)}
    await link.close()
    mapped = {
        (table.name, column.name): bool(column.nullable)
        for table in Base.metadata.tables.values()
        for column in table.columns
    }
    assert {key: columns.get(key) for key in mapped} == mapped


def test_upgrading_again_changes_nothing(database: str):
    upgrade(database)


@pytest.mark.parametrize("grams", [None, []])
def test_a_database_that_cannot_search_chinese_is_refused(grams: list[Any] | None):
    with pytest.raises(Unfit, match=r"C\.UTF-8"):
        _fit(grams)
