"""A run is replayed from the stored history: its way, its halts, its alarms, and what people told its robot."""

import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.report import keep as reports
from lustra.domains.report.replay import MOST, list_halts, thin
from lustra.live.ingest import pack
from lustra.live.ingest import state as hot
from tests.alarm.test_alarms import alarm_message, say
from tests.report.test_cleaned import keep_floor
from tests.world import World, report, state

SECONDS = 180


@pytest.fixture
async def replayed(world: World) -> int:
    """A run of three minutes that ended a moment ago, of which two are packed; the number of its report."""
    begin = int(time.time()) // 60 * 60_000 - 300_000
    await world.pool.execute("update packed_until set slot = $1", begin // 1000)
    await keep_floor(world, "SC0001")
    points = [state(begin + n * 1000, run="r1", x=n / 10, y=1.0, battery=90 - n / 10) for n in range(SECONDS)]
    async with world.as_ingest() as db:
        await pack.partitions(db, begin / 1000)
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), point) for point in points])
        while await pack.pack(db, begin / 1000 + 250):
            pass
        sent = report(id="r1", started=begin + 10_000, ended=begin + 170_000)
        await reports.keep(db, [("SC0001", sent)])
    return await world.pool.fetchval("select id from task_report where run = 'r1'")


async def load(world: World, number: int, account: str = "user") -> dict[str, Any]:
    return await world.call(account, "/taskReport/replay", taskReportId=number)


async def audited(world: World, who: str, action: str, at: float, code: int = 0) -> None:
    await world.pool.execute(
        """insert into audit (created_at, account_id, acting_id, name, session_id, address, action, code, detail,
          device_id)
        select r.started + $1::float8 * interval '1 second', $2, $2, $3, '', '', $4, $5, '{}', r.device_id
        from task_report r""",
        at,
        world.accounts[who],
        who,
        action,
        code,
    )


async def changed_mode(world: World, at: float, before: str, mode: str) -> None:
    await world.pool.execute(
        """insert into change_entry (created_at, kind, owner_id, device_id, data)
        select r.started + $1::float8 * interval '1 second', 'device.mode', r.owner_id, r.device_id,
          jsonb_build_object('before', $2::text, 'mode', $3::text) from task_report r""",
        at,
        before,
        mode,
    )


async def test_a_run_is_replayed_from_packed_and_fresh_points_alike_each_once(world: World, replayed: int):
    answer = await load(world, replayed)
    assert answer["time"] == [n * 1000 for n in range(161)]
    assert (answer["x"][0], answer["x"][-1]) == (1.0, 17.0)
    assert (answer["battery"][0], set(answer["y"])) == (89.0, {1.0})
    assert {len(answer[name]) for name in ("x", "y", "yaw", "battery", "liquid")} == {161}


async def test_a_replay_says_what_the_robot_did_from_its_beginning_on(world: World, replayed: int):
    await changed_mode(world, -500, "idle", "cleaning")
    await changed_mode(world, 20, "cleaning", "paused")
    await changed_mode(world, 30, "paused", "cleaning")
    await changed_mode(world, 400, "cleaning", "charging")
    modes = (await load(world, replayed))["modes"]
    assert [(mode["time"], mode["mode"]) for mode in modes] == [
        (0, "cleaning"),
        (20_000, "paused"),
        (30_000, "cleaning"),
    ]
    await world.pool.execute("delete from change_entry where data ->> 'before' = 'idle'")
    modes = (await load(world, replayed))["modes"]
    assert [mode["time"] for mode in modes] == [0, 20_000, 30_000]  # by what the first change was from


async def test_alarms_and_obeyed_commands_are_marks_and_names_stay_in_scope(world: World, replayed: int):
    await say(world, alarm_message("raised", ("a1", "stuck")))
    await world.pool.execute("update alarm set run = 'r1', raised_at = r.started from task_report r")
    for at in (20, 21):
        await audited(world, "user", "relay.api1/task_pause", at)
    await audited(world, "admin", "relay.api1/task_resume", 30)
    await audited(world, "user", "relay.api1/task_cancel", 40, code=int(Code.FORBIDDEN))
    await audited(world, "user", "relay.api1/task_cancel", 400)
    marks = (await load(world, replayed))["marks"]
    assert [mark["kind"] for mark in marks] == ["alarm", "command", "command"]
    assert marks[0]["text"] not in {"", "stuck"}
    assert marks[1]["text"].endswith(" · user")
    assert "admin" not in marks[2]["text"] != ""
    seen = (await load(world, replayed, "admin"))["marks"]
    assert [mark["text"].rpartition(" · ")[2] for mark in seen if mark["kind"] == "command"] == ["user", "admin"]


def test_a_robot_that_stands_has_halted():
    begin = datetime(2026, 3, 1, tzinfo=timezone.utc).timestamp() * 1000
    places = [*range(5), *[5] * 20, *range(6, 10), *[10] * 16]
    points = [(begin + n * 1000, float(x), 0.0) for n, x in enumerate(places)]
    halts = list_halts(points)
    assert [(mark["time"].timestamp() * 1000 - begin, mark["seconds"]) for mark in halts] == [
        (5000, 19.0),
        (29000, 15.0),
    ]
    assert list_halts([]) == []


def test_a_long_run_is_thinned_and_keeps_its_end():
    points = [(n,) for n in range(3 * MOST + 5)]
    thinned = thin(points)
    assert (len(thinned) <= MOST + 1, thinned[0], thinned[-1]) == (True, points[0], points[-1])
    assert thin(points[:MOST]) == points[:MOST]


async def test_a_run_without_history_has_an_empty_way(world: World):
    ended = int((datetime.now(timezone.utc) - timedelta(days=400)).timestamp() * 1000)
    async with world.as_ingest() as db:
        await reports.keep(db, [("SC0001", report(id="old", started=ended - 1000, ended=ended))])
    number = await world.pool.fetchval("select id from task_report where run = 'old'")
    answer = await load(world, number)
    assert (answer["time"], answer["x"], answer["marks"]) == ([], [], [])


async def test_a_foreign_tenant_replays_nothing(world: World, replayed: int):
    for account in ("rivaluser", "rival"):
        code, _ = await world.raw(account, "/taskReport/replay", taskReportId=replayed)
        assert code == Code.NOT_FOUND
