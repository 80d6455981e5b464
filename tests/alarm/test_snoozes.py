"""What is put off notifies nobody until then, is listed all the same, and notifies at its end if it still is there."""

from datetime import UTC, datetime, timedelta

import pytest

from lustra.core.errors import Code
from tests.alarm.test_alarms import NOW, alarm_message, alarms, say
from tests.alarm.test_groups import read_messages
from tests.alarm.test_notifications import NOW_DUE, raise_alarm, switch, work
from tests.world import World

OVER = "update alarm_snooze set until = now()"
END_DUE = NOW_DUE.replace("alarm.send", "alarm.snooze_end")
ROBOT = {"deviceSerialNumber": "SC0001"}


async def end_all(world: World) -> None:
    await world.pool.execute(OVER)
    await world.pool.execute(END_DUE)
    await work(world)


async def test_notify_at_the_end_of_a_snooze_while_the_alarm_is_open(world: World):
    await switch(world, "door_stuck", cloud=1)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60, note="Door is being repaired")
    await raise_alarm(world)
    await work(world)
    assert await read_messages(world) == []
    (row,) = await alarms(world)
    assert row["snoozedUntil"] is not None
    await end_all(world)
    assert len(await read_messages(world)) == 1
    assert [row["snoozedUntil"] for row in await alarms(world)] == [None]


async def test_notify_the_same_accounts_again_at_the_end_of_a_snooze(world: World):
    await switch(world, "door_stuck", cloud=1)
    alarm = await raise_alarm(world)
    await work(world)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, warnId=alarm, minutes=15)
    await end_all(world)
    assert len(await read_messages(world)) == 2
    await end_all(world)
    assert len(await read_messages(world)) == 2


async def test_notify_nobody_when_the_alarm_ended_during_its_snooze(world: World):
    await switch(world, "stuck", cloud=1)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60)
    await say(world, alarm_message("raised", ("a1", "stuck")), alarm_message("cleared", ("a1", "stuck"), at=NOW + 1))
    await work(world)
    await end_all(world)
    assert await read_messages(world) == []


async def test_a_snooze_of_a_code_leaves_other_codes_awake(world: World):
    await switch(world, "door_stuck", cloud=1)
    await switch(world, "lidar", cloud=1)
    alarm = await raise_alarm(world)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, warnId=alarm, minutes=60)
    await raise_alarm(world, "lidar")
    await work(world)
    assert [text.split(" · ")[0] for text in await read_messages(world)] == ["Lidar fault"]


async def test_a_prolonged_snooze_ends_at_its_new_time(world: World):
    await switch(world, "door_stuck", cloud=1)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=5)
    await raise_alarm(world)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=500)
    await world.pool.execute(END_DUE)
    await work(world)
    assert await read_messages(world) == []
    assert len((await world.call("user", "/warn/listSnoozes"))["list"]) == 1


async def test_a_snooze_that_is_ended_by_hand_notifies_at_once(world: World):
    await switch(world, "door_stuck", cloud=1)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60)
    await raise_alarm(world)
    await work(world)
    (row,) = (await world.call("user", "/warn/listSnoozes"))["list"]
    await world.call("user", "/warn/endSnooze", id=row["id"])
    await work(world)
    assert len(await read_messages(world)) == 1
    assert (await world.call("user", "/warn/listSnoozes"))["list"] == []


async def test_a_fleets_open_alarms_leave_out_what_is_put_off_and_the_robots_own_do_not(world: World):
    await raise_alarm(world)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60)
    assert (await world.call("user", "/warn/listUnProcess"))["count"] == 0
    assert (await world.call("user", "/warn/listUnProcess", deviceId=world.devices["SC0001"]))["count"] == 1


async def test_the_list_says_what_is_put_off_by_whom_and_why(world: World):
    alarm = await raise_alarm(world)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60, note="  Repair  ")
    await world.call("user", "/warn/snoozeWarn", **ROBOT, warnId=alarm, minutes=5)
    first, second = (await world.call("user", "/warn/listSnoozes"))["list"]
    assert (first["code"], first["content"]) == ("door_stuck", "A door on its route does not open")
    assert (second["code"], second["content"], second["note"]) == ("", "", "Repair")
    assert (second["deviceSerialNumber"], second["by"]) == (
        "SC0001",
        await world.pool.fetchval("select name from account where account = 'user'"),
    )


@pytest.mark.parametrize("minutes", [0, 4, 30 * 24 * 60 + 1])
async def test_a_snooze_is_five_minutes_to_thirty_days_long(world: World, minutes: int):
    assert (await world.raw("user", "/warn/snoozeWarn", **ROBOT, minutes=minutes))[0] == Code.BAD_INPUT


async def test_foreign_tenants_put_nothing_off_see_nothing_of_it_and_end_nothing(world: World):
    alarm = await raise_alarm(world)
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60)
    (row,) = (await world.call("user", "/warn/listSnoozes"))["list"]
    for account in ("rivaluser", "rival"):
        assert (await world.call(account, "/warn/listSnoozes"))["list"] == []
        assert (await world.raw(account, "/warn/endSnooze", id=row["id"]))[0] == Code.NOT_FOUND
        assert (await world.raw(account, "/warn/snoozeWarn", **ROBOT, minutes=60))[0] == Code.NOT_FOUND
        assert (await world.raw(account, "/warn/snoozeWarn", **ROBOT, warnId=alarm, minutes=60))[0] == Code.NOT_FOUND


async def test_an_alarm_of_another_robot_is_not_put_off_by_its_number(world: World):
    other = await raise_alarm(world, sn="SC0002")
    assert (await world.raw("user", "/warn/snoozeWarn", **ROBOT, warnId=other, minutes=60))[0] == Code.NOT_FOUND


async def test_planned_maintenance_puts_off_what_is_raised_while_it_lasts(world: World):
    await switch(world, "door_stuck", cloud=1)
    await switch(world, "lidar", cloud=1)
    begins = datetime.now(UTC) + timedelta(days=1)
    answer = await world.call("user", "/warn/snoozeWarn", **ROBOT, since=begins.isoformat(), minutes=60, note="Service")
    assert datetime.fromisoformat(answer["until"]) == begins + timedelta(hours=1)
    await raise_alarm(world)
    await work(world)
    assert len(await read_messages(world)) == 1
    (row,) = (await world.call("user", "/warn/listSnoozes"))["list"]
    assert (datetime.fromisoformat(row["since"]), row["begun"]) == (begins, False)
    assert (await world.call("user", "/warn/listUnProcess"))["count"] == 1
    await world.pool.execute("update alarm_snooze set since = now()")
    await raise_alarm(world, "lidar")
    await work(world)
    assert len(await read_messages(world)) == 1
    assert (await world.call("user", "/warn/listUnProcess"))["count"] == 0
    await end_all(world)
    assert len(await read_messages(world)) == 3


async def test_planned_maintenance_that_is_called_off_notifies_nobody_again(world: World):
    await switch(world, "door_stuck", cloud=1)
    await raise_alarm(world)
    await work(world)
    begins = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    await world.call("user", "/warn/snoozeWarn", **ROBOT, since=begins, minutes=60)
    (row,) = (await world.call("user", "/warn/listSnoozes"))["list"]
    await world.call("user", "/warn/endSnooze", id=row["id"])
    await work(world)
    assert len(await read_messages(world)) == 1
    assert (await world.call("user", "/warn/listSnoozes"))["list"] == []


@pytest.mark.parametrize("since", ["2026-01-01T10:00:00", "tomorrow", "in two years"])
async def test_a_beginning_that_is_no_moment_or_too_far_is_refused(world: World, since: str):
    moment = since.replace("in two years", (datetime.now(UTC) + timedelta(days=730)).isoformat())
    assert (await world.raw("user", "/warn/snoozeWarn", **ROBOT, since=moment, minutes=60))[0] == Code.BAD_INPUT


async def test_a_snooze_ends_with_the_robots_owner(world: World):
    await world.call("user", "/warn/snoozeWarn", **ROBOT, minutes=60)
    await world.call(
        "dealer",
        "/device/updateDeviceUserInfo",
        deviceId=world.devices["SC0001"],
        ownerUserId=world.accounts["sub"],
    )
    assert await world.pool.fetchval("select count(*) from alarm_snooze") == 0
