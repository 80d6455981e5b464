"""The bus (NATS with JetStream): its accounts, streams, key-value buckets, and asking a robot.

Robots live in the account ROBOTS; streams, buckets and our own processes in FLEET. Only the subjects of FROM_ROBOTS
come out of ROBOTS, and only TO_ROBOTS goes in. Streams of what robots say acknowledge nothing: the bus would publish
the acknowledgement, in its own name, to whatever reply subject the robot wrote. Receipts come from ingest.

Streams use limits. States are kept 24 h and what relays tell for the audit 30 days, the oldest dropped; alarms, reports
and events are never dropped: a full stream refuses and the robot keeps them. Each robot has a share of each stream, and
no more. Once stored, messages other than states leave their stream; mirrors (PAST) have them for a day, for a database
that lost them. Buckets hold what gate and relays must know without the database, persisted by the bus.
"""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec
import nats
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.api import (
    DiscardPolicy,
    KeyValueConfig,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    StreamSource,
    SubjectTransform,
)
from nats.js.errors import KeyNotFoundError, NotFoundError
from nats.js.kv import KeyValue

from lustra.core.follow import Follower
from lustra.core.settings import split_urls
from lustra.protocol import bus as protocol
from lustra.protocol.subjects import STORED_STATE, subject_of

DAY_S = 24 * 3600
# Messages of one robot that a stream holds at most. Of states the oldest go; a day at one a second fits.
STATES_EACH = 100_000
ALARMS_EACH = 500
REPORTS_EACH = 200
EVENTS_EACH = 500
LARGEST_EVENT = protocol.LARGEST_INLINE + 16 * 1024  # bytes, with what stands around the content
DOUBLES_S = 0.1  # the shortest that NATS takes: message ids of one robot must not hide another's messages
# A line that is lost without a word (a dead switch, a forgotten NAT entry) is left after PING_S times these.
PING_S = 5
UNANSWERED_PINGS = 2
PAST = {name: f"{name}_PAST" for name in ("ALARM", "REPORT", "EVENT", "AUDIT")}  # mirrors, by the stream
Bucket = Literal["devices", "control", "revoked", "tunnels", "relays", "support", "ready", "positions"]
BUCKETS: dict[Bucket, float] = {
    "devices": 0,
    "control": 0,
    "revoked": 2 * DAY_S,
    "tunnels": 0,
    "relays": 30 * DAY_S,
    "support": 0,
    "ready": 0,
    "positions": 0,
}  # life in s, 0: for ever
OnEntry = Callable[[str, Any], None]

log = structlog.get_logger(__name__)


class Sent(msgspec.Struct, kw_only=True, rename="camel"):
    """Who sent what to a robot, as relays tell it on AUDIT; `account` is the real account, 0 without a valid grant."""

    at: int
    sn: str = ""
    device_id: int = 0
    account: int = 0
    acting: int = 0
    name: str = ""
    session: str = ""
    command: str = ""
    port: str = ""
    code: int = 0
    number: int = 0
    address: str = ""
    refused: bool = False
    content: dict[str, Any] = msgspec.field(default_factory=dict)  # of the payload: names and numbers


class Silent(Exception):
    """The robot did not answer in time, or nobody listens there."""


def _spoken(name: str, most: int, each: int, *, days: int = 0, largest: int = -1, stored: str = "") -> StreamConfig:
    """What robots say. With `days` the oldest make room, by age, by size and by robot; without, a stream refuses what
    is beyond the robot's share or its own size. `stored`: under which subject, where that is not the robot's."""
    return StreamConfig(
        name=name,
        subjects=[subject_of(name)],
        subject_transform=SubjectTransform(src=subject_of(name), dest=stored) if stored else None,
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD if days else DiscardPolicy.NEW,
        discard_new_per_subject=not days,
        max_msgs_per_subject=each,
        max_age=days * DAY_S,
        max_bytes=most,
        max_msg_size=largest,
        duplicate_window=DOUBLES_S,
        no_ack=True,
    )


def _past(name: str, most: int) -> StreamConfig:
    return StreamConfig(
        name=PAST[name],
        mirror=StreamSource(name=name),
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        max_age=DAY_S,
        max_bytes=most // 8,
    )


def streams(most: int, copies: int = 1) -> list[StreamConfig]:
    """The configuration of all streams, each of at most `most` bytes, on `copies` servers of the bus."""
    configs = [
        _spoken("STATE", most, STATES_EACH, days=1, stored=STORED_STATE),
        _spoken("ALARM", most // 4, ALARMS_EACH),
        _spoken("REPORT", most, REPORTS_EACH),
        _spoken("EVENT", most, EVENTS_EACH, largest=LARGEST_EVENT),
        StreamConfig(
            name="AUDIT",
            subjects=["audit.>"],
            retention=RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            discard=DiscardPolicy.OLD,
            max_age=30 * DAY_S,
            max_bytes=most // 4,
            duplicate_window=120,
        ),
        *(_past(name, most) for name in PAST),
    ]
    for config in configs:
        config.num_replicas = copies
    return configs


class Bus:
    def __init__(self, link: Client) -> None:
        self.link = link
        self.js = link.jetstream(timeout=5)
        self._buckets: dict[str, KeyValue] = {}

    @property
    def up(self) -> bool:
        return self.link.is_connected

    async def set_up(self, most: int = 1 << 30, copies: int = 1) -> None:
        """Makes streams and buckets, each on `copies` servers, or brings them to this shape. Robots must not speak
        before. Each copy of a bucket answers who asks for a value (`direct`): its leader may just have died.

        A stream is never made smaller than what it holds: NATS would drop the oldest messages for that. Sessions of
        MQTT robots lay in this account while robots did; they begin anew in their own.
        """
        for name in [str(info.config.name) for info in await self.js.streams_info()]:
            if name.startswith("$MQTT_"):
                await self.js.delete_stream(name)
        for config in streams(most, copies):
            try:
                stream = await self.js.stream_info(str(config.name))
            except NotFoundError:
                await self.js.add_stream(config)
            else:
                config.max_bytes = max(config.max_bytes or 0, stream.state.bytes)
                await self.js.update_stream(config)
        for name, life in BUCKETS.items():
            try:
                config = (await self.js.stream_info(f"KV_{name}")).config
            except NotFoundError:
                file = StorageType.FILE
                await self.js.create_key_value(
                    KeyValueConfig(bucket=name, ttl=life or None, history=1, storage=file, replicas=copies, direct=True)
                )
            else:
                if (config.num_replicas, config.allow_direct) != (copies, True):
                    config.num_replicas, config.allow_direct = copies, True
                    await self.js.update_stream(config)

    async def publish(self, subject: str, data: bytes) -> None:
        await self.link.publish(subject, data)

    async def subscribe(self, subject: str, on_message: Callable[[Any], Awaitable[None]]) -> Subscription:
        return await self.link.subscribe(subject, cb=on_message)

    async def ask(self, sn: str, name: str, payload: msgspec.Struct, wait_s: float = 5.0) -> dict[str, Any]:
        """A command to a robot and its flat answer {"code", "msg", …}.

        A native robot answers to the reply subject; one that speaks MQTT 3.1.1 sees none and answers on
        robots.<sn>.answer.<name>. Whichever comes first counts.
        """
        inbox = self.link.new_inbox()
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def receive(answer: Msg) -> None:
            if not reply.done():
                reply.set_result(answer.data)

        subscriptions = [
            await self.link.subscribe(subject, cb=receive) for subject in (inbox, protocol.answer(sn, name))
        ]
        try:
            await self.link.publish(protocol.cmd(sn, name), protocol.encode(payload), reply=inbox)
            data = await asyncio.wait_for(reply, wait_s)
        except (TimeoutError, nats.errors.ConnectionClosedError) as why:
            raise Silent(sn) from why
        finally:
            for subscription in subscriptions:
                await subscription.unsubscribe()
        if not data:  # the bus itself answered: nobody listens
            raise Silent(sn)
        answer: dict[str, Any] = json.loads(data)
        return answer

    async def bucket(self, name: Bucket) -> KeyValue:
        if name not in self._buckets:
            self._buckets[name] = await self.js.key_value(name)
        return self._buckets[name]

    async def put(self, name: Bucket, key: str, value: dict[str, Any] | int) -> None:
        await (await self.bucket(name)).put(key, json.dumps(value).encode())

    async def get(self, name: Bucket, key: str) -> Any:
        try:
            entry = await (await self.bucket(name)).get(key)
        except KeyNotFoundError:  # also a deleted one
            return None
        return json.loads(entry.value) if entry.value else None

    async def drop(self, name: Bucket, key: str) -> None:
        await (await self.bucket(name)).delete(key)

    async def sync(self, name: Bucket, entries: dict[str, Any]) -> None:
        """The whole bucket to this: what was lost between a commit and the bus is made good."""
        bucket = await self.bucket(name)
        current: dict[str, Any] = {}
        await self.follow(name, current.__setitem__).read()
        for key, value in entries.items():
            if current.get(key) != value:
                await bucket.put(key, json.dumps(value).encode())
        for key, value in current.items():
            if value is not None and key not in entries:
                await bucket.delete(key)

    def follow(self, name: Bucket, on_entry: OnEntry) -> Follower:
        """Calls `on_entry` for every entry and every change (None: deleted) while its `run()` lives; `current` once all
        were read."""

        def decoded(key: str, value: bytes | None) -> None:
            on_entry(key, json.loads(value) if value else None)

        return Follower(self.link, name, decoded)

    async def close(self) -> None:
        await self.link.close()


class Link(Client):
    """A link that comes back by itself; where it cannot, the process ends, and whatever started it starts it again.

    The library closes a link for ever when the bus answers with an error, such as to a user whose password changed
    while connected. The process would go on, look well and do nothing.
    """

    closing = False
    trouble = ""  # the last one since it was connected: each attempt to come back meets it again

    async def close(self) -> None:
        self.closing = True
        await super().close()

    async def on_trouble(self, why: Exception) -> None:
        if (trouble := repr(why)) != self.trouble:
            self.trouble = trouble
            log.warning("bus.trouble", why=trouble)

    async def on_return(self) -> None:
        self.trouble = ""
        log.info("bus.back")

    async def on_close(self) -> None:
        if not self.closing:
            log.critical("bus.closed", why=repr(self.last_error))
            signal.raise_signal(signal.SIGTERM)


async def open_link(urls: str, name: str) -> Link:
    """The bus may start later, or again. `urls`: of one server or, by comma, of several; while one is away the link is
    to another."""
    link = Link()
    await link.connect(
        split_urls(urls),
        name=name,
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.25,  # pyright: ignore[reportArgumentType]  it is slept for, whatever the type says
        connect_timeout=2,
        ping_interval=PING_S,
        max_outstanding_pings=UNANSWERED_PINGS,
        error_cb=link.on_trouble,
        reconnected_cb=link.on_return,
        closed_cb=link.on_close,
    )
    return link


async def connect(urls: str, name: str) -> Bus:
    return Bus(await open_link(urls, name))
