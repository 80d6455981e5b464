"""What is gone is resolved once it has stayed away as long as its code wants."""

import time
from typing import Any

import pytest

from lustra.core.errors import Code
from tests.alarm.test_alarms import RESOLVED, UNRESOLVED, alarm_message, alarms, say
from tests.alarm.test_notifications import NOW_DUE, work
from tests.world import World

SETTLE_NOW = NOW_DUE.replace("alarm.send", "alarm.settle")
LATER = "update alarm set cleared_at = cleared_at - interval '2 minutes'"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def load_setting(world: World) -> dict[str, Any]:
    rows = (await world.call("admin", "/wmWarnSet/queryByPage", keyword="stuck"))["list"]
    return next(row for row in rows if row["code"] == "stuck")


async def want_delay(world: World, seconds: int) -> None:
    await world.call("admin", "/wmWarnSet/edit", id=(await load_setting(world))["id"], offDelayS=seconds)
    assert (await load_setting(world))["offDelayS"] == seconds


async def come_and_go(world: World, *causes: str, at: int = 0) -> None:
    for cause in causes:
        await say(world, alarm_message("raised", (cause, "stuck"), at=at or now_ms()))
        await say(world, alarm_message("cleared", (cause, "stuck"), at=(at or now_ms()) + 1))


async def test_resolve_an_alarm_when_its_cause_has_stayed_away(world: World):
    await want_delay(world, 60)
    await come_and_go(world, "a1")
    await world.pool.execute(SETTLE_NOW)
    await work(world)
    (row,) = await alarms(world)
    assert (row["state"], row["clearedTime"] is not None, row["resolveDate"]) == (UNRESOLVED, True, None)
    await world.pool.execute(LATER)
    await come_and_go(world, "a2")
    await world.pool.execute(LATER)
    await world.pool.execute(SETTLE_NOW)
    await work(world)
    (row,) = await alarms(world)
    assert (row["state"], row["count"]) == (RESOLVED, 2)
    assert row["resolvedBy"] == ""
    resolved = await world.pool.fetchval("select resolved_at - cleared_at = interval '1 minute' from alarm")
    assert resolved


async def test_continue_an_alarm_whose_cause_comes_back_in_time(world: World):
    await want_delay(world, 60)
    await come_and_go(world, "a1")
    await say(world, alarm_message("raised", ("a2", "stuck"), at=now_ms()))
    await world.pool.execute(SETTLE_NOW)
    await work(world)
    (row,) = await alarms(world)
    assert (row["state"], row["count"], row["clearedTime"]) == (UNRESOLVED, 2, None)
    changes = "select count(*) from change_entry where kind = 'alarm.resolved'"
    assert await world.pool.fetchval(changes) == 0


async def test_resolve_at_once_an_alarm_that_ended_long_ago(world: World):
    await want_delay(world, 60)
    await come_and_go(world, "a1", at=now_ms() - 3_600_000)
    assert [row["state"] for row in await alarms(world)] == [RESOLVED]


async def test_a_person_waits_for_no_delay(world: World):
    await want_delay(world, 60)
    await come_and_go(world, "a1")
    await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001")
    assert [row["state"] for row in await alarms(world)] == [RESOLVED]


@pytest.mark.parametrize("seconds", [-1, 86_401])
async def test_a_delay_of_more_than_a_day_is_refused(world: World, seconds: int):
    row = await load_setting(world)
    assert (await world.raw("admin", "/wmWarnSet/edit", id=row["id"], offDelayS=seconds))[0] == Code.BAD_INPUT
    assert (await world.raw("user", "/wmWarnSet/edit", id=row["id"], offDelayS=60))[0] == Code.FORBIDDEN
