"""A gate on the real bus, and robots that log in."""

import asyncio
import contextlib
import hashlib
import itertools
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiomqtt
import nats
import pytest
from nats.aio.client import Client

from lustra.core.bus import Bus, connect
from lustra.core.settings import Settings
from lustra.gate.process import serving
from lustra.gate.roster import Roster
from lustra.stack.liveness import NotYet
from lustra.stack.nats import greet
from tests.conftest import Stack

SERIALS = itertools.count(1)


async def until(true: Callable[[], object], seconds: float = 20) -> None:
    """Waits for a condition: no test sleeps for a guessed time."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  any condition, so there is no event to wait for
            await asyncio.sleep(0.01)


class Fleet:
    def __init__(self, stack: Stack, bus: Bus, roster: Roster) -> None:
        self.stack, self.bus, self.roster = stack, bus, roster

    async def register(self, sn: str = "", password: str = "right") -> str:
        """A device of the table, known to the gate."""
        sn = sn or f"GT{next(SERIALS):04}"
        proof = hashlib.sha256(password.encode()).hexdigest()
        await self.bus.put(
            "devices", sn, {"deviceId": 1, "port": 20001, "protocol": 3, "sshKey": "", "password": proof}
        )
        await until(lambda: self.roster.passwords.get(sn) == proof)
        return sn

    async def native(self, sn: str, password: str = "right", **options: object) -> Client:
        async def quiet(_: Exception) -> None:
            """What is refused is what the tests want."""

        address = self.stack.nats.rsplit("@", 1)[1]
        settings = {"allow_reconnect": False, "connect_timeout": 5, "error_cb": quiet} | options
        return await nats.connect(f"nats://{address}", user=sn, password=password, **settings)

    async def refused(self, sn: str, password: str) -> bool:
        """By the protocol's first words: nats-py leaves a refused connection open."""
        host, port = self.stack.nats.rsplit("@", 1)[1].split(":")
        try:
            await greet(host, int(port), sn, password)
        except NotYet as why:
            return "Authorization Violation" in str(why)
        return False

    @contextlib.asynccontextmanager
    async def mqtt(self, sn: str, password: str = "right", identifier: str = "") -> AsyncIterator[aiomqtt.Client]:
        host, port = self.stack.mqtt.split(":")
        client = aiomqtt.Client(host, int(port), username=sn, password=password, identifier=identifier or sn, timeout=5)
        try:
            async with client:
                yield client
        finally:
            if link := client._client.socket():  # paho leaves that of a refused connection open
                link.close()


@pytest.fixture
async def fleet(stack: Stack, tmp_path: Path) -> AsyncIterator[Fleet]:
    bus = await connect(stack.nats, "test")
    await bus.set_up(1 << 26)
    settings = Settings(
        nats_url=stack.roster_url,
        gate_url=stack.gate_url,
        system_url=stack.system_url,
        gate_seed=stack.gate_seed,
        data=str(tmp_path),
    )
    async with serving(settings) as roster:
        yield Fleet(stack, bus, roster)
    await bus.close()
