"""The SSH end: who may come in, what for, and who takes over."""

import asyncio
import json
import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncssh
import psutil
import pytest
from structlog.testing import capture_logs

from lustra.relay.tunnel_server import REFUSED
from tests.relay.conftest import FORMER, MakeRobot, World

HOST = "127.0.0.1"


async def refused(link: asyncssh.SSHClientConnection, host: str, port: int) -> bool:
    try:
        await link.forward_remote_port(host, port, HOST, 1)
    except asyncssh.ChannelListenError:
        return True
    return False


async def test_no_port_of_this_machine_is_opened(world: World, robots: MakeRobot):
    robot = await robots()
    before = {c.laddr for c in psutil.Process().net_connections("inet") if c.status == "LISTEN"}
    async with world.tunnel(robot):
        after = {c.laddr for c in psutil.Process().net_connections("inet") if c.status == "LISTEN"}
        assert (await world.call(robot, "api1/task_state"))["code"] == 0
    assert after == before


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["chacha20-poly1305@openssh.com", "aes128-gcm@openssh.com"], "aes128-gcm@openssh.com"),
        (["chacha20-poly1305@openssh.com", "aes256-ctr"], "aes256-ctr"),  # as small clients have them
    ],
)
async def test_a_tunnel_is_not_encrypted_by_chacha(world: World, robots: MakeRobot, offered: list[str], chosen: str):
    robot = await robots()
    async with await world.client(robot, encryption_algs=offered) as link:
        assert link.get_extra_info("send_cipher") == link.get_extra_info("recv_cipher") == chosen
    with pytest.raises(asyncssh.KeyExchangeFailed):
        await world.client(robot, encryption_algs=offered[:1])


async def test_a_device_gets_its_own_port_alone(world: World, robots: MakeRobot):
    own, other = await robots(), await robots()
    async with world.tunnel(other), await world.client(own) as link:
        for host, port in ((HOST, other.port), (HOST, 0), (HOST, 22), ("", own.port), ("0.0.0.0", own.port)):
            assert await refused(link, host, port)
        assert (await world.call(other, "api1/task_state"))["code"] == 0
        assert not await refused(link, HOST, own.port)


@pytest.mark.parametrize(
    ("host", "off", "reason"),
    [("", 0, "no_address"), ("localhost", 0, "no_address"), ("0.0.0.0", 0, "address"), (HOST, 1, "port")],
)
async def test_a_tunnel_that_is_refused_is_logged_with_the_reason_once_a_minute(
    world: World, robots: MakeRobot, host: str, off: int, reason: str
):
    robot = await robots()
    before = REFUSED.labels(reason)._value.get()
    with capture_logs() as lines:
        async with await world.client(robot) as link:
            for _ in range(3):
                assert await refused(link, host, robot.port + off)
    shown = [line for line in lines if line["event"] == "tunnel.refused"]
    assert [(line["sn"], line["reason"], line["host"], line["port"]) for line in shown] == [
        (robot.sn, reason, host, robot.port + off)
    ]
    assert REFUSED.labels(reason)._value.get() == before + 3


async def test_a_registered_port_outside_the_range_is_refused(world: World, robots: MakeRobot):
    robot = await robots(port=8080)
    async with await world.client(robot) as link:
        assert await refused(link, HOST, 8080)


async def twin(robots: MakeRobot, first: Any, **entry: Any):
    """A robot with the same port, at another node."""
    changed = {"port": first.port, "deviceId": first.port, "node": "https://other.example"} | entry
    return replace(await robots(**changed), port=first.port)


@pytest.mark.parametrize("node", ["https://other.example", ""])
async def test_a_port_waits_for_the_robot_of_this_node_also_while_that_is_away(
    world: World, robots: MakeRobot, node: str
):
    first = await robots()
    foreign = await twin(robots, first, node=node)
    async with await world.client(foreign) as link:
        assert await refused(link, HOST, foreign.port)
        async with world.tunnel(first):
            assert (await world.call(first, "api1/task_state"))["code"] == 0
            assert (await world.call(foreign, "api1/task_state"))["reason"] == "robot_unreachable"
        assert await refused(link, HOST, foreign.port)  # it was lost for a moment
    async with world.tunnel(first):
        assert (await world.call(first, "api1/task_state"))["code"] == 0
    assert foreign.requests == []


async def test_a_robot_of_another_node_does_not_come_in(world: World, robots: MakeRobot):
    robot = await robots(node="https://other.example")
    async with await world.client(robot) as link:
        assert await refused(link, HOST, robot.port)
    assert (await world.call(robot, "api1/task_state"))["reason"] == "robot_unreachable"


async def test_a_robot_that_moves_to_another_node_is_thrown_out(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot) as link:
        await world.bus.put("devices", robot.sn, robot.entry() | {"node": "https://other.example"})
        await asyncio.wait_for(link.wait_closed(), 20)


@pytest.mark.parametrize("node", [FORMER, ""])
async def test_accept_a_robot_of_a_former_address_until_its_port_has_an_owner(
    world: World, robots: MakeRobot, node: str
):
    guest = await robots(node=node)
    async with world.tunnel(guest) as link:
        assert (await world.call(guest, "api1/task_state"))["code"] == 0
        home = replace(await robots(port=guest.port, deviceId=guest.port), port=guest.port)
        await asyncio.wait_for(link.wait_closed(), 20)
    async with world.tunnel(home):
        assert (await world.call(home, "api1/task_state"))["code"] == 0
        assert (await world.call(guest, "api1/task_state"))["reason"] == "robot_unreachable"


async def test_a_robot_without_a_node_does_not_take_the_port_of_one_at_a_former_address(
    world: World, robots: MakeRobot
):
    first = await robots(node=FORMER)
    second = await twin(robots, first, node="")
    async with world.tunnel(first):
        async with await world.client(second) as link:
            assert await refused(link, HOST, second.port)
        assert (await world.call(first, "api1/task_state"))["code"] == 0
        assert (await world.call(second, "api1/task_state"))["reason"] == "robot_unreachable"


async def test_strangers_do_not_come_in(world: World, robots: MakeRobot):
    own, other = await robots(), await robots()
    stranger = asyncssh.generate_private_key("ssh-ed25519")
    for name, key in ((own.sn, stranger), (own.sn, other.key), ("SC0", own.key), ("root", own.key)):
        with pytest.raises(asyncssh.PermissionDenied):
            await world.client(own, username=name, client_keys=[key])
    with pytest.raises(asyncssh.PermissionDenied):
        await world.client(own, client_keys=[], password="0" * 64)


async def test_a_device_gets_no_shell_no_command_and_no_way_in(world: World, robots: MakeRobot):
    robot = await robots()
    async with await world.client(robot) as link:
        with pytest.raises(asyncssh.ChannelOpenError):
            await link.run("id")
        with pytest.raises(asyncssh.ChannelOpenError):
            await link.start_sftp_client()
        with pytest.raises(asyncssh.ChannelOpenError):
            await link.open_connection(HOST, 22)


async def test_a_new_connection_takes_over_from_the_old(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot) as old, world.tunnel(robot):
        await asyncio.wait_for(old.wait_closed(), 20)
        assert (await world.call(robot, "api1/task_state"))["code"] == 0
        assert robot.port in world.running.tunnel_server.tunnels


async def test_a_device_that_is_gone_is_thrown_out(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot) as link:
        await world.bus.drop("devices", robot.sn)
        await asyncio.wait_for(link.wait_closed(), 20)
    with pytest.raises(asyncssh.PermissionDenied):
        await world.client(robot)


async def test_a_new_key_of_a_device_ends_the_old_ones_tunnel(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot) as link:
        robot.key = asyncssh.generate_private_key("ssh-ed25519")
        await world.bus.put("devices", robot.sn, robot.entry())
        await asyncio.wait_for(link.wait_closed(), 20)
    async with world.tunnel(robot):
        assert (await world.call(robot, "api1/task_state"))["code"] == 0


async def test_a_tunnel_is_announced_with_the_relays_address(world: World, robots: MakeRobot):
    robot = await robots()
    changes: list[dict[str, object]] = []

    async def receive(message: Any) -> None:
        changes.append(json.loads(message.data))

    await world.bus.subscribe(f"tunnel.{robot.sn}", receive)
    async with world.tunnel(robot):
        await world.until(lambda: changes)
        entry = await world.bus.get("tunnels", robot.sn)
        assert (entry["relay"], entry["up"]) == ("http://relay.test", True)
    await world.until(lambda: len(changes) == 2)
    assert [change["up"] for change in changes] == [True, False]
    assert (await world.bus.get("tunnels", robot.sn))["up"] is False


async def test_announce_the_tunnels_of_a_killed_relay_as_down(world: World):
    await world.bus.put("tunnels", "SC1", {"relay": "http://relay.test", "up": True, "at": 1})
    await world.bus.put("tunnels", "SC2", {"relay": "http://other.test", "up": True, "at": 1})
    await world.running.relay.records.forget_last_run()
    await world.until(lambda: not world.running.relay.records.tunnels)
    assert not (await world.bus.get("tunnels", "SC1"))["up"]
    assert (await world.bus.get("tunnels", "SC2"))["up"]


@pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no stock ssh client here")
async def test_the_stock_ssh_client_carries_calls_and_is_taken_over_when_frozen(
    world: World, robots: MakeRobot, tmp_path: Path
):
    robot = await robots()
    key, known = tmp_path / "key", tmp_path / "known"
    robot.key.write_private_key(key)
    key.chmod(0o600)
    known.write_text(f"[{HOST}]:{world.running.tunnel_server.port} {world.host_public}")

    async def ssh() -> asyncio.subprocess.Process:
        options = (
            f"UserKnownHostsFile={known}",
            "StrictHostKeyChecking=yes",
            "ExitOnForwardFailure=yes",
            "IdentitiesOnly=yes",
            "BatchMode=yes",
        )
        words = ["-F", "none", *(word for option in options for word in ("-o", option)), "-i", key]
        words += ["-N", "-R", f"{HOST}:{robot.port}:{HOST}:{robot.local}", "-p", str(world.running.tunnel_server.port)]
        return await asyncio.create_subprocess_exec("ssh", *words, f"{robot.sn}@{HOST}")

    first = await ssh()
    await world.until(lambda: robot.port in world.running.tunnel_server.tunnels)
    assert (await world.call(robot, "api1/task_state"))["code"] == 0
    os.kill(first.pid, signal.SIGSTOP)
    before = world.running.tunnel_server.tunnels[robot.port]
    second = await ssh()
    await world.until(lambda: world.running.tunnel_server.tunnels.get(robot.port) not in (None, before))
    assert (await world.call(robot, "api1/task_state"))["code"] == 0
    for process in (first, second):
        process.kill()
        await process.wait()
    await world.until(lambda: robot.port not in world.running.tunnel_server.tunnels)
