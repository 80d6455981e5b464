"""What robots say by the second counts once, and the newest state moves forward only."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.live.ingest import state as hot
from tests.world import World, state

NOW = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
AT = 1_772_366_400_000  # the same in ms


async def store(world: World, *states: Any, sn: str = "SC0001", received: datetime = NOW):
    async with world.pool.acquire() as db:
        return await hot.store(db, [hot.row(sn, received, each) for each in states])


async def area(world: World) -> float:
    return await world.pool.fetchval("select coalesce(sum(area), 0) from area_hour")


async def test_a_second_handing_over_counts_once_in_rows_and_roll_ups(world: World):
    states = [state(AT + n * 1000, total=100.0 + n) for n in range(10)]
    assert (await store(world, *states))[0] == 10
    assert (await store(world, *states))[0] == 0
    assert (await store(world, *states[5:], *states[5:]))[0] == 0
    assert await world.pool.fetchval("select count(*) from point") == 10
    assert await area(world) == 9.0


async def test_what_is_cut_into_batches_anyhow_makes_the_same_roll_up(world: World):
    states = [state(AT + n * 1000, total=100.0 + n) for n in range(10)]
    for batch in (states[:3], states[2:7], states[6:]):
        await store(world, *batch)
    assert await area(world) == 9.0


async def test_growth_goes_to_the_hour_in_which_it_was_swept(world: World):
    hour = 3_600_000
    await store(world, state(AT, total=0), state(AT + 1000, total=5), state(AT + hour, total=7))
    rows = await world.pool.fetch("select extract(hour from hour)::int as hour, area from area_hour order by 1")
    assert [tuple(row) for row in rows] == [(12, 5.0), (13, 2.0)]


async def test_a_late_message_fills_the_points_and_moves_nothing_back(world: World):
    await store(world, state(AT + 60_000, x=9, total=50))
    assert (await store(world, state(AT, x=1, total=40)))[0] == 1
    newest = await world.pool.fetchrow("select at, x from robot_state")
    assert tuple(newest) == (AT + 60_000, 9.0)
    assert await area(world) == 0


async def test_one_point_a_second_at_work_and_one_a_minute_at_rest(world: World):
    await store(world, *(state(AT + n * 100) for n in range(30)))
    assert await world.pool.fetchval("select count(*) from point") == 3
    await store(world, *(state(AT + n * 5000, mode="idle") for n in range(12)), sn="SC0002")
    assert await world.pool.fetchval("select count(*) from point where robot = $1", world.devices["SC0002"]) == 1


async def test_a_robot_of_nobody_is_dropped(world: World):
    assert await store(world, state(AT), sn="SC9999") == (0, [])


async def test_a_greeting_brings_a_robot_online_once(world: World):
    assert (await store(world, state(AT)))[1] == ["SC0001"]
    assert (await store(world, state(AT + 1000), received=NOW + timedelta(seconds=1)))[1] == []
    row = await world.pool.fetchrow("select online, reason from presence where robot = $1", world.devices["SC0001"])
    assert tuple(row) == (True, "")


async def test_the_run_remembers_when_it_began_and_with_what(world: World):
    await store(world, state(AT, run="r1", battery=90))
    await store(world, state(AT + 5000, run="r1", battery=80))
    assert tuple(await world.pool.fetchrow("select run_since, run_battery from robot_state")) == (AT, 90.0)
    await store(world, state(AT + 9000, run="r2", battery=70))
    assert tuple(await world.pool.fetchrow("select run_since, run_battery from robot_state")) == (AT + 9000, 70.0)


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"",
        b"\xff\xfe",
        b"[1]",
        b'{"at": 1}',
        b'{"v":1,"at":1760000000000,"mode":"dancing","x":0,"y":0,"yaw":0,"battery":1,"liquid":1}',
        b'{"v":1,"at":999999999999999,"mode":"idle","x":0,"y":0,"yaw":0,"battery":1,"liquid":1}',
        b'{"v":1,"at":1760000000000,"mode":"idle","x":1e30,"y":0,"yaw":0,"battery":1,"liquid":1}',
        b'{"v":1,"at":1760000000000,"mode":"idle","x":0,"y":0,"yaw":0,"battery":1,"liquid":1,"map":"a\\u0000"}',
    ],
)
def test_what_cannot_be_kept_is_told_apart(data: bytes):
    assert hot.read(data) is None


async def test_since_when_a_robot_is_so_moves_with_its_mode_and_its_call_for_help_only(world: World):
    async def since() -> int:
        return await world.pool.fetchval("select mode_since from robot_state")

    await store(world, state(AT, mode="cleaning"))
    await store(world, state(AT + 1000, mode="cleaning", x=2))
    assert await since() == AT
    await store(world, state(AT + 2000, mode="paused"), state(AT + 3000, mode="paused", help="stuck"))
    assert await since() == AT + 3000
    await store(world, state(AT + 9000, mode="paused", help="stuck"))
    assert await since() == AT + 3000
