"""What robots say by the second counts once, and the newest state moves forward only."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.live.clocks import Clocks
from lustra.live.ingest import state as hot
from lustra.protocol.flaws import read_state
from tests.world import World, state

NOW = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
AT = 1_772_366_400_000  # the same in ms


async def store(world: World, *states: Any, sn: str = "SC0001", received: datetime = NOW):
    async with world.as_ingest() as db:
        return await hot.store(db, [hot.row(sn, received, each) for each in states])


async def area(world: World) -> float:
    return await world.pool.fetchval("select coalesce(sum(area), 0) from area_hour")


async def test_a_second_handing_over_counts_once_in_rows_and_roll_ups(world: World):
    states = [state(AT + n * 1000, total=100.0 + n) for n in range(10)]
    await store(world, *states)
    await store(world, *states)
    await store(world, *states[5:], *states[5:])
    assert await world.pool.fetchval("select count(*) from point") == 10
    assert await area(world) == 9.0


async def test_sum_up_the_same_for_any_division_into_batches(world: World):
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
    await store(world, state(AT, x=1, total=40))
    assert await world.pool.fetchval("select count(*) from point") == 2
    newest = await world.pool.fetchrow("select at, x from robot_state")
    assert tuple(newest) == (AT + 60_000, 9.0)
    assert await area(world) == 0


async def test_a_robot_that_was_away_for_a_day_fills_each_of_its_hours_once(world: World):
    minute, hours = 60_000, 24
    left_at = AT - hours * 60 * minute
    await store(world, state(left_at, total=100, x=0), received=NOW - timedelta(hours=hours))
    stored = [state(left_at + n * minute, total=100 + n, x=n / 100) for n in range(1, hours * 60 + 1)]
    await store(world, *stored[:800])
    await store(world, *stored[700:])  # again from where the receipts ended
    await store(world, *stored[:100])
    assert await world.pool.fetchval("select count(*) from point") == len(stored) + 1
    swept = await world.pool.fetch("select area from area_hour order by hour")
    assert [row["area"] for row in swept] == [59.0, *[60.0] * (hours - 1), 1.0]
    newest = await world.pool.fetchrow("select at, x from robot_state")
    assert tuple(newest) == (AT, pytest.approx(hours * 60 / 100))


async def test_store_a_point_a_second_at_work_and_a_minute_at_rest(world: World):
    await store(world, *(state(AT + n * 100) for n in range(30)))
    assert await world.pool.fetchval("select count(*) from point") == 3
    await store(world, *(state(AT + n * 5000, mode="idle") for n in range(12)), sn="SC0002")
    assert await world.pool.fetchval("select count(*) from point where robot = $1", world.devices["SC0002"]) == 1


async def test_a_robot_of_nobody_is_dropped(world: World):
    assert await store(world, state(AT), sn="SC9999") == []


async def test_a_greeting_brings_a_robot_online_once(world: World):
    assert await store(world, state(AT)) == ["SC0001"]
    assert await store(world, state(AT + 1000), received=NOW + timedelta(seconds=1)) == []
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
        b'{"v":1,"at":999999999999999,"mode":"idle","x":0,"y":0,"yaw":0,"battery":1,"liquid":1}',
        b'{"v":1,"at":"now","mode":"idle","x":0,"y":0,"yaw":0,"battery":1,"liquid":1}',
    ],
)
def test_without_a_time_nothing_of_a_state_is_taken(data: bytes):
    reading, flaws = read_state(data)
    assert reading is None
    assert flaws


async def test_within_a_stream_the_counter_says_which_state_is_the_newer(world: World):
    async def newest() -> tuple[int, float]:
        return tuple(await world.pool.fetchrow("select at, x from robot_state"))

    await store(world, state(AT, stream="a", seq=5, x=5, total=10))
    await store(world, state(AT - 30_000, stream="a", seq=6, x=6, total=12))  # its clock was set back
    assert await newest() == (AT + 1, 6.0)
    await store(world, state(AT + 9000, stream="a", seq=4, x=4, total=9))  # said again, under another clock
    assert await newest() == (AT + 1, 6.0)
    await store(
        world,
        state(AT - 20_000, stream="a", seq=8, x=8, total=15),
        state(AT - 25_000, stream="a", seq=7, x=7, total=13),
    )
    assert await newest() == (AT + 3, 8.0)
    await store(world, state(AT - 1000, stream="b", seq=100, x=9, total=16))  # across streams the clock says so
    assert await newest() == (AT + 3, 8.0)
    await store(world, state(AT + 1000, stream="b", seq=1, x=1, total=16))
    assert await newest() == (AT + 1000, 1.0)
    assert await area(world) == 6.0


async def test_keep_a_robot_online_and_show_its_own_word_for_its_mode(world: World):
    await store(world, state(AT, mode="polishing", banners=["brake", "brush worn out"], liquid=None))
    for call in ("/device/selectDeviceList", "/device/selectDevicePc"):
        paging = {"pageSize": 10, "currentPage": 1} if call.endswith("Pc") else {}
        row = next(row for row in (await world.call("admin", call, **paging))["list"] if row["online"])
        assert (row["mode"], row["modeName"], row["liquid"]) == ("idle", "polishing", None)
        assert row["banners"] == ["brake", "brush worn out"]
    counts = (await world.call("admin", "/device/selectDevicePc", pageSize=10, currentPage=1))["counts"]
    assert counts["idle"] == 1


async def test_leave_pose_fields_that_a_state_omits(world: World):
    await store(world, state(AT, x=3, y=4, battery=50))
    clocks, at = Clocks(), AT + 1000
    reading, flaws = read_state(f'{{"at":{at},"mode":"cleaning","x":1e9,"y":6,"battery":"full"}}'.encode())
    assert reading is not None
    assert {flaw.field: flaw.reason for flaw in flaws} == {
        "x": "out_of_range",
        "battery": "wrong_type",
        "yaw": "missing",
    }
    async with world.as_ingest() as db:
        await hot.store(db, [hot.build_row(clocks, "SC0001", NOW, reading)])
    row = await world.pool.fetchrow("select at, x, y, yaw, battery, mode from robot_state")
    assert tuple(row) == (at, 3.0, 6.0, 0.5, 50.0, "cleaning")
    assert await world.pool.fetchval("select count(*) from point") == 2


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
