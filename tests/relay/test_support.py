"""What shows the floor or moves the robot is support's only while the customer's support access is open."""

import time
from typing import Any

import pytest

from lustra.protocol.commands import COMMANDS, PASSWORDS, route
from tests.relay.conftest import MakeRobot, World

PLANS = sorted(route(command, 3) for command in COMMANDS.values() if command.plan)
MOVES = sorted(
    route(command, 3)
    for command in COMMANDS.values()
    if command.locked and not command.plan and command.needs != PASSWORDS
)
CUSTOMER = 77


async def access(world: World, customer: int, until: int | None) -> None:
    if until is None:
        await world.bus.drop("support", str(customer))
        await world.until(lambda: str(customer) not in world.running.known.support)
    else:
        await world.bus.put("support", str(customer), {"until": until})
        await world.until(lambda: str(customer) in world.running.known.support)


@pytest.mark.parametrize("m", PLANS)
async def test_an_open_grant_shows_no_floor_once_it_is_closed(world: World, robots: MakeRobot, m: Any):
    robot = await robots()
    await access(world, CUSTOMER, int(time.time() * 1000) + 60_000)
    await world.control(robot, 1, until_ms=int(time.time() * 1000) + 60_000)
    async with world.tunnel(robot):
        assert (await world.call(robot, m, customer=CUSTOMER, number=1))["code"] == 0
        began = time.monotonic()
        await access(world, CUSTOMER, None)
        answer = await world.call(robot, m, customer=CUSTOMER, number=1)
        assert (answer["code"], answer["reason"]) == (403, "support_closed")
        assert time.monotonic() - began < 1
        assert (await world.call(robot, m, customer=0, number=1))["code"] == 0
    await world.until(lambda: world.audited(sn=robot.sn, command=m, code=403, refused=True))


@pytest.mark.parametrize("m", MOVES)
async def test_an_older_lock_moves_nothing_once_it_is_closed(world: World, robots: MakeRobot, m: Any):
    robot = await robots()
    await access(world, CUSTOMER, None)
    await world.control(robot, 1, until_ms=int(time.time() * 1000) + 60_000)
    async with world.tunnel(robot):
        answer = await world.call(robot, m, customer=CUSTOMER, number=1)
        assert (answer["code"], answer["reason"]) == (403, "support_closed")


async def test_hours_that_are_over_are_closed(world: World, robots: MakeRobot):
    robot = await robots()
    await access(world, CUSTOMER, int(time.time() * 1000) - 1)
    async with world.tunnel(robot):
        assert (await world.call(robot, "api2/map_info", customer=CUSTOMER))["reason"] == "support_closed"


async def test_state_and_stopping_need_no_support_access(world: World, robots: MakeRobot):
    robot = await robots()
    await access(world, CUSTOMER, None)
    async with world.tunnel(robot):
        for m in ("api1/hardware_state", "api1/task_cancel", "api1/task_pause", "api2/map_name"):
            assert (await world.call(robot, m, customer=CUSTOMER))["code"] == 0
