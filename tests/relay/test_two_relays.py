"""Several relays of an installation: a robot may come to any of them, and calls follow it."""

import json

from lustra.relay.known import Known
from tests.relay.conftest import NODE, MakeRobot, World

OTHER = "https://other.example"


async def move_to_other(world: World, sn: str, *, up: bool = True) -> None:
    await world.bus.put("tunnels", sn, {"relay": OTHER, "up": up, "at": 1})
    await world.until(lambda: world.running.known.tunnels[sn].relay == OTHER)


async def test_a_call_for_a_robot_that_is_at_another_relay_asks_for_a_new_grant(world: World, robots: MakeRobot):
    robot = await robots()
    await move_to_other(world, robot.sn)
    answer = await world.call(robot, "api1/task_list")
    assert (answer["code"], answer["reason"]) == (401, "tunnel_moved")
    await move_to_other(world, robot.sn, up=False)
    await world.until(lambda: not world.running.known.is_elsewhere(robot.sn))
    answer = await world.call(robot, "api1/task_list")
    assert (answer["code"], answer["reason"]) == (502, "robot_unreachable")


async def test_the_end_of_a_tunnel_does_not_hide_the_robot_s_newer_one_elsewhere(world: World, robots: MakeRobot):
    robot, other = await robots(), await robots()
    async with world.tunnel(robot), world.tunnel(other):
        await world.until(lambda: {robot.sn, other.sn} <= world.running.known.tunnels.keys())
        await move_to_other(world, robot.sn)
    # What follows in the same line of messages has been told: so was what came before it.
    await world.until(lambda: not world.running.known.tunnels[other.sn].up)
    assert not world.running.relay.records.tunnels
    assert (await world.bus.get("tunnels", robot.sn))["relay"] == OTHER


async def test_a_relay_takes_robots_that_are_registered_at_the_others_it_names():
    known = Known(NODE, OTHER)
    entry = {"deviceId": 1, "port": 20001, "protocol": 3, "sshKey": "", "node": OTHER}
    known.on_device("SC0001", json.dumps(entry).encode())
    assert known.owner_of(20001) == "SC0001"
    assert Known(NODE).owner_of(20001) is None
