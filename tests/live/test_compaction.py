"""Minutes of a day ago lie together by ten, later by the centimetre, and are read as before."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lustra.core.scope import Scope
from lustra.domains.telemetry.api import load_points
from lustra.domains.telemetry.chunk_codec import COARSE_SCALE, SCALE, decode, encode, is_coarse
from lustra.live.ingest import compaction, pack
from lustra.live.ingest import state as hot
from tests.live.test_chunk_codec import point
from tests.world import World, state, until

NOW = datetime.now(UTC)
DAY_S = 86_400
BEGIN = (int(NOW.timestamp()) - 3 * DAY_S) // 600 * 600  # a whole ten minutes, three days ago
SECONDS = 1500
SN = "SC0001"
BLOCKED = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"


def in_minutes(points: Any) -> compaction.Stored:
    minutes: dict[int, list[Any]] = {}
    for each in points:
        minutes.setdefault(each[0] // 60_000, []).append(each)
    return [(minute, encode(minutes[minute])) for minute in sorted(minutes)]


def steps(points: Any, scale: Any) -> list[list[int]]:
    return np.rint(np.array(points, np.float64) * scale).astype(np.int64).tolist()


@given(
    st.lists(point.map(lambda p: (1_700_000_000_000 + p[0] % 3_600_000, *p[1:])), min_size=1, max_size=60),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_ten_minutes_give_back_the_points_of_their_minutes_at_their_resolution(points: Any, coarse: bool):
    stored = in_minutes(points)
    before = [each for _, data in stored for each in decode(data)]
    joined = compaction.join(stored, coarse=coarse)
    after = [each for data in joined.values() for each in decode(data)]
    scale = COARSE_SCALE if coarse else SCALE
    assert steps(after, scale) == steps(before, scale)
    assert all(begin % 10 == 0 and is_coarse(data) == coarse for begin, data in joined.items())
    assert compaction.join(list(joined.items()), coarse=coarse) == joined  # again changes nothing


@pytest.fixture
async def stored(world: World) -> World:
    """A drive of 25 minutes, three days ago, packed by the minute."""
    await world.pool.execute("update packed_until set slot = $1", BEGIN)
    points = [state((BEGIN + n) * 1000, x=n / 7, y=-n / 9, yaw=0.123, battery=80.0) for n in range(SECONDS) if n != 70]
    async with world.as_ingest() as db:
        await pack.partitions(db, BEGIN)
        await hot.store(db, [hot.row(SN, NOW, each) for each in points])
        while await pack.pack(db, BEGIN + 2 * 3600):
            pass
        await pack.partitions(db, BEGIN + 2 * DAY_S)
    return world


async def compact(world: World, days: int = 30, later_s: int = 0) -> None:
    await compaction.compact(await world.ingest_pool(), NOW.timestamp() + later_s, days)


async def load_way(world: World, since: int = 0, end: int = SECONDS, account: str = "user") -> list[Any]:
    path = await world.pool.fetchval("select path::text from account where account = $1", account)
    async with world.pool.acquire() as db:
        return await load_points(
            db, Scope(path, world.accounts[account]), world.devices[SN], (BEGIN + since) * 1000, (BEGIN + end) * 1000
        )


async def load_chunks(world: World) -> list[tuple[int, bool]]:
    rows = await world.pool.fetch("select minute, data from chunk order by minute")
    return [(row["minute"] - BEGIN // 60, is_coarse(row["data"])) for row in rows]


async def test_minutes_of_a_day_ago_become_tens_and_every_reader_sees_the_same(stored: World):
    before, part = await load_way(stored), await load_way(stored, 61, 650)
    assert len(before) == SECONDS - 1
    await compact(stored)
    assert await load_chunks(stored) == [(0, False), (10, False), (20, False)]
    assert (await load_way(stored), await load_way(stored, 61, 650)) == (before, part)
    await compact(stored, later_s=7200)
    assert (len(await load_chunks(stored)), await load_way(stored)) == (3, before)
    assert await load_way(stored, account="rivaluser") == []


async def test_leave_points_younger_than_a_day_by_the_minute(stored: World):
    await compact(stored, later_s=-2 * DAY_S - 3600)
    assert len(await load_chunks(stored)) == SECONDS // 60


async def test_poses_are_by_the_centimetre_once_they_are_that_old(stored: World):
    before = await load_way(stored)
    await compact(stored, days=2)
    after = await load_way(stored)
    assert {by_cm for _, by_cm in await load_chunks(stored)} == {True}
    assert np.abs(np.array(after) - np.array(before)).max(axis=0).tolist() <= [0, 0.0051, 0.0051, 0.0051, 0, 0]
    await compact(stored, days=0, later_s=2 * DAY_S)  # what was given up does not come back, and nothing else goes
    assert await load_way(stored) == after


async def test_a_point_that_comes_after_joins_the_chunk_of_its_ten_minutes(stored: World):
    await compact(stored, days=2)
    async with stored.as_ingest() as db, db.transaction():
        await pack.merge(db, [(stored.devices[SN], ((BEGIN + 70) * 1000, 10.0, 1.0, 0.1, 80.0, 60.0))])
    assert await load_chunks(stored) == [(0, True), (10, True), (20, True)]
    way = await load_way(stored)
    assert (len(way), way[70][1]) == (SECONDS, 10.0)


async def test_killed_in_the_middle_it_left_nothing_half_done(stored: World, monkeypatch: pytest.MonkeyPatch):
    before = await load_way(stored)
    with monkeypatch.context() as broken:
        broken.setattr(compaction.queries, "STORE_COMPACTION", compaction.queries.COUNT_ROBOTS)  # fails: no such values
        with pytest.raises(Exception, match="argument"):
            await compact(stored)
    assert (len(await load_chunks(stored)), await load_way(stored)) == (SECONDS // 60, before)
    await compact(stored)
    assert (len(await load_chunks(stored)), await load_way(stored)) == (3, before)


async def test_serialize_merging_and_compacting(stored: World):
    robot = stored.devices[SN]
    async with stored.as_ingest() as db:
        transaction = db.transaction()
        await transaction.start()
        await pack.merge(db, [(robot, ((BEGIN + 70) * 1000, 10.0, 1.0, 0.1, 80.0, 60.0))])
        compacting = asyncio.create_task(compact(stored))
        await until(lambda: stored.pool.fetchval(BLOCKED))
        assert not compacting.done()
        await transaction.commit()
        await compacting
    assert (len(await load_chunks(stored)), len(await load_way(stored))) == (3, SECONDS)
