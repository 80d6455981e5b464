"""A recording of sensors is looked at beside what its robot did meanwhile, on the floor as it was."""

import time
from datetime import datetime, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from tests.alarm.test_alarms import alarm_message, say
from tests.report.test_alarm_replay import drive
from tests.report.test_cleaned import keep_floor
from tests.world import World


@pytest.fixture
async def recording(world: World) -> int:
    """Of a minute, within two in which its robot drove on the floor that it has loaded."""
    await world.pool.execute("update role set keys = keys || '{device/log}'::text[]")
    begin = int(time.time() - 120) * 1000
    await keep_floor(world, "SC0001")
    await drive(world, [(begin + n * 1000, n / 10) for n in range(120)])
    await world.pool.execute("update robot_state set map = 'Ground'")
    return await world.pool.fetchval(
        "insert into device_log (owner_id, owner_path, device_id, kind, name, size, time, recording)"
        " select owner_id, owner_path, id, 'rosbag', 'a.bag', 1, now(), $2 from device where id = $1 returning id",
        world.devices["SC0001"],
        {"start": begin + 30_000, "end": begin + 90_000, "count": 1, "outside": 0, "topics": []},
    )


async def load(world: World, recording: int, account: str = "user") -> dict[str, Any]:
    return await world.call(account, "/deviceLog/replayRecording", id=recording)


async def test_a_recording_comes_with_the_way_and_the_floor_that_is_loaded_now(world: World, recording: int):
    answer = await load(world, recording)
    assert (answer["x"][0], answer["x"][-1], len(answer["time"])) == (3.0, 9.0, 61)
    assert (answer["map"]["width"], answer["mapName"], answer["mapKnown"]) == (40, "Ground", False)
    assert (await world.post("user", "/deviceLog/recordingFloor", id=recording)).content.startswith(b"\x89PNG")


async def test_an_alarm_of_that_time_stands_on_the_line_and_names_the_floor(world: World, recording: int):
    await say(world, alarm_message("raised", ("a1", "stuck")))
    raised = datetime.fromtimestamp(time.time() - 60, timezone.utc)
    await world.pool.execute("update alarm set raised_at = $1, map_name = 'Ground'", raised)
    await world.pool.execute("update robot_state set map = 'elsewhere'")
    answer = await load(world, recording)
    assert [mark["kind"] for mark in answer["marks"]] == ["alarm"]
    assert (answer["mapName"], answer["mapKnown"]) == ("Ground", True)


async def test_without_a_known_floor_there_is_none(world: World, recording: int):
    await world.pool.execute("update robot_state set map = 'elsewhere'")
    assert (await load(world, recording))["map"] is None
    assert (await world.raw("user", "/deviceLog/recordingFloor", id=recording))[0] == Code.NOT_FOUND


async def test_support_kept_out_sees_no_way_or_floor_and_a_rival_nothing(world: World, recording: int):
    await world.call("user", "/support/close")
    answer = await load(world, recording, "dealer")
    assert (answer["closed"], answer["map"], answer["mapName"], answer["time"]) == (True, None, "", [])
    for path, code in (
        ("/deviceLog/recordingFloor", Code.SUPPORT_CLOSED),
        ("/deviceLog/replayRecording", Code.OK),
    ):
        assert (await world.raw("dealer", path, id=recording))[0] == code
        assert (await world.raw("rivaluser", path, id=recording))[0] == Code.NOT_FOUND


async def test_refuse_a_replay_that_was_never_prepared(world: World, recording: int):
    await world.pool.execute("update device_log set recording = null")
    assert (await world.raw("user", "/deviceLog/replayRecording", id=recording))[0] == Code.BAD_INPUT
