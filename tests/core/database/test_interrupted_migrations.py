"""An upgrade that is killed in the middle: the next one goes on, and makes the same database."""

import contextlib
import subprocess
import sys
import time
from typing import Any

import asyncpg
import pytest

from tests.conftest import Stack
from tests.databases import statement

UPGRADE = "import sys; from lustra.core.migrations import upgrade; upgrade(sys.argv[1])"
PATIENCE_S = 60.0
SHAPES = {
    "columns": "select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns"
    " where table_schema = 'public'",
    "indexes": "select indexdef from pg_indexes where schemaname = 'public'",
    "constraints": "select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint"
    " where connamespace = 'public'::regnamespace",
    "triggers": "select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal",
    "functions": "select proname, md5(prosrc) from pg_proc where pronamespace = 'public'::regnamespace",
}


async def shape(dsn: str) -> dict[str, list[tuple[Any, ...]]]:
    link = await asyncpg.connect(dsn)
    try:
        return {name: sorted(map(tuple, await link.fetch(query)), key=repr) for name, query in SHAPES.items()}
    finally:
        await link.close()


async def revision(dsn: str) -> str:
    """The last that is committed; empty before the first."""
    link = await asyncpg.connect(dsn)
    try:
        with contextlib.suppress(asyncpg.UndefinedTableError):
            return str(await link.fetchval("select version_num from alembic_version") or "")
        return ""
    finally:
        await link.close()


def begin(dsn: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", UPGRADE, dsn])


@pytest.mark.timeout(180)
async def test_an_upgrade_that_was_killed_is_finished_by_the_next(stack: Stack, database: str):
    await statement(stack.postgres, "create database interrupted template template0")
    dsn = stack.postgres.rsplit("/", 1)[0] + "/interrupted"
    try:
        for reached in ("0002", "0030", "0070"):
            running, end = begin(dsn), time.monotonic() + PATIENCE_S
            while await revision(dsn) < reached:
                assert running.poll() is None, "it was done before it could be killed"
                assert time.monotonic() < end
            running.kill()
            running.wait()
        assert begin(dsn).wait() == 0
        assert await revision(dsn) == await revision(database)
        assert await shape(dsn) == await shape(database)
    finally:
        await statement(stack.postgres, "drop database interrupted with (force)")
