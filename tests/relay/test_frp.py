"""A node of frp: a robot without a tunnel of its own is found at the real port that an frp server has opened for it."""

import asyncio

import pytest

from tests.relay.conftest import HOST, MakeRobot, Robot, World


async def at_real_port(world: World, robot: Robot) -> None:
    """As if an frp server had opened the robot's registered port beside the relay."""
    robot.port = robot.local
    await world.bus.put("devices", robot.sn, robot.entry())
    await world.until(lambda: world.running.known.devices[robot.sn].port == robot.local)


@pytest.mark.spec("conv.relay_target")
async def test_a_robot_of_frp_is_reached_at_its_own_port_alone(world: World, robots: MakeRobot):
    own, other = await robots(), await robots()
    await at_real_port(world, own)
    assert (await world.call(own, "api1/task_list"))["code"] == 0
    foreign = await world.ask(f"/?m=api1/task_list&p={other.local}", world.signed(world.grant(own)))
    assert foreign["code"] == 403
    assert other.requests == []


async def test_a_port_that_nobody_opened_is_no_robot(world: World, robots: MakeRobot):
    robot = await robots()
    answer = await world.call(robot, "api1/task_list")
    assert (answer["code"], answer["reason"]) == (502, "robot_unreachable")


async def test_a_tunnel_of_its_own_comes_before_the_real_port(world: World, robots: MakeRobot):
    robot, met = await robots(), []
    stranger = await asyncio.start_server(lambda _, writer: (met.append(1), writer.close()), HOST, robot.port)
    async with stranger, world.tunnel(robot):
        assert (await world.call(robot, "api1/task_list"))["code"] == 0
    assert met == []


@pytest.mark.parametrize("node", ["https://other.example", ""])
async def test_a_robot_of_another_node_does_not_lead_to_the_real_port_of_ours(
    world: World, robots: MakeRobot, node: str
):
    """Its own grant names the same number: there it is another's robot that listens."""
    victim, foreign = await robots(), await robots()
    await at_real_port(world, victim)
    foreign.port = victim.port
    await world.bus.put("devices", foreign.sn, foreign.entry() | {"node": node})
    await world.until(lambda: world.running.known.devices[foreign.sn].port == victim.port)
    assert (await world.call(foreign, "api1/task_list"))["reason"] == "robot_unreachable"
    await world.bus.drop("devices", victim.sn)  # deleted here, but its frp client still runs
    await world.until(lambda: victim.sn not in world.running.known.devices)
    assert (await world.call(foreign, "api1/task_list"))["reason"] == "robot_unreachable"
    assert victim.requests == []
