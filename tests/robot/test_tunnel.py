"""The tunnel against a door like the relay's: both clients, the right host key only, and the next relay within 5 s."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import asyncssh
import pytest

from lustra.robot.connection.tunnel import Relay, Tunnel, Way
from lustra.robot.robot import Robot
from lustra.stack.place import LOOPBACK, free_ports
from tests.robot.conftest import Local


@dataclass
class Door:
    """Takes one robot's key and one port, as the relay does."""

    key: asyncssh.SSHKey
    requests: list[tuple[str, int]] = field(default_factory=list)
    here: asyncio.Event = field(default_factory=asyncio.Event)
    links: list[asyncssh.SSHServerConnection] = field(default_factory=list)
    server: asyncssh.SSHAcceptor | None = None
    unknown: int = 0  # so many tries are refused

    def die(self) -> None:
        """As a killed process: nothing listens, and lines break."""
        assert self.server
        self.server.close()
        for link in self.links:
            link.close()


class Guest(asyncssh.SSHServer):
    def __init__(self, door: Door):
        self.door = door

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self.door.links.append(conn)

    def begin_auth(self, username: str) -> bool:
        self.name = username
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return username == "SC0001" and key == self.door.key

    def server_requested(self, listen_host: str, listen_port: int) -> bool:
        self.door.requests.append((listen_host, listen_port))
        if len(self.door.requests) <= self.door.unknown:
            return False
        self.door.here.set()
        return True


@asynccontextmanager
async def door(own: asyncssh.SSHKey, host_key: asyncssh.SSHKey, port: int) -> AsyncIterator[Door]:
    opened = Door(own)
    server = await asyncssh.listen("127.0.0.1", port, server_factory=lambda: Guest(opened), server_host_keys=[host_key])
    opened.server = server
    try:
        yield opened
    finally:
        server.close()
        await server.wait_closed()


def keys(folder: Path) -> tuple[asyncssh.SSHKey, asyncssh.SSHKey, Path]:
    own, host = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    file = folder / "key"
    own.write_private_key(file)
    file.chmod(0o600)
    return own.convert_to_public(), host, file


def public(host: asyncssh.SSHKey) -> str:
    return host.export_public_key().decode().strip()


@asynccontextmanager
async def running(tunnel: Tunnel) -> AsyncIterator[None]:
    job = asyncio.create_task(tunnel.run())
    try:
        yield
    finally:
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)


async def first_answer(local: Local) -> dict[str, Any]:
    while True:
        try:
            return await local.good("robot_pose")
        except aiohttp.ClientConnectorError:  # the door's port opens after its answer
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("way", ["ssh", "asyncssh"])
async def test_the_robots_api_answers_through_the_tunnel(tmp_path: Path, local: Local, way: Way):
    if way == "ssh" and shutil.which("ssh") is None:
        pytest.skip("the stock client is not installed")
    own, host, file = keys(tmp_path)
    absent, listens, registered = free_ports(LOOPBACK, 3)
    relays = [Relay("127.0.0.1", absent), Relay("127.0.0.1", listens)]  # the first of the list is away
    tunnel = Tunnel("SC0001", file, registered, local.port, relays, public(host), tmp_path, way)
    async with door(own, host, listens) as opened, running(tunnel):
        await asyncio.wait_for(opened.here.wait(), 20)
        assert opened.requests == [("127.0.0.1", registered)]
        through = Local(local.robot, local.session, registered)
        async with asyncio.timeout(5):
            assert (await first_answer(through))["map_name"] == "hall"


@pytest.mark.parametrize("way", ["ssh", "asyncssh"])
async def test_when_its_relay_dies_it_is_at_the_next_within_five_seconds(tmp_path: Path, local: Local, way: Way):
    if way == "ssh" and shutil.which("ssh") is None:
        pytest.skip("the stock client is not installed")
    own, host, file = keys(tmp_path)
    first, second, registered = free_ports(LOOPBACK, 3)
    relays = [Relay("127.0.0.1", first), Relay("127.0.0.1", second)]
    tunnel = Tunnel("SC0001", file, registered, local.port, relays, public(host), tmp_path, way)
    async with door(own, host, second) as other, door(own, host, first) as dying, running(tunnel):
        async with asyncio.timeout(10):
            await first_answer(Local(local.robot, local.session, registered))
        assert not other.here.is_set()
        dying.die()
        await asyncio.wait_for(other.here.wait(), 20)
        async with asyncio.timeout(10):
            await first_answer(Local(local.robot, local.session, registered))


@pytest.mark.parametrize("way", ["ssh", "asyncssh"])
async def test_a_relay_that_does_not_know_it_yet_is_asked_again(tmp_path: Path, local: Local, way: Way):
    if way == "ssh" and shutil.which("ssh") is None:
        pytest.skip("the stock client is not installed")
    own, host, file = keys(tmp_path)
    listens, registered = free_ports(LOOPBACK, 2)
    tunnel = Tunnel("SC0001", file, registered, local.port, [Relay("127.0.0.1", listens)], public(host), tmp_path, way)
    async with door(own, host, listens) as opened:
        opened.unknown = 1
        async with running(tunnel):
            async with asyncio.timeout(10):
                await first_answer(Local(local.robot, local.session, registered))
            assert len(opened.requests) == 2


@pytest.mark.parametrize("way", ["ssh", "asyncssh"])
async def test_a_relay_with_another_host_key_is_not_trusted(tmp_path: Path, robot: Robot, way: Way):
    if way == "ssh" and shutil.which("ssh") is None:
        pytest.skip("the stock client is not installed")
    own, host, file = keys(tmp_path)
    false = asyncssh.generate_private_key("ssh-ed25519")
    listens, registered = free_ports(LOOPBACK, 2)
    tunnel = Tunnel("SC0001", file, registered, 9, [Relay("127.0.0.1", listens)], public(host), tmp_path, way)
    async with door(own, false, listens) as opened, running(tunnel):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(opened.here.wait(), 2)
        assert not opened.requests
