"""A robot's line to the bus, native NATS or MQTT: it comes back by itself and says when it is there.

The bus acknowledges nothing: receipts come as commands (`cmd.kept`), natively and over MQTT alike. An MQTT robot sees
no reply subject: its answers to commands go to robots/<sn>/answer/<name>. A robot whose log-in is refused again and
again tries more and more rarely: one that was deleted does not knock each second for ever. Where the bus has several
servers it goes to the next that listens.
"""

import asyncio
import contextlib
import itertools
import json
import logging
import os
import random
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import aiomqtt
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from lustra.protocol import bus

log = logging.getLogger(__name__)
Hear = Callable[[str, bytes], Awaitable[dict[str, Any]]]
RETRY_S = 1.0
RETRY_MOST_S = 300.0
KNOCK_S = 2.0
CLOSE_S = 2.0  # of a line whose TLS was refused nats-py would wait for the end without end
UNANSWERED = {"kept", "refused", "watch", "lift"}  # commands that nobody waits for
REFUSED = 0x80  # of an MQTT subscription


def authorities() -> ssl.SSLContext:
    """Whom this machine trusts. To read them all takes 20 ms: robots of a process share what was read."""
    return _load_authorities(os.environ.get("SSL_CERT_FILE", ""))


@cache
def _load_authorities(_: str) -> ssl.SSLContext:
    return ssl.create_default_context()


@dataclass
class Access:
    """Who the robot is, and where the bus is: host and port of each of its servers. `tls`: the bus shows a certificate
    of an authority that this machine trusts, or that SSL_CERT_FILE names."""

    sn: str
    password: str
    addresses: tuple[tuple[str, int], ...]
    tls: bool = False


class Link(Protocol):
    connected: bool
    closed: bool
    refusals: int

    async def run(self, hear: Hear, back: Callable[[], Awaitable[None]]) -> None: ...
    async def once(self, host: str, port: int, hear: Hear, back: Callable[[], Awaitable[None]]) -> None: ...
    async def say(self, subject: str, data: bytes) -> bool: ...
    async def close(self) -> None: ...


async def try_in_turn(link: Link, addresses: Sequence[tuple[str, int]]) -> AsyncGenerator[tuple[str, int]]:
    """Host and port of a server of the bus that listens, each time that the link is to be made anew, until it is
    closed: where nobody listens the next comes at once. Robots begin at different servers."""
    turn = itertools.cycle(random.sample(addresses, len(addresses)))
    while not link.closed:  # libraries may swallow a cancellation
        for host, port in itertools.islice(turn, len(addresses)):
            if await knock(host, port):
                link.refusals += 1  # until it was let in
                yield host, port
                break
        link.connected = False
        await asyncio.sleep(wait_after(link.refusals))


async def knock(host: str, port: int) -> bool:
    """Whether anybody listens: cheaper and quieter than a failed log-in."""
    try:
        async with asyncio.timeout(KNOCK_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


def wait_after(refusals: int) -> float:
    """Seconds until the next try after so many refused log-ins in a row: twice as long each time, up to five minutes,
    and never the same for all robots."""
    longest = min(RETRY_MOST_S, RETRY_S * 2.0 ** min(refusals, 16))
    return RETRY_S if refusals == 0 else random.uniform(longest / 2, longest)  # noqa: S311  no secret


@dataclass
class Native:
    """A link by the protocol of NATS."""

    access: Access
    connected: bool = False
    link: Client | None = None
    closed: bool = False
    refusals: int = 0

    async def run(self, hear: Hear, back: Callable[[], Awaitable[None]]) -> None:
        async for host, port in try_in_turn(self, self.access.addresses):
            with contextlib.suppress(nats.errors.Error, OSError, TimeoutError):
                await self.once(host, port, hear, back)

    async def once(self, host: str, port: int, hear: Hear, back: Callable[[], Awaitable[None]]) -> None:
        a, lost_line = self.access, asyncio.Event()

        async def lost() -> None:
            self.connected = False
            lost_line.set()

        async def trouble(why: Exception) -> None:
            log.info("%s: bus: %r", a.sn, why)

        self.link = link = Client()

        async def handle(message: Msg) -> None:
            answer = await hear(message.subject.split(".", 3)[3], message.data)
            if message.reply:
                await message.respond(json.dumps(answer).encode())

        try:
            await link.connect(
                f"{'tls' if a.tls else 'nats'}://{host}:{port}",
                tls=authorities() if a.tls else None,
                user=a.sn,
                password=a.password,
                name=a.sn,
                allow_reconnect=False,
                connect_timeout=2,
                ping_interval=5,
                max_outstanding_pings=2,
                closed_cb=lost,
                disconnected_cb=lost,
                error_cb=trouble,
            )
            await link.subscribe(bus.cmd(a.sn, ">"), cb=handle)
            await link.flush()
            await link.flush()  # nats-py writes the first ping past the subscription
            self.connected, self.refusals = True, 0
            await back()
            await lost_line.wait()
        finally:
            self.connected = False
            with contextlib.suppress(nats.errors.Error, OSError, TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await link.close()

    async def say(self, subject: str, data: bytes) -> bool:
        if not self.connected or self.link is None:
            return False
        try:
            await self.link.publish(subject, data)
        except (nats.errors.Error, OSError):
            return False
        return True

    async def close(self) -> None:
        """What was said goes out before the line is closed."""
        self.closed = True
        if self.link is not None:
            with contextlib.suppress(nats.errors.Error, OSError, TimeoutError):
                await self.link.flush(timeout=1)
                await self.link.close()


@dataclass
class Mqtt:
    """MQTT 3.1.1 over NATS' own listener, QoS 1. Its PUBACK is no receipt."""

    access: Access
    connected: bool = False
    client: aiomqtt.Client | None = None
    closed: bool = False
    refusals: int = 0

    async def run(self, hear: Hear, back: Callable[[], Awaitable[None]]) -> None:
        async for host, port in try_in_turn(self, self.access.addresses):
            with contextlib.suppress(aiomqtt.MqttError, OSError, TimeoutError):
                await self.once(host, port, hear, back)

    async def once(self, host: str, port: int, hear: Hear, back: Callable[[], Awaitable[None]]) -> None:
        a = self.access
        try:
            async with aiomqtt.Client(
                host,
                port,
                identifier=a.sn,
                username=a.sn,
                password=a.password,
                keepalive=10,
                timeout=5,
                protocol=aiomqtt.ProtocolVersion.V311,
                tls_context=authorities() if a.tls else None,
            ) as client:
                granted = await client.subscribe(bus.cmd(a.sn, "#").replace(".", "/"), qos=1)
                codes = [code if isinstance(code, int) else code.value for code in granted]
                if any(code >= REFUSED for code in codes):
                    raise aiomqtt.MqttError("the bus refuses the robot its commands")
                self.client, self.connected, self.refusals = client, True, 0
                await back()
                async for message in client.messages:
                    name = str(message.topic).split("/", 3)[3]
                    answer = await hear(name, message.payload)
                    if name not in UNANSWERED:
                        where = bus.answer(a.sn, name).replace(".", "/")
                        await client.publish(where, json.dumps(answer), qos=1)
        finally:
            self.client, self.connected = None, False

    async def say(self, subject: str, data: bytes) -> bool:
        if self.client is None:
            return False
        live = ".live." in subject
        try:
            await self.client.publish(subject.replace(".", "/"), data, qos=0 if live else 1)
        except (aiomqtt.MqttError, OSError):
            return False
        return True

    async def close(self) -> None:
        """Every QoS 1 message has been waited for already."""
        self.closed, self.connected = True, False
