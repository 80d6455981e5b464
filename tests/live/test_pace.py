"""How much one robot may say before it is no longer stored."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.live.ingest import main
from lustra.live.ingest.rate_limit import Pace
from lustra.protocol import bus
from tests.consumers import load_progress
from tests.live.test_ingest_bus import ingesting, tell
from tests.world import World, state, until


@given(st.lists(st.floats(0, 100), max_size=60), st.integers(1, 20), st.floats(0.1, 5))
def test_no_robot_is_stored_more_often_than_its_bucket_allows(pauses: Any, burst: Any, each_s: Any):
    now = 0.0
    pace = Pace("STATE", burst, each_s)
    admitted = 0
    for pause in pauses:
        now += pause
        admitted += sum(pace.admit("SC0001", now) for _ in range(10))
    assert admitted <= burst + now * each_s + 1e-6
    assert pace.admit("SC0002", now)  # another's bucket is its own


def test_a_bucket_fills_again_and_is_forgotten_when_it_is_full():
    pace = Pace("STATE", 2, 1.0)
    assert [pace.admit("SC0001", 0.0) for _ in range(3)] == [True, True, False]
    pace.forget_quiet()
    assert list(pace.buckets) == ["SC0001"]
    assert [pace.admit("SC0001", 1.0) for _ in range(2)] == [True, False]
    assert pace.admit("SC0002", 3.0)
    pace.forget_quiet()
    assert list(pace.buckets) == ["SC0002"]


def test_admit_what_waited_on_the_bus_by_when_it_came():
    pace = Pace("STATE", 2, 1.0)
    assert all(pace.admit("SC0001", float(second)) for second in range(10_000))


def test_admit_again_what_is_read_a_second_time():
    pace = Pace("STATE", 2, 1.0)
    for _ in range(2):
        assert all(pace.admit("SC0001", float(second)) for second in range(1000))


async def test_a_flood_of_one_robot_is_not_stored_and_takes_nothing_from_another(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(main.PACES, "STATE", (50, 0.001))
    start = int(time.time() * 1000) - 600_000
    async with ingesting(world):
        for number in range(500):
            await tell(world, bus.state("SC0001"), state(start + number * 1000, mode="cleaning"))
        for number in range(20):
            await tell(world, bus.state("SC0002"), state(start + number * 1000, mode="cleaning"))

        async def stored(sn: str) -> int:
            query = "select count(*) from point p join device d on d.id = p.robot where d.serial_number = $1"
            return await world.pool.fetchval(query, sn)

        async def all_read() -> bool:
            return (await load_progress(world.services.bus.js)).all_stored and await stored("SC0002") == 20

        await until(all_read)
        assert await stored("SC0001") == 50
