"""The owners' tree is stored while nothing that it shows has changed, and never answered when it has."""

import asyncio
import gc
from typing import Any

import asyncpg
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.device import owners
from tests.world import World

CHANGES = {
    "renamed": "update account set name = 'Bright West' where account = 'sub'",
    "made staff": "update account set roles = '{13}' where account = 'sub'",
    "deleted": "update account set deleted_at = now() where account = 'sub'",
    "moved": """update account set parent_id = (select id from account where account = 'dealer')
        where account = 'subsub'""",
    "added": """insert into account (account, name, level, roles, password, parent_id, path)
        select 'new', 'New', 4, '{11}', '', id, path || '999999' from account where account = 'user'""",
}


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch):
    """How often a tree was written anew; the smallest tree is stored."""
    times: list[str] = []
    write = owners.write_tree

    async def counted(db: AsyncSession, path: Any):
        times.append(path)
        return await write(db, path)

    monkeypatch.setattr(owners, "write_tree", counted)
    monkeypatch.setattr(owners, "CACHED_FROM", 0)
    return times


async def tree(world: World, account: str = "user"):
    return (await world.call(account, "/device/selectOwnUser"))["list"]


@pytest.mark.spec("call.device.selectOwnUser")
async def test_answer_the_stored_tree_while_nothing_of_it_changes(world: World, written: list[str]):
    first = await tree(world)
    await world.pool.execute("update account set password = 'x', phone = '1' where account = 'sub'")
    assert await tree(world) == first
    assert await tree(world, "dealer") != first
    assert len(written) == 2


@pytest.mark.parametrize("change", CHANGES)
async def test_every_change_is_seen_by_the_next_who_asks(world: World, change: Any):
    first = await tree(world)
    await world.pool.execute(CHANGES[change])
    assert await tree(world) != first


async def test_answer_a_change_once_it_is_committed_and_not_before(world: World):
    first = await tree(world)
    async with world.pool.acquire() as db:
        change = db.transaction()
        await change.start()
        await db.execute(CHANGES["renamed"])
        assert await tree(world) == first
        await change.commit()
    assert await tree(world) != first


async def test_of_two_open_changes_none_waits_for_the_other(world: World):
    async with world.pool.acquire() as first_db, world.pool.acquire() as second_db:
        first, second = first_db.transaction(), second_db.transaction()
        await first.start()
        await second.start()
        await first_db.execute(CHANGES["renamed"])
        await second_db.execute("update account set name = 'Far' where account = 'rival'")
        await asyncio.wait_for(second.commit(), 20)
        await asyncio.wait_for(first.commit(), 20)


async def test_so_many_trees_are_stored_and_the_least_used_goes(
    world: World, written: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(owners, "CACHED_TREES", 1)
    await world.pool.execute(CHANGES["renamed"])
    for account in ("user", "dealer", "user"):
        await tree(world, account)
    assert len(written) == 3


async def test_leave_no_rows_to_the_collector_of_garbage(world: World):
    gc.collect()
    gc.disable()
    try:
        await tree(world)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert not [row for row in gc.garbage if isinstance(row, asyncpg.Record)]
    finally:
        gc.set_debug(0)
        gc.enable()
        gc.garbage.clear()
