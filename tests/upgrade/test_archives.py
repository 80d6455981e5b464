"""Installations of before: archives of `lustra backup` are restored, upgraded and used.

`make release` keeps one of each release here. Those named by a schema are of the time before the first release: a demo
of a few minutes, in which four accounts took control of robots and stored a file each.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from lustra.core.audit_trail import chain, chain_check
from lustra.core.calls.registry import CALLS
from lustra.core.context import Services
from lustra.core.migrations import upgrade
from lustra.core.settings import Settings
from lustra.domains.telemetry.api import chunk_codec
from lustra.live.ingest.queries import PACKED
from lustra.stack import archive, programs
from tests.clients import LogIn
from tests.conftest import Stack
from tests.databases import shape, statement
from tests.wall import answers

ARCHIVES = sorted((Path(__file__).parent / "archives").glob("*.tar"))
TABLES = """
select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  and not relispartition and relname not like 'procrastinate%' and relname <> 'alembic_version'"""
MINUTE_MS = 60_000
# Rows that an upgrade may make anew from others: sums, and what orders the list of robots.
DERIVED = {"need_count"}
HOUR = re.compile(r"\bpoint_\d+")
BRACKETS = re.compile(r"[()\s]")
pytestmark = pytest.mark.timeout(180)


@dataclass(frozen=True)
class Installation:
    dsn: str
    secrets: dict[str, Any]
    rows: dict[str, int]  # of each table, before the upgrade


async def count_rows(dsn: str) -> dict[str, int]:
    link = await asyncpg.connect(dsn)
    try:
        names = [row["relname"] for row in await link.fetch(TABLES)]
        return {name: await link.fetchval(f'select count(*) from "{name}"') for name in names}
    finally:
        await link.close()


@pytest.fixture(params=ARCHIVES, ids=lambda path: path.stem)
async def installation(request: pytest.FixtureRequest, stack: Stack, tmp_path: Path) -> AsyncIterator[Installation]:
    """Of an archive, upgraded; its objects lie in `tmp_path`."""
    await statement(stack.postgres, "create database upgraded template template0")
    dsn = stack.postgres.rsplit("/", 1)[0] + "/upgraded"
    try:
        binaries = programs.installed().postgres
        secrets = await archive.restore(binaries, dsn, tmp_path / "objects", request.param)
        before = await count_rows(dsn)
        await asyncio.to_thread(upgrade, dsn)
        yield Installation(dsn, secrets, before)
    finally:
        await statement(stack.postgres, "drop database upgraded with (force)")


@pytest.fixture
def database(installation: Installation) -> str:
    """In place of the empty one of other tests."""
    return installation.dsn


@pytest.fixture
def settings(settings: Settings, installation: Installation) -> Settings:
    return replace(settings, secret=installation.secrets["secret"])


def flat(shapes: dict[str, list[tuple[Any, ...]]]) -> set[str]:
    """Without brackets, of which a restored condition has fewer; and without partitions of an hour."""
    return {
        BRACKETS.sub("", f"{kind} {each}")
        for kind, all_ in shapes.items()
        for each in all_
        if not HOUR.search(str(each))
    }


async def test_the_schema_becomes_that_of_a_new_installation(installation: Installation, stack: Stack, template: str):
    new = await shape(stack.postgres.rsplit("/", 1)[0] + f"/{template}")
    assert flat(await shape(installation.dsn)) ^ flat(new) == set()


async def test_no_row_is_lost(installation: Installation):
    after = await count_rows(installation.dsn)
    fewer = {name: (count, after.get(name)) for name, count in installation.rows.items() if count > after.get(name, 0)}
    assert {name: counts for name, counts in fewer.items() if name not in DERIVED} == {}
    assert installation.rows["device"] >= 4  # it looks at something


async def test_answer_every_read_over_an_upgraded_archive(console: LogIn):
    failed: list[tuple[str, int]] = []
    for account in ("admin", "dealer", "user"):
        caller = await console(account)
        for entry in filter(answers.reads, CALLS.values()):
            everything: dict[str, Any] = {"pageSize": 100, "days": 3650} | answers.ANYWAY
            options = {"params": everything} if entry.method == "GET" else {"json": everything}
            answer = await caller.http.request(entry.method, f"/api{entry.path}", **options)
            is_json = answer.headers.get("content-type", "").startswith("application/json")
            code = answer.json().get("message", {}).get("code", 0) if is_json else 0
            failed += [(entry.path, code or answer.status_code)] if answer.status_code >= 500 or code >= 50000 else []
    assert failed == []


async def test_files_are_fetched(console: LogIn):
    caller = await console("user")
    address = await caller("/oss/downloadUrl", savePath="notes/plan.txt")
    assert (await caller.http.get(address)).content == b"floor"


async def test_the_packed_history_is_read(installation: Installation):
    if not installation.rows["chunk"]:
        pytest.skip("its demo did not run long enough to have any")
    link = await asyncpg.connect(installation.dsn)
    chunks = await link.fetch("select minute, data from chunk")
    await link.close()
    points = [
        (chunk["minute"], dict(zip(PACKED, point, strict=True)))
        for chunk in chunks
        for point in chunk_codec.decode(chunk["data"])
    ]
    assert len(points) > len(chunks) > 0
    assert all(point["at"] // MINUTE_MS == minute and 0 < point["battery"] <= 100 for minute, point in points)


async def test_the_chain_of_the_audit_holds_and_goes_on(services: Services):
    result = await chain_check.check(services, whole=True)
    assert (result.broken, result.reason) == (None, "")
    async with services.sessions.begin() as db:
        await chain.seal(db, chain.key_of(services.settings))
