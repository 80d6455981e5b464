"""A published build comes to robots step by step, and stops, waits and goes back as it is told."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.rollout import orders, rules
from lustra.robot.simulation.body import SOFTWARE
from tests.rollout.conftest import Workshop
from tests.world import World

ALL = ("SC0001", "SC0002", "SC0003")
SMALL = b"PK\x03\x04 small"


async def begin(workshop: Workshop, version: str = "2.0.0", **plan: Any) -> int:
    """A roll-out to three robots that are on."""
    build = await workshop.publish(version, SMALL, *ALL)
    for sn in ALL:
        if sn not in workshop.crew.robots:
            await workshop.switch_on(sn)
    return await workshop.roll_out(build, **plan)


def states(rollout: dict[str, Any]) -> dict[str, str]:
    return {row["deviceSerialNumber"]: row["state"] for row in rollout["list"]}


async def test_a_build_comes_to_test_devices_first_and_then_step_by_step(workshop: Workshop):
    await workshop.world.pool.execute("update device set test_device = true where serial_number = 'SC0003'")
    rollout = await begin(workshop, steps=[50, 100], pauseMinutes=60)
    row = await workshop.settled(rollout)
    assert (row["state"], row["step"]) == ("running", 0)
    assert states(row) == {"SC0001": "waiting", "SC0002": "waiting", "SC0003": "confirmed"}
    await workshop.pass_time()
    row = await workshop.settled(rollout)
    assert (row["step"], row["confirmed"]) == (1, 2)
    await workshop.pass_time()
    row = await workshop.settled(rollout)
    assert (row["state"], row["step"], row["confirmed"], row["failed"]) == ("finished", 2, 3, 0)
    assert {robot.machine.software for robot in workshop.crew.robots.values()} == {"2.0.0"}
    [listed] = (await workshop.world.call("admin", "/version/selectRollouts"))["list"]
    assert listed.items() <= row.items()


async def test_the_preview_names_whom_it_comes_to(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, "SC0001", "SC0002")
    preview = await workshop.world.call("admin", "/version/previewRollout", publicId=build, steps=[50, 100])
    assert (preview["version"], preview["size"]) == ("2.0.0", len(SMALL))
    assert [row["step"] for row in preview["list"]] == [1, 2]
    assert {row["deviceSerialNumber"] for row in preview["list"]} == {"SC0001", "SC0002"}
    for steps in ([50], [100, 50], [0, 100], []):
        refused = await workshop.world.raw("admin", "/version/previewRollout", publicId=build, steps=steps)
        assert refused[0] == Code.BAD_INPUT


async def test_pause_at_the_set_share_of_failures_and_resume_on_request(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    for sn in ALL:
        (await workshop.switch_on(sn)).updates.set_fault("update_installing", on=sn != "SC0003")
    rollout = await workshop.roll_out(build, failureShare=50)
    row = await workshop.settled(rollout)
    assert (row["state"], row["reason"], row["failed"]) == ("paused", "failure_share", 2)
    await workshop.change(rollout, "resume")
    row = await workshop.settled(rollout)
    assert (row["state"], row["confirmed"], row["failed"]) == ("finished", 1, 2)


async def test_a_pause_takes_back_what_has_not_begun_to_install(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    for sn in ALL:
        await workshop.switch_on(sn)
    rollout = await workshop.roll_out(build, charging=True)
    await workshop.until_row(rollout, "SC0001", state="waiting", reason="update_not_charging")
    await workshop.change(rollout, "pause")
    await workshop.work()
    assert all(not robot.updates.orders.open() for robot in workshop.crew.robots.values())
    assert await workshop.refused("/version/changeRollout", id=rollout, action="pause") == "rollout_step"
    await workshop.change(rollout, "resume")
    await workshop.until_row(rollout, "SC0001", state="waiting", reason="update_not_charging")
    await workshop.change(rollout, "cancel")
    await workshop.work()
    row = await workshop.rollout(rollout)
    assert (row["state"], set(states(row).values())) == ("cancelled", {"cancelled"})
    assert all(not robot.updates.orders.open() for robot in workshop.crew.robots.values())


async def test_a_pause_by_itself_takes_back_what_has_not_begun_to_install_too(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    for sn in ALL:
        await workshop.switch_on(sn)
    workshop.crew.robots["SC0001"].machine.place(0, 0, 0, charging=True)
    workshop.crew.robots["SC0001"].updates.set_fault("update_installing", on=True)
    rollout = await workshop.roll_out(build, charging=True, failureShare=1)
    row = await workshop.settled(rollout)
    assert (row["state"], row["reason"]) == ("paused", "failure_share")
    await workshop.work()
    assert states(await workshop.rollout(rollout)) == {"SC0001": "failed", "SC0002": "waiting", "SC0003": "waiting"}
    assert all(not robot.updates.orders.open() for robot in workshop.crew.robots.values())


async def test_order_updates_of_all_robots_in_parts_within_a_round(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(orders, "AT_ONCE", 1)
    rollout = await begin(workshop, charging=True)
    await workshop.work(crew=False)
    statement = "select count(*) from rollout_robot where rollout_id = $1 and sent_at is not null"
    assert await workshop.world.pool.fetchval(statement, rollout) == len(ALL)


async def test_roll_back_to_the_former_version_by_a_single_action(workshop: Workshop):
    rollout = await begin(workshop)
    await workshop.settled(rollout)
    back = (await workshop.world.call("admin", "/version/rollBack", id=rollout))["id"]
    row = await workshop.settled(back)
    assert (row["kind"], row["state"], row["confirmed"]) == ("back", "finished", 3)
    assert {each["target"] for each in row["list"]} == {SOFTWARE}
    assert {robot.machine.software for robot in workshop.crew.robots.values()} == {SOFTWARE}
    for once in (back, rollout):
        assert await workshop.refused("/version/rollBack", id=once) == "rollout_step"
    assert (await workshop.rollout(rollout))["reason"] == "rolled_back"


async def test_a_roll_back_ends_what_is_open(workshop: Workshop):
    rollout = await begin(workshop, charging=True)
    await workshop.work()
    assert await workshop.refused("/version/rollBack", id=rollout) == "rollout_no_robots"
    workshop.crew.robots["SC0001"].machine.place(0, 0, 0, charging=True)
    await workshop.until_row(rollout, "SC0001", state="confirmed")
    back = (await workshop.world.call("admin", "/version/rollBack", id=rollout))["id"]
    assert (await workshop.rollout(rollout))["state"] == "cancelled"
    assert states(await workshop.settled(back)) == {"SC0001": "confirmed"}


async def test_a_robot_is_in_one_roll_out_and_its_version_stays_published(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    rollout = await workshop.roll_out(build)
    assert await workshop.refused("/version/startRollout", publicId=build) == "rollout_robot_busy"
    line = {"versionId": workshop.soft}
    assert await workshop.refused("/version/updateVersionTypeAndPublishDel", **line) == "version_rolled_out"
    newer = await workshop.publish("3.0.0", SMALL)
    assert await workshop.refused("/version/deleteVersionPublic", publicId=build) == "version_rolled_out"
    assert await workshop.refused("/version/startRollout", publicId=build) == "version_unpublished"
    await workshop.change(rollout, "cancel")
    await workshop.world.call("admin", "/version/updateVersionTypeAndPublishDel", **line)
    await workshop.world.call("admin", "/version/deleteVersion", **line)
    assert (await workshop.rollout(rollout))["name"] == "Navigation 2.0.0"
    assert newer


async def test_refuse_a_rollout_without_robots_or_keys(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL)
    assert await workshop.refused("/version/startRollout", publicId=build) == "rollout_no_robots"
    await workshop.world.pool.execute("delete from trust_metadata")
    answer = (await workshop.world.post("admin", "/version/startRollout", publicId=build)).json()["message"]
    assert "lustra keys make" in answer["message"]


async def test_a_robot_that_is_away_takes_it_when_it_is_back(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    for sn in ALL[:2]:
        await workshop.switch_on(sn)
    rollout = await workshop.roll_out(build, steps=[100])
    row = await workshop.settled(rollout)
    assert (row["state"], states(row)["SC0003"]) == ("running", "waiting")
    await workshop.switch_on("SC0003")
    assert (await workshop.settled(rollout))["state"] == "finished"


async def test_a_robot_that_is_silent_while_it_is_at_it_has_failed(workshop: Workshop):
    rollout = await begin(workshop, charging=True)
    await workshop.work()
    await workshop.world.pool.execute(
        "update rollout_robot set state = 'installing', updated_at = now() - interval '31 minutes'"
    )
    await workshop.work(crew=False)
    row = await workshop.rollout(rollout)
    assert (row["state"], row["failed"], row["list"][0]["reason"]) == ("paused", 3, "robot_silent")


async def test_order_again_what_a_robot_gave_up_for_lack_of_time(workshop: Workshop):
    rollout = await begin(workshop, charging=True)
    await workshop.until_row(rollout, "SC0001", state="waiting", reason="update_not_charging")
    robot = workshop.crew.robots["SC0001"]
    [order] = robot.updates.orders.open()
    order.command.until = 1
    robot.updates.woken.set()
    await workshop.until_row(rollout, "SC0001", attempt=2)
    await workshop.until_row(rollout, "SC0001", state="waiting", reason="update_not_charging")


async def test_a_robot_that_changes_hands_leaves_the_roll_out(workshop: Workshop):
    rollout = await begin(workshop, charging=True)
    device = workshop.world.devices["SC0001"]
    await workshop.world.call("admin", "/device/deleteDevice", deviceId=device)
    row = await workshop.rollout(rollout)
    assert states(row)["SC0001"] == "cancelled"


@pytest.mark.parametrize(
    ("hours", "minute", "length"),
    [((None, None), 0, 1440), ((60, 300), 120, 180), ((60, 300), 30, None), ((1380, 120), 60, 60), ((0, 0), 60, 1380)],
)
def test_robots_begin_within_the_hours_of_their_site(
    hours: tuple[int | None, int | None], minute: int, length: int | None
):
    moment = datetime(2026, 7, 1, minute // 60, minute % 60, tzinfo=timezone.utc)
    end = rules.window_end(*hours, "UTC", moment)
    assert (round((end - moment).total_seconds() / 60) if end else None) == length


def test_the_hours_are_those_of_the_site_s_zone():
    moment = datetime(2026, 7, 1, 15, 30, tzinfo=timezone.utc)
    assert rules.window_end(0, 60, "UTC", moment) is None
    assert rules.window_end(0, 60, "Asia/Tokyo", moment) == moment + timedelta(minutes=30)


async def add_group(workshop: Workshop, name: str, *sns: str) -> int:
    devices = [workshop.world.devices[sn] for sn in sns]
    return (await workshop.world.call("admin", "/deviceGroup/insert", name=name, deviceIds=devices))["id"]


async def test_groups_are_steps_one_after_the_other_and_the_rest_comes_last(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    for sn in ALL:
        await workshop.switch_on(sn)
    empty, second = await add_group(workshop, "Nobody"), await add_group(workshop, "Ward", "SC0002", "SC0003")
    first = await add_group(workshop, "Lobby", "SC0003")
    plan = {"publicId": build, "groups": [empty, first, second]}
    preview = await workshop.world.call("admin", "/version/previewRollout", **plan)
    steps = {row["deviceSerialNumber"]: row["step"] for row in preview["list"]}
    assert (steps, preview["stepGroups"]) == ({"SC0003": 1, "SC0002": 2, "SC0001": 3}, ["Lobby", "Ward", ""])
    rollout = await workshop.roll_out(build, groups=plan["groups"], pauseMinutes=60)
    row = await workshop.settled(rollout)
    assert (row["step"], row["steps"], row["stepGroups"]) == (1, [33, 66, 100], ["Lobby", "Ward", ""])
    assert states(row) == {"SC0001": "waiting", "SC0002": "waiting", "SC0003": "confirmed"}
    for account, groups in (("admin", [10**6]), ("admin", [first, 10**6]), ("rival", [first])):
        code, _ = await workshop.world.raw(account, "/version/previewRollout", publicId=build, groups=groups)
        assert code == Code.NOT_FOUND


async def test_the_preview_says_what_each_building_downloads(workshop: Workshop):
    await workshop.world.pool.execute("update device set address = 'Quay 1' where serial_number <> 'SC0003'")
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    preview = await workshop.world.call("admin", "/version/previewRollout", publicId=build)
    sites = {site["address"]: (site["robots"], site["size"]) for site in preview["sites"]}
    assert sites["Quay 1"] == (2, 2 * len(SMALL))
    assert sum(robots for robots, _ in sites.values()) == 3


async def test_ask_no_robot_outside_of_the_hours(workshop: Workshop):
    minute = (now() + timedelta(hours=5)).hour * 60
    rollout = await begin(workshop, fromMinute=minute, toMinute=minute + 1)
    await workshop.work(crew=False)
    row = await workshop.rollout(rollout)
    assert {(each["state"], each["reason"]) for each in row["list"]} == {("waiting", "outside_hours")}


async def test_a_silent_robot_waits_and_a_refusal_is_a_failure(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(orders, "ANSWERS_IN_S", 0.1)
    world = workshop.world

    async def refuse(message: Any) -> None:
        await message.respond(b'{"code": 5000, "reason": "update_model"}')

    for sn in ALL:
        await world.online(sn)
    await world.services.bus.link.subscribe("robots.SC0003.cmd.update", cb=refuse)
    rollout = await workshop.roll_out(await workshop.publish("2.0.0", SMALL, *ALL), steps=[100], failureShare=100)
    await workshop.work(crew=False)
    rows = {each["deviceSerialNumber"]: each for each in (await workshop.rollout(rollout))["list"]}
    assert [(rows[sn]["state"], rows[sn]["reason"]) for sn in ALL] == [
        ("waiting", "robot_silent"),
        ("waiting", "robot_silent"),
        ("failed", "update_model"),
    ]


async def test_take_no_order_back_that_is_gone(workshop: Workshop):
    await orders.drop_order(workshop.world.services, 10**9, 1)


async def test_so_many_robots_are_asked_in_a_minute_and_no_more(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    minute = now().replace(second=30)
    monkeypatch.setattr(orders, "now", lambda: minute)
    rollout = await begin(workshop, perMinute=2, charging=True)
    await workshop.work(crew=False)
    sent = "select count(*) from rollout_robot where rollout_id = $1 and sent_at is not null"
    assert await workshop.world.pool.fetchval(sent, rollout) == 2
    monkeypatch.setattr(orders, "now", lambda: minute + timedelta(minutes=1))
    await workshop.work(crew=False)
    assert await workshop.world.pool.fetchval(sent, rollout) == 3


async def test_a_look_at_a_rollout_begins_once_each_end_that_waits_for_it_is_committed(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, "SC0001", "SC0002")
    rollout = await workshop.roll_out(build)
    end = (
        "update rollout_robot set state = 'failed' where rollout_id = $1"
        " and device_id = (select id from device where serial_number = $2)"
    )
    look = "select id from procrastinate_jobs where task_name = 'rollout.advance' and status = 'todo'"
    async with workshop.world.pool.acquire() as robot, workshop.world.pool.acquire() as worker:
        await robot.execute("delete from procrastinate_jobs where task_name = 'rollout.advance'")
        await robot.execute(end, rollout, "SC0001")
        async with robot.transaction():
            await robot.execute(end, rollout, "SC0002")
            assert await worker.fetch(f"{look} for update skip locked") == []
        assert len(await worker.fetch(f"{look} for update skip locked")) == 1


@pytest.mark.parametrize("hours", [{"fromMinute": 60}, {"toMinute": 60}])
async def test_hours_that_begin_end_too(world: World, hours: dict[str, int]):
    code, _ = await world.raw("admin", "/version/startRollout", publicId=1, **hours)
    assert code == Code.BAD_INPUT
