"""Two ingests side by side share what robots say; whichever is killed, nothing is lost or counted twice."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from lustra.core.database.database_rights import INGEST
from lustra.live.ingest import queries
from lustra.protocol import bus
from tests.consumers import load_progress
from tests.databases import as_role
from tests.flush import flush
from tests.live.test_ingest_state import area
from tests.world import World, state, until

SNS = ("SC0001", "SC0002", "SC0010")
ROUNDS = 3
EACH = 400  # states of a robot and round


@asynccontextmanager
async def ingest(world: World) -> AsyncIterator[asyncio.subprocess.Process]:
    settings = world.services.settings
    environ = {
        **os.environ,
        "LUSTRA_DATABASE_URL": as_role(settings.database_url, INGEST),
        "LUSTRA_NATS_URL": settings.nats_url,
        "LUSTRA_OBJECTS_URL": settings.objects_url,
        "LUSTRA_SECRET": settings.secret,
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "lustra.app.cli", "ingest", env=environ)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def speak(world: World, begin: int, step: int) -> None:
    for number in range(step * EACH, (step + 1) * EACH):
        for sn in SNS:
            each = state(begin + number * 1000, stream="boot", seq=number + 2, total=100.0 + number)
            await world.services.bus.publish(bus.state(sn), bus.encode(each))
    await flush(world.services.bus.link)


async def start(world: World, begin: int) -> None:
    """Each robot is known: from where the total of a new one counts, the batch says that is stored first."""
    for sn in SNS:
        known = state(begin - 1000, stream="boot", seq=1, total=99.0)
        await world.services.bus.publish(bus.state(sn), bus.encode(known))

    async def are_stored() -> bool:
        return await count_points(world) == len(SNS)

    async with ingest(world):
        await until(are_stored, 60)


async def count_points(world: World) -> int:
    return await world.pool.fetchval("select count(*) from point")


async def count_handed_over(world: World) -> int:
    return (await load_progress(world.services.bus.js)).handed_over


async def until_more(count: Callable[[World], Awaitable[int]], world: World, before: int) -> None:
    async def more() -> bool:
        return await count(world) > before

    await until(more, 60)


async def test_killed_in_turn_under_load_they_lose_nothing_and_count_once(world: World):
    begin = (int(time.time()) - ROUNDS * EACH - 120) * 1000
    await start(world, begin)
    for step in range(ROUNDS):
        before, handed_over = await count_points(world), await count_handed_over(world)
        async with world.pool.acquire() as db, ingest(world) as first, ingest(world):
            async with db.transaction():
                await db.execute(queries.LOCK_STATES)  # what is handed over now stays in hand
                await speak(world, begin, step)
                await until_more(count_handed_over, world, handed_over)
                first.kill()
                await first.wait()
            await until_more(count_points, world, before)
        # the other is killed here

    async def all_acknowledged() -> bool:
        return (await load_progress(world.services.bus.js)).all_stored

    async with ingest(world):
        await until(all_acknowledged, 60)
    count = ROUNDS * EACH
    assert await count_points(world) == (count + 1) * len(SNS)
    assert await area(world) == count * len(SNS)
    rows = await world.pool.fetch("select seq, total from robot_state")
    assert [tuple(row) for row in rows] == [(count + 1, 99.0 + count)] * len(SNS)


async def test_go_on_within_seconds_when_an_ingest_freezes_in_its_transaction(world: World):
    begin = (int(time.time()) - 2 * EACH - 120) * 1000
    await start(world, begin)

    async def is_in_its_transaction() -> bool:
        """An ingest is behind the lock of states."""
        held = "select exists(select from pg_locks where locktype = 'advisory' and granted and objid = $1::oid)"
        number = await world.pool.fetchval("select (hashtext('states')::bigint & 4294967295)::oid")
        return await world.pool.fetchval(held, number)

    async def all_stored() -> bool:
        return await count_points(world) == (EACH + 1) * len(SNS)

    async def all_acknowledged() -> bool:
        return (await load_progress(world.services.bus.js)).all_stored

    async with world.pool.acquire() as db, ingest(world) as first:
        async with db.transaction():
            await db.execute("select from robot_state for update")  # within its transaction it waits for these
            await speak(world, begin, 0)
            await until(is_in_its_transaction, 60)
            first.send_signal(signal.SIGSTOP)
        async with ingest(world):
            await until(all_stored, 120)
        first.send_signal(signal.SIGCONT)  # it goes on with what it had in hand, and then with what comes
        await speak(world, begin, 1)
        await until(all_acknowledged, 60)
    assert await area(world) == 2 * EACH * len(SNS)


async def test_end_an_ingest_that_is_frozen_within_a_copy(world: World):
    """There the database looks at no clock of its own."""
    frozen = asyncio.Event()

    async def never_end() -> AsyncIterator[bytes]:
        frozen.set()
        await asyncio.Event().wait()
        yield b""

    async def freeze() -> None:
        async with world.as_ingest() as db, db.transaction():
            await db.execute(queries.LOCK_STATES)
            await db.copy_to_table("point", source=never_end())

    freezing = asyncio.create_task(freeze())
    await asyncio.wait_for(frozen.wait(), 30)
    try:
        async with world.as_ingest() as db, db.transaction():
            await db.execute("set local lock_timeout = '30s'")
            await db.execute(queries.END_FROZEN, timedelta(0))
            await db.execute(queries.LOCK_STATES)
    finally:
        freezing.cancel()
        await asyncio.gather(freezing, return_exceptions=True)
