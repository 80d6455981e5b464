"""An alarm opens what its robot did from 30 s before to 10 s after it, on the floor as it was."""

import time
from datetime import datetime, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.live.ingest import state as hot
from tests.alarm.test_alarms import alarm_message, say
from tests.report.test_cleaned import keep_floor
from tests.world import World, state

SEEN = ("x", "y", "yaw", "battery", "liquid")


@pytest.fixture
async def alarm(world: World) -> int:
    """Raised while the robot drove for two minutes."""
    begin = int(time.time() - 120) * 1000
    await keep_floor(world, "SC0001")
    await drive(world, [(begin + n * 1000, n / 10) for n in range(120)])
    await say(world, alarm_message("raised", ("a1", "stuck")))
    raised = datetime.fromtimestamp(begin / 1000 + 60, timezone.utc)
    await world.pool.execute("update alarm set raised_at = $1, map_name = 'Ground'", raised)
    await world.pool.execute("update map_version set at = $1", raised)
    return await world.pool.fetchval("select id from alarm")


async def drive(world: World, places: list[tuple[int, float]], mode: str = "cleaning") -> None:
    points = [state(at, x=x, y=1.0, mode=mode) for at, x in places]
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), point) for point in points])


async def load(world: World, alarm: int, account: str = "user") -> dict[str, Any]:
    return await world.call(account, "/warn/replay", warnId=alarm)


async def test_an_alarm_is_replayed_from_half_a_minute_before_to_ten_seconds_after(world: World, alarm: int):
    answer = await load(world, alarm)
    assert answer["time"] == [n * 1000 for n in range(41)]
    assert (answer["x"][0], answer["x"][30], answer["x"][-1]) == (3.0, 6.0, 7.0)
    assert {len(answer[name]) for name in SEEN} == {41}
    assert answer["map"]["width"] == 40
    assert [mark["kind"] for mark in answer["marks"]] == ["alarm"]
    assert answer["marks"][0]["time"] == (await world.call("user", "/warn/list", warnId=alarm))["list"][0]["time"]


async def test_a_robot_that_rested_before_its_alarm_stands_where_it_last_was(world: World, alarm: int):
    raised = await world.pool.fetchval("select extract(epoch from raised_at)::bigint * 1000 from alarm")
    await world.pool.execute("delete from point")
    await world.pool.execute("delete from chunk")
    await drive(world, [(raised - 80_000, 2.5)], mode="charging")
    answer = await load(world, alarm)
    assert (answer["time"], answer["x"]) == ([0], [2.5])


async def test_an_alarm_without_a_map_has_no_floor(world: World, alarm: int):
    picture = await world.post("user", "/warn/floor", warnId=alarm)
    assert picture.content.startswith(b"\x89PNG")
    await world.pool.execute("update alarm set map_name = ''")
    assert (await load(world, alarm))["map"] is None
    assert (await world.raw("user", "/warn/floor", warnId=alarm))[0] == Code.NOT_FOUND


async def test_support_that_is_kept_out_sees_the_marks_alone(world: World, alarm: int):
    await world.call("user", "/support/close")
    answer = await load(world, alarm, "dealer")
    assert (answer["closed"], answer["map"], answer["time"], answer["modes"]) == (True, None, [], [])
    assert len(answer["marks"]) == 1


async def test_leave_the_replay_with_the_owner_of_then_and_hide_it_from_others(world: World, alarm: int):
    robot = world.devices["SC0001"]
    given = {"deviceIds": str(robot), "ownerUserId": world.accounts["rivaluser"]}
    await world.call("admin", "/device/updateDevicesOwner", **given)
    await world.pool.execute("update former_owner set until = epoch_ms(now())")  # the robot has heard of it
    assert len((await load(world, alarm))["time"]) == 41
    for account in ("rivaluser", "rival"):
        assert (await world.raw(account, "/warn/replay", warnId=alarm))[0] == Code.NOT_FOUND
        assert (await world.raw(account, "/warn/floor", warnId=alarm))[0] == Code.NOT_FOUND
        assert (await world.call(account, "/warn/list", warnId=alarm))["total"] == 0
