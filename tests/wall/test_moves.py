"""A branch of accounts that moves takes along all that its accounts own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from lustra.core.db import Connection
from tests.wall import tenants
from tests.world import World

STAMPS = """
select c.relname, regexp_replace(a.attname, 'path$', 'id') as account, a.attname as path
from pg_class c join pg_attribute a on a.attrelid = c.oid
where a.atttypid = 'ltree'::regtype and c.relname <> 'account' and c.relkind in ('r', 'p') and not c.relispartition
  and exists (
    select from pg_attribute i where i.attrelid = c.oid and i.attname = regexp_replace(a.attname, 'path$', 'id'))"""
BELOW = """
insert into account (account, name, level, roles, password, parent_id, path)
select 'below' || n, 'Below', 4, '{11}', '', id, (path::text || '.' || 1000000 + n)::ltree
from account, generate_series(1, 200) n where account = 'user'"""
FILLED = 15  # at least so many tables hold something of the branch: else the test looks at nothing


@asynccontextmanager
async def undone(world: World) -> AsyncIterator[Connection]:
    async with world.pool.acquire() as db:
        transaction = db.transaction()
        await transaction.start()
        try:
            yield db
        finally:
            await transaction.rollback()


async def move(world: World, account: str, parent: str) -> None:
    payload = {"targetUserId": world.accounts[account], "parentId": world.accounts[parent]}
    headers = {"token": await world.token("admin")}
    answer = await world.http.post("/api/user/updateUserInfo", json=payload, headers=headers)
    assert answer.json()["message"]["code"] == 0, answer.text


async def test_each_row_that_bears_the_path_of_its_account_moves_with_it(world: World):
    await tenants.furnished(world)
    source = await world.pool.fetchval("select prosrc from pg_proc where proname = 'account_moved'")
    stamps = [tuple(row) for row in await world.pool.fetch(STAMPS)]
    assert [stamp for stamp in stamps if "['{}', '{}', '{}']".format(*stamp) not in source] == []
    await move(world, "user", "rival")
    filled = 0
    for table, account, path in stamps:
        wrong, moved = await world.pool.fetchrow(
            f"select count(*) filter (where a.path <> t.{path}), count(*) filter (where a.path <@ up.path)"
            f" from {table} t join account a on a.id = t.{account}, account up where up.account = 'user'"
        )
        assert wrong == 0, table
        filled += moved > 0
    assert filled >= FILLED


@pytest.mark.spec("call.user.updateUserInfo")
async def test_a_branch_of_many_moves_with_one_statement_a_table(world: World):
    await world.pool.execute(BELOW)
    accounts = (await world.call("user", "/user/selectUserList"))["total"]
    assert accounts > 200
    await move(world, "user", "rival")
    assert (await world.call("user", "/user/selectUserList"))[
        "total"
    ] == accounts  # its session looks from the new place
    below = "select count(*) from account a, account up where up.account = 'rival' and a.path <@ up.path"
    assert await world.pool.fetchval(below) > 200
    async with undone(world) as db:
        plan = await db.fetch(
            "explain (analyze, timing off) update account set path = path || 'x' where account like 'below%'"
        )
    triggers = [line for (line,) in plan if line.startswith("Trigger")]
    assert len(triggers) > 1
    assert [line for line in triggers if not line.endswith(" calls=1")] == []
