"""A robot's minute comes back as it went in, whatever it was, and packing twice changes nothing."""

from lustra.domains.telemetry.chunk_codec import decode
from lustra.live.ingest import pack
from lustra.live.ingest import state as hot
from lustra.live.ingest.presence import now
from tests.world import World, state

AT = 1_772_366_400_000


async def test_packed_minutes_hold_every_point_and_late_ones_join_them(world: World):
    await world.pool.execute("update packed_until set slot = $1", AT // 1000)
    states = [state(AT + n * 1000, x=n / 10) for n in range(180)]
    rows = [hot.row("SC0001", now(), each) for each in states if each is not states[70]]
    async with world.as_ingest() as db:
        await pack.partitions(db, AT / 1000)
        await hot.store(db, rows)
        while await pack.pack(db, AT / 1000 + 2 * 3600):
            pass
        first = await db.fetch("select * from chunk order by minute")
        assert len(first) == 3
        await hot.store(db, [hot.row("SC0001", now(), states[70])])
        await pack.partitions(db, AT / 1000 + 30 * 3600)
        minutes = [decode(row["data"]) for row in await db.fetch("select data from chunk order by minute")]
        assert [len(minute) for minute in minutes] == [60, 60, 60]
        assert minutes[1][10][1] == 7.0
        assert await db.fetchval("select count(*) from point") == 0


async def test_hours_that_are_not_packed_yet_are_never_dropped(world: World):
    await world.pool.execute("update packed_until set slot = $1", AT // 1000 - 7200)
    async with world.as_ingest() as db:
        await pack.partitions(db, AT / 1000)
        await hot.store(db, [hot.row("SC0001", now(), state(AT))])
        await pack.partitions(db, AT / 1000 + 40 * 3600)
        assert await db.fetchval("select count(*) from point") == 1


async def test_a_clock_that_runs_ahead_has_its_points_in_the_hour_when_that_comes(world: World):
    async with world.as_ingest() as db:
        await pack.partitions(db, AT / 1000)
        await hot.store(db, [hot.row("SC0001", now(), state(AT + 10 * 3_600_000))])
        assert await db.fetchval("select count(*) from point_rest") == 1
        await pack.partitions(db, AT / 1000 + 10 * 3600)
        assert (
            await db.fetchval("select count(*) from point_rest"),
            await db.fetchval("select count(*) from point"),
        ) == (0, 1)
