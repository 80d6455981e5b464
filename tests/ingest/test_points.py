"""Points are stored once each, and those that come after their minute was packed join it soon."""

from lustra.domains.telemetry.chunk_codec import decode
from lustra.live.ingest import pack, queries
from lustra.live.ingest.queries import INGEST
from tests.live.test_ingest_state import AT, store
from tests.world import World, state

PACKED_S = AT / 1000 + 3600


async def count_points(world: World) -> int:
    return await world.pool.fetchval("select count(*) from point")


async def load_minutes(world: World) -> list[list[int]]:
    """The seconds from AT on of the points in each chunk."""
    rows = await world.pool.fetch("select data from chunk order by minute")
    return [[(int(point[0]) - AT) // 1000 for point in decode(row["data"])] for row in rows]


async def pack_all(world: World) -> None:
    async with world.as_ingest() as db:
        while await pack.pack(db, PACKED_S):
            pass


async def start(world: World) -> None:
    """A minute of ten points, but for the fourth, is packed."""
    await world.pool.execute("update packed_until set (slot, late_until) = ($1, $1)", AT // 1000)
    async with world.as_ingest() as db:
        await pack.partitions(db, AT / 1000)
    await store(world, *(state(AT + n * 1000) for n in range(10) if n != 3))
    await pack_all(world)


async def test_a_point_that_is_there_keeps_no_other_of_its_batch_out(world: World):
    await store(world, state(AT, stream="a", seq=6, x=1))
    await store(world, state(AT + 9000, stream="a", seq=4, x=2))  # older, under a clock that ran ahead
    assert await count_points(world) == 2
    again, new = state(AT + 9000, stream="a", seq=7, x=3), state(AT + 20_000, stream="a", seq=8, x=4)
    await store(world, again, new)
    assert [
        tuple(row) for row in await world.pool.fetch("select (slot * 1000 - $1) / 1000, x from point order by slot", AT)
    ] == [
        (0, 1.0),
        (9, 2.0),
        (20, 4.0),
    ]
    assert await world.pool.fetchval("select x from robot_state") == 4.0


async def test_a_late_point_joins_its_minute_at_the_next_packing(world: World):
    await start(world)
    await store(world, state(AT + 3000))
    assert await load_minutes(world) == [[0, 1, 2, 4, 5, 6, 7, 8, 9]]
    await pack_all(world)
    assert await load_minutes(world) == [list(range(10))]
    assert await world.pool.fetchval("select count(*) from late_minute") == 0


async def test_a_minute_that_is_still_being_noted_is_left_to_the_next_packing(world: World):
    await start(world)
    await store(world, state(AT + 3000))
    async with world.as_ingest() as other, other.transaction():
        await other.execute(INGEST.sql(queries.NOTE_LATE_MINUTES), *zip(*await noted(world), strict=True))
        await pack_all(world)
        assert len(await noted(world)) == 1
        assert 3 not in (await load_minutes(world))[0]
    await pack_all(world)
    assert await noted(world) == []
    assert 3 in (await load_minutes(world))[0]


async def noted(world: World) -> list[tuple[int, int]]:
    return [tuple(row) for row in await world.pool.fetch("select robot, minute from late_minute")]


async def test_another_packs_in_place_of_one_that_died(world: World):
    await start(world)
    until = AT // 1000 + 2 * 3600
    async with world.as_ingest() as db:
        await store(world, state(AT + 3_600_000))
        await db.execute("update packed_until set claimed_until = now() + interval '1 minute'")  # by one that packs
        assert not await pack.pack(db, until)
        assert len(await load_minutes(world)) == 1
        await db.execute("update packed_until set claimed_until = now()")  # it has renewed it no more
    async with world.as_ingest() as db:
        while await pack.pack(db, until):
            pass
    assert len(await load_minutes(world)) == 2
