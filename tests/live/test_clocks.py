"""A wrong clock is its robot's own matter: the newest word counts, and the console is told that the clock is wrong."""

import time
from typing import Any

import pytest

from lustra.live.clocks import LIMIT_MS, WINDOW_MS, Clocks
from lustra.live.ingest import state as hot
from lustra.protocol import bus
from lustra.protocol.flaws import Reading
from tests.live.test_ingest_bus import count, ingesting, tell
from tests.live.test_ingest_state import AT, NOW, area
from tests.world import World, state, until

DAY = 86_400_000


async def newest(world: World) -> tuple[int, str, int]:
    row = await world.pool.fetchrow("select at, mode, clock_off from robot_state")
    return tuple(row) if row else (0, "", 0)


@pytest.mark.parametrize("ahead", [DAY, 70 * 365 * DAY])
async def test_a_state_from_the_future_does_not_hold_the_newest_one(world: World, ahead: Any):
    now = int(time.time() * 1000)
    async with ingesting(world):
        await tell(world, bus.state("SC0001"), state(now, total=10.0))
        await tell(world, bus.state("SC0001"), state(now + ahead, mode="idle", total=20.0))

        async def marked():
            at, mode, off = await newest(world)
            return mode == "idle" and off > ahead / 2 and at < now + LIMIT_MS

        await until(marked)
        seen = (await world.call("user", "/device/selectDeviceList"))["list"]
        row = next(row for row in seen if row["deviceSerialNumber"] == "SC0001")
        assert row["clockOff"] > ahead / 2
        await tell(world, bus.state("SC0001"), state(int(time.time() * 1000) + 1, mode="cleaning", total=25.0))

        async def right_again():
            return (await newest(world))[1:] == ("cleaning", 0)

        await until(right_again)
    assert await area(world) == 15.0


async def test_correct_a_row_that_ran_ahead_without_losing_area(world: World):
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", NOW, state(AT - 1000, total=100.0, run="old"))])
    await world.pool.execute("update robot_state set at = $1, run_since = $1, mode_since = $1", 4_000_000_000_000)
    await world.pool.execute("update presence set off_at = 4000000000000, online = false")
    async with world.as_ingest() as db:
        came = await hot.store(db, [hot.row("SC0001", NOW, state(AT, total=130.0, run="old"))])
    assert came == ["SC0001"]
    assert (await newest(world))[0] == AT
    assert tuple(await world.pool.fetchrow("select run_since, mode_since from robot_state")) == (AT, AT)
    assert await area(world) == 30.0


async def test_the_same_messages_read_twice_count_once_whatever_the_clock_says(world: World):
    clocks = Clocks()
    rows = [
        hot.build_row(clocks, "SC0001", NOW.replace(microsecond=n * 1000), Reading(state(AT + DAY + n, total=float(n))))
        for n in range(1, 20)
    ]
    for batch in (rows[:7], rows, rows[3:]):
        async with world.as_ingest() as db:
            await hot.store(db, batch)
    assert await area(world) == 18.0


def test_leave_times_and_sequence_of_repeated_messages():
    clocks = Clocks()
    sent = [AT - DAY + n * 5000 for n in range(17_280)]
    received = [AT + n // 50 for n in range(17_280)]
    assert [clocks.judge("SC0001", at, now)[0] for at, now in zip(sent, received, strict=True)] == sent


def test_a_clock_behind_is_wrong_after_a_minute_and_right_when_it_is_set():
    clocks = Clocks()
    judged = [clocks.judge("SC0001", AT - DAY + n, AT + n) for n in range(0, 4 * WINDOW_MS, 5000)]
    assert {off for _, off in judged[:12]} == {0}
    assert {off for _, off in judged[12:]} == {-DAY}
    assert [at for at, _ in judged[12:]] == [AT + n for n in range(WINDOW_MS, 4 * WINDOW_MS, 5000)]
    assert clocks.judge("SC0001", AT + 4 * WINDOW_MS, AT + 4 * WINDOW_MS) == (AT + 4 * WINDOW_MS, 0)


def test_use_the_judgement_of_another_process_until_the_clock_is_right():
    clocks = Clocks()
    clocks.remember_all([("SC0001", -DAY), ("SC0002", -DAY)])
    assert clocks.time_of("SC0001", AT - DAY, AT) == AT
    assert clocks.judge("SC0001", AT - DAY, AT) == (AT, -DAY)  # no minute has to go by again
    assert clocks.judge("SC0001", AT + 1, AT + 1) == (AT + 1, 0)
    assert clocks.time_of("SC0001", AT - DAY, AT + 2) == AT - DAY
    clocks.remember_all([])
    assert clocks.time_of("SC0002", AT - DAY, AT) == AT - DAY
    clocks.remember("SC0002", -DAY)
    clocks.remember("SC0002", 0)
    assert clocks.time_of("SC0002", AT - DAY, AT) == AT - DAY


def test_the_clock_of_another_robot_is_another_matter():
    clocks = Clocks()
    for n in range(0, 2 * WINDOW_MS, 5000):
        clocks.judge("SC0001", AT - DAY + n, AT + n)
    assert clocks.judge("SC0002", AT - DAY, AT + 2 * WINDOW_MS) == (AT - DAY, 0)


async def test_a_robot_with_a_clock_ahead_says_goodbye(world: World):
    now = int(time.time() * 1000)
    async with ingesting(world):
        await tell(world, bus.state("SC0001"), state(now + DAY))

        async def online():
            return await world.pool.fetchval("select online from presence where robot = $1", world.devices["SC0001"])

        await until(online)
        last = bus.Event(at=now + DAY + 5, id="g", kind="power", name="off", content={"reason": "switched_off"})
        await tell(world, bus.event("SC0001"), last)

        async def reason():
            return await world.pool.fetchval(
                "select reason from presence where robot = $1 and not online", world.devices["SC0001"]
            )

        await until(reason)
    assert await count(world, "robot_state") == 1
