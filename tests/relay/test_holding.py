"""Holding a robot needs no lock, letting go of what holds it does; driving by hand does not fill the audit."""

import time
from typing import Any

import pytest

from tests.relay.conftest import MakeRobot, World

ALWAYS = ["task_pause", "task_cancel", "task_cancel_one", "cancel_go_home", "robot_safe"]


@pytest.mark.parametrize("name", ALWAYS)
async def test_stop_needs_no_lock_and_no_bus(world: World, robots: MakeRobot, name: str):
    robot = await robots()
    await world.control(robot, 4, owner="other")
    async with world.tunnel(robot):
        world.running.known.synced_at = time.monotonic() - 60
        answer = await world.call(robot, f"api1/{name}")
    assert answer["code"] == 0


RELEASES = {"robot_safe": {"robot_safe": 0}, "robot_lock": {"lock": 0}}


@pytest.mark.parametrize("name", RELEASES)
async def test_letting_go_wants_the_lock_although_holding_does_not(world: World, robots: MakeRobot, name: Any):
    robot = await robots()
    async with world.tunnel(robot):
        held = dict.fromkeys(RELEASES[name], 1)
        assert (await world.call(robot, f"api1/{name}", held))["code"] == 0
        assert (await world.call(robot, f"api1/{name}", RELEASES[name]))["reason"] == "control_lost"
        await world.control(robot, 4)
        assert (await world.call(robot, f"api1/{name}", RELEASES[name], number=4))["code"] == 0
    assert len(robot.requests) == 2


async def test_record_teleoperation_once_a_second_and_not_for_each_command(world: World, robots: MakeRobot):
    robot = await robots()
    await world.control(robot, 4)
    async with world.tunnel(robot):
        began = time.monotonic()
        for _ in range(20):
            await world.call(robot, "api1/cmdvel_ctrl", {"linear": 0.1, "angular": 0}, number=4)
        took = time.monotonic() - began
        await world.call(robot, "api1/task_pause")
    await world.until(lambda: world.audited(sn=robot.sn, command="api1/task_pause"))
    assert 1 <= len(world.audited(sn=robot.sn, command="api1/cmdvel_ctrl")) <= took + 1
