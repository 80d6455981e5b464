"""An upgrade that is killed in the middle: the next one goes on, and makes the same database."""

import contextlib
import subprocess
import sys
import time

import asyncpg
import pytest

from tests.conftest import Stack
from tests.databases import shape, statement

UPGRADE = "import sys; from lustra.core.migrations import upgrade; upgrade(sys.argv[1])"
PATIENCE_S = 60.0


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
