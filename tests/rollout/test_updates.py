"""A robot takes an update whole or not at all, and only one that it can trust."""

import asyncio

import pytest

from lustra.protocol.payloads.tasks import Task
from lustra.robot.robot import Robot
from lustra.robot.simulation.body import SOFTWARE
from lustra.robot.store import StoredTask
from tests.robot.conftest import TASK, hall
from tests.rollout.conftest import PACKAGE, Workshop

STATES = ("downloading", "verifying", "installing", "restarting")


async def test_a_robot_runs_the_new_version_once_it_was_confirmed(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    assert robot.machine.state(1).software == SOFTWARE
    await workshop.order(build, "2.0.0")
    robot = await workshop.restart()
    assert robot.machine.software == "2.0.0"
    report = await workshop.reached(build, "confirmed")
    assert (report.version, report.size) == ("2.0.0", len(PACKAGE))
    assert (robot.updates.folder / "slots" / "b.package").read_bytes() == PACKAGE
    assert not robot.updates.slots.table.trial


async def test_resume_an_interrupted_download_where_it_ended(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await workshop.switch_on()
    workshop.line.cut_after = 2_500_000
    await workshop.order(build, "2.0.0")
    await workshop.reached(build, "confirmed")
    assert workshop.line.cuts >= 1
    assert workshop.line.sent < len(PACKAGE) * 1.5


@pytest.mark.parametrize("state", STATES)
async def test_a_power_cut_in_any_state_leaves_a_whole_version(workshop: Workshop, state: str):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    robot.updates.set_fault(f"power_{state}", on=True)
    await workshop.order(build, "2.0.0")
    robot = await workshop.restart()
    assert robot.machine.software in {SOFTWARE, "2.0.0"}
    report = await workshop.reached(build, "confirmed")
    assert report.version == workshop.crew.robots["SC0001"].machine.software == "2.0.0"


async def test_a_power_cut_before_it_is_confirmed_starts_the_former_version(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    await workshop.order(build, "2.0.0")
    await asyncio.wait_for(robot.reboots.wait(), 20)
    await workshop.crew.switch_off("SC0001")
    Robot.open(robot.spec, robot.store.folder)  # its first start, which ends at once
    robot = await workshop.switch_on()
    assert robot.machine.software == SOFTWARE
    report = robot.updates.orders[build].report
    assert (report.state, report.reason, report.version) == ("fell_back", "update_start", SOFTWARE)
    assert robot.updates.slots.former is None


async def test_a_power_cut_before_it_can_say_that_it_is_confirmed_is_no_failure(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    await workshop.order(build, "2.0.0")
    await asyncio.wait_for(robot.reboots.wait(), 20)
    await workshop.crew.switch_off("SC0001")
    Robot.open(robot.spec, robot.store.folder).updates.slots.confirm()  # its first start, which ends there
    robot = await workshop.switch_on()
    report = robot.updates.orders[build].report
    assert (report.state, report.reason, report.version) == ("confirmed", "", "2.0.0")


@pytest.mark.parametrize("state", ["downloading", "verifying", "installing"])
async def test_change_nothing_when_an_update_fails_before_the_restart(workshop: Workshop, state: str):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    robot.updates.set_fault(f"update_{state}", on=True)
    await workshop.order(build, "2.0.0")
    report = await workshop.reached(build, "failed")
    assert (report.reason, report.version) == ("update_fault", SOFTWARE)
    robot.updates.set_fault(f"update_{state}", on=False)
    await workshop.order(build, "2.0.0", attempt=2)
    assert (await workshop.reached(build, "confirmed", attempt=2)).version == "2.0.0"


async def test_software_that_does_not_start_falls_back(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    robot.updates.set_fault("update_restarting", on=True)
    await workshop.order(build, "2.0.0")
    await workshop.restart()
    assert (await workshop.reached(build, "fell_back")).reason == "update_start"
    assert workshop.crew.robots["SC0001"].machine.software == SOFTWARE


async def test_a_task_is_not_cut_short_and_the_charger_waited_for(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    robot = await workshop.switch_on()
    robot.save_map(hall())
    robot.machine.load(robot.store.maps["hall"], 0)
    robot.store.tasks["hall", "Hall"] = StoredTask(Task.model_validate(TASK), 1)
    await robot.starts.begin(Task.model_validate(TASK))
    await workshop.order(build, "2.0.0", charging=True)
    report = await workshop.reached(build, "waiting")
    assert report.reason == "map.task_running"
    robot.machine.end("cancelled", 0)
    robot.updates.woken.set()
    await workshop.reached(build, "waiting", "update_not_charging")
    dropped = await workshop.order(build, "2.0.0", action="drop")
    assert dropped["update"]["state"] == "dropped"
    assert not robot.updates.orders.file(build).exists()
    again = await workshop.order(build, "2.0.0", attempt=2, until=1)
    assert again["code"] == 0
    await workshop.reached(build, "failed", "update_late", attempt=2)


async def test_the_other_slot_brings_the_former_version_back(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await workshop.switch_on()
    await workshop.order(build, "2.0.0")
    await workshop.reached(build, "confirmed")
    await workshop.order(build, "1.0.0", number=900, action="back")
    assert (await workshop.reached(900, "failed")).reason == "update_no_former"
    await workshop.order(build, SOFTWARE, number=901, action="back")
    assert (await workshop.reached(901, "confirmed")).version == SOFTWARE


async def test_a_package_that_is_not_for_this_robot_is_refused(workshop: Workshop):
    old = await workshop.publish("1.0.0")
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await workshop.switch_on(model="Another type")
    await workshop.order(build, "2.0.0")
    assert (await workshop.reached(build, "failed")).reason == "update_model"
    await workshop.crew.switch_off("SC0001")
    await workshop.switch_on()
    for number, version, order, reason in (
        (901, "1.0.0", old, "update_older"),
        (902, "3.0.0", build, "update_untrusted"),
    ):
        await workshop.order(order, version, number=number)
        assert (await workshop.reached(number, "failed")).reason == reason


async def test_another_package_than_the_signed_one_is_refused(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    objects, place = workshop.world.services.objects, await workshop.place(build)
    await workshop.switch_on()
    await objects.put_bytes(place, PACKAGE[:-1] + b"x")
    await workshop.order(build, "2.0.0")
    assert (await workshop.reached(build, "failed")).reason == "update_checksum"
    await objects.put_bytes(place, PACKAGE + b"x")
    await workshop.order(build, "2.0.0", attempt=2)
    await workshop.reached(build, "failed", "update_checksum", attempt=2)


async def test_a_package_that_nobody_signed_is_refused(workshop: Workshop):
    await workshop.publish("2.0.0")
    await workshop.sign()
    build = await workshop.publish("3.0.0")
    await workshop.switch_on()
    await workshop.order(build, "3.0.0")
    assert (await workshop.reached(build, "failed")).reason == "update_unlisted"


async def test_a_robot_without_a_root_takes_nothing(workshop: Workshop):
    build = await workshop.publish("2.0.0")
    await workshop.sign()
    await workshop.crew.switch_on("SC0001")
    await workshop.order(build, "2.0.0")
    assert (await workshop.reached(build, "failed")).reason == "update_no_root"
