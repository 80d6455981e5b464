"""One robot's password opens one robot: no subject, reply, header, will or retained message reaches anything else.

Natively and over MQTT a hostile robot tries each stream, bucket, other robot and internal subject; an observer in the
account of our processes, the other robot, and the streams themselves say what came through.
"""

import asyncio
import contextlib
import itertools
import struct
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from lustra.core.bus import BUCKETS, PAST, Silent
from lustra.protocol import bus, subjects
from tests import world
from tests.consumers import partition_of
from tests.flush import flush
from tests.gate.conftest import Fleet, until

STREAMS = ("STATE", *PAST, *PAST.values())
OWN = ("cmd", "cmd.erase", "cmd.watch", "alarms", "live", "live.other", "x", "state.x")  # that it may not say
RESERVED = ("_R_.", "_GR_.", "$GR.", "$JS.ACK.")  # the bus refuses a message with such a reply by itself


def targets(sn: str, other: str) -> list[str]:
    """What a robot must never reach, as subject or as reply."""
    streams = [*STREAMS, *(f"KV_{name}" for name in BUCKETS), "$MQTT_sess", "$MQTT_rmsgs", "$MQTT_msgs"]
    api = ["INFO", "STREAM.NAMES", "STREAM.LIST", "STREAM.CREATE.OWN", "ACCOUNT.PURGE.FLEET", "META.LEADER.STEPDOWN"]
    for name in streams:
        api += [
            f"STREAM.{verb}.{name}"
            for verb in ("INFO", "DELETE", "PURGE", "UPDATE", "MSG.GET", "MSG.DELETE", "SNAPSHOT")
        ]
        api += [f"CONSUMER.CREATE.{name}", f"CONSUMER.MSG.NEXT.{name}.ingest", f"CONSUMER.DELETE.{name}.ingest"]
        api += [f"CONSUMER.MSG.NEXT.{name}.ingest-0"]
        api += [f"DIRECT.GET.{name}"]
    return [
        *(f"$JS.API.{call}" for call in api),
        *(f"$KV.{bucket}.{key}" for bucket in BUCKETS for key in (sn, other, "x")),
        *(f"robots.{other}.{name}" for name in (*subjects.SPOKEN, "cmd", "alarms")),
        *(f"robots.{other}.{kind}.{name}" for name in subjects.COMMANDS for kind in ("cmd", "answer")),
        *(f"robots.{sn}.{name}" for name in OWN),
        "audit.relay",
        "audit.server",
        "ingests.x",
        f"presence.{sn}",
        f"presence.{other}",
        f"tunnel.{sn}",
        f"tunnel.{other}",
        "gate.ready",
        "gate.flooding",
        "$SYS.REQ.SERVER.PING.CONNZ",
        "$SYS.REQ.ACCOUNT.FLEET.CONNZ",
        "$SYS.REQ.USER.AUTH",
        "$SYS.REQ.USER.INFO",
        "$SYS.REQ.SERVER.PING",
        "$SYS.ACCOUNT.ROBOTS.CONNECT",
        "$SYS.DEBUG.SUBSCRIBERS",
        "$JS.ACK.STATE.ingest.1.1.1.1.0",
        "$JS.FC.KV_devices.x",
        "$JS.EVENT.ADVISORY.API",
        "$JSC.CI.ROBOTS.STATE.ingest",
        "_INBOX.abc",
        f"_INBOX.{other}.x",
        "_R_.abc.def",
        "_R_",
        "_GR_.a.b.robots.x",
        "$GR.a.b.robots.x",
        "$GNR.a.b.x",
        "$LDS.a",
        "$NRG.P.1",
        "$MQTT.msgs.robots.x.cmd",
        f"$MQTT.rmsgs.robots.{other}.cmd",
        "$MQTT.sess.x",
        "$MQTT.sub.x",
        "$MQTT.JSA.x.SL.y",
        "$MQTT.deliver.pubrel.x",
        "$SRV.PING",
        "$G.x",
        "$O.x",
        "x",
    ]


HEADERS: list[dict[str, str]] = [
    {"Nats-Rollup": "all"},
    {"Nats-Rollup": "sub"},
    {"KV-Operation": "PURGE", "Nats-Rollup": "sub"},
    {"KV-Operation": "DEL"},
    {"Nats-Expected-Stream": "AUDIT"},
    {"Nats-Expected-Last-Sequence": "0"},
    {"Nats-Expected-Last-Subject-Sequence": "0"},
    {"Nats-TTL": "1s"},
    {"Nats-Incr": "+1"},
    {"Nats-Schedule": "@every 1s", "Nats-Schedule-Target": "audit.relay"},
    {"Nats-Batch-Id": "a", "Nats-Batch-Sequence": "1", "Nats-Batch-Commit": "1"},
    {"Nats-Trace-Dest": "audit.relay"},
    {"Nats-Trace-Dest": "$KV.control.x", "Nats-Trace-Only": "true"},
    {"Nats-Request-Info": '{"acc":"FLEET"}'},
    {"Nats-Msg-Id": "the-others"},
    {"Nmqtt-Pub": "2robots/x"},
    {"Nats-Stream-Source": "STATE 1 > >"},
    {"Status": "503"},
    {"Nats-Required-Api-Level": "0"},
]


@dataclass
class Watched:
    """What may be seen of a hostile robot from behind the wall."""

    fleet: Fleet
    seen: list[tuple[str, bytes]] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    before: dict[str, object] = field(default_factory=dict)

    async def open(self, sn: str, other: str) -> None:
        async def saw(message: Any) -> None:
            self.seen.append((message.subject, message.data))

        async def receive(message: Any) -> None:
            self.elsewhere.append(message.subject)

        for subject in ("robots.>", "audit.>", "presence.>", "tunnel.>", "gate.>", "$KV.>", "x", "$SRV.>", "_R_.>"):
            await self.fleet.bus.subscribe(subject, saw)
        await flush(self.fleet.bus.link)
        self.sn, self.other, self.link = sn, other, await self.fleet.native(other)
        for subject in (f"robots.{other}.cmd.>",):
            await self.link.subscribe(subject, cb=receive)
        await flush(self.link)
        await world.until(self.mirrors_have_all)
        self.before = await self.stand()

    async def mirrors_have_all(self) -> bool:
        """A mirror may still be reading what tests before this one published."""
        last = {str(i.config.name): i.state.last_seq for i in await self.fleet.bus.js.streams_info()}
        return all(last[past] >= last[name] for name, past in PAST.items())

    async def stand(self) -> dict[str, object]:
        """Everything that the streams hold, but what this robot itself may say; and who reads them."""
        stand: dict[str, object] = {}
        for info in await self.fleet.bus.js.streams_info():
            name = str(info.config.name)
            stored = await self.subjects(name)
            own = set(subjects.spoken(self.sn))
            readers = info.state.consumer_count if name in STREAMS else 0  # those of buckets come and go
            stand[name] = ({s: n for s, n in stored.items() if without_partition(s) not in own}, readers)
        return stand

    async def subjects(self, stream: str) -> dict[str, int]:
        return (await self.fleet.bus.js.stream_info(stream, subjects_filter=">")).state.subjects or {}

    async def nothing_passed(self, *more: str) -> None:
        """`more`: what else the robot may say (its answers, over MQTT)."""
        await flush(self.link)
        await flush(self.fleet.bus.link)
        own = {*subjects.spoken(self.sn), *more}
        assert {subject for subject, _ in self.seen} <= own
        assert self.elsewhere == []
        assert await self.stand() == self.before
        assert self.link.is_connected
        await self.link.close()


def without_partition(subject: str) -> str:
    """The subject that a robot published on."""
    return subject if partition_of(subject) is None else subject.rpartition(".")[0]


async def hostile(fleet: Fleet, sn: str) -> tuple[Client, list[str]]:
    errors: list[str] = []

    async def note(why: Exception) -> None:
        errors.append(str(why).lower())

    return await fleet.native(sn, error_cb=note), errors


async def refused(errors: list[str], verb: str) -> None:
    await until(lambda: errors)
    assert f"permissions violation for {verb}" in errors.pop()


async def count_states(fleet: Fleet, subject: str) -> int:
    with contextlib.suppress(NotFoundError):
        stored = (await fleet.bus.js.stream_info("STATE", subjects_filter=f"{subject}.*")).state.subjects or {}
        return sum(stored.values())
    return 0


async def test_a_hostile_native_robot_publishes_to_nothing_but_its_own_subjects(
    fleet: Fleet, record_property: Callable[[str, object], None]
):
    sn, other = await fleet.register(), await fleet.register()
    watched = Watched(fleet)
    await watched.open(sn, other)
    link, errors = await hostile(fleet, sn)
    tried = targets(sn, other)
    for subject in tried:
        await link.publish(subject, b'{"stream": "x"}', reply=f"robots.{sn}.state")
        await link.publish(subject, b"x", headers={"Nats-Rollup": "all", "KV-Operation": "PURGE"})
    await flush(link)
    await until(lambda: len(errors) == 2 * len(tried))
    await watched.nothing_passed()
    record_property("tried", f"a hostile native robot: {2 * len(tried)} publishes, 0 passed")
    await link.close()


async def test_a_hostile_robots_replies_reach_nothing(fleet: Fleet, record_property: Callable[[str, object], None]):
    """What robots say is stored; its reply subject, whatever it is, is answered by nobody."""
    sn, other = await fleet.register(), await fleet.register()
    watched = Watched(fleet)
    await watched.open(sn, other)
    link, _ = await hostile(fleet, sn)
    tried = targets(sn, other)
    for subject, reply in itertools.product(subjects.spoken(sn), tried):
        await link.publish(subject, b"{}", reply=reply)
    await flush(link)

    passing = [reply for reply in tried if not reply.startswith(RESERVED)]
    async with asyncio.timeout(20):
        while await count_states(fleet, bus.state(sn)) < len(passing):  # noqa: ASYNC110  a stream in another process
            await asyncio.sleep(0.01)
    await watched.nothing_passed()
    assert len(watched.seen) == len(passing) * len(subjects.SPOKEN)
    record_property("tried", f"a hostile robot's replies: {len(watched.seen)} stored, 0 answered")
    await link.close()


async def test_a_hostile_robots_headers_do_nothing(fleet: Fleet):
    sn, other = await fleet.register(), await fleet.register()
    watched = Watched(fleet)
    await watched.open(sn, other)
    await watched.link.publish(bus.state(other), b"{}", headers={"Nats-Msg-Id": "before"})
    await watched.link.publish(bus.report(other), b"{}")
    await flush(watched.link)
    await until(lambda: len(watched.seen) == 2)
    watched.before = await watched.stand()
    watched.seen.clear()
    link, _ = await hostile(fleet, sn)
    for subject, headers in itertools.product(subjects.spoken(sn), HEADERS):
        await link.publish(subject, b"{}", headers=headers)
        await link.publish(subject, b"{}", headers=headers, reply=f"robots.{other}.cmd.erase")
    await flush(link)
    await watched.nothing_passed()
    await link.close()


async def test_a_message_id_of_one_robot_hides_nothing_of_another(fleet: Fleet):
    sn, other = await fleet.register(), await fleet.register()
    hider, link = await fleet.native(sn), await fleet.native(other)
    name = uuid.uuid4().hex
    await hider.publish(bus.state(sn), b"{}", headers={"Nats-Msg-Id": name})
    await hider.flush()
    async with asyncio.timeout(10):
        while not await count_states(fleet, bus.state(other)):  # said again, as a robot without a receipt does
            await link.publish(bus.state(other), b"{}", headers={"Nats-Msg-Id": name})
            await flush(link)
    await hider.close()
    await link.close()


async def test_a_robot_does_not_hear_itself_and_so_wins_no_right_to_reply(fleet: Fleet):
    """The right to answer comes with a command; nobody but our own processes can send one."""
    sn, other = await fleet.register(), await fleet.register()
    watched = Watched(fleet)
    await watched.open(sn, other)
    link, errors = await hostile(fleet, sn)
    for subject in (f"robots.{sn}.cmd", f"robots.{sn}.state", f"robots.{sn}.>", f"robots.{sn}.*"):
        await link.subscribe(subject)
        await refused(errors, "subscription")
    await link.subscribe(f"robots.{sn}.cmd.>")
    for subject in (f"robots.{sn}.cmd", f"robots.{sn}.cmd.x"):
        await link.publish(subject, b"", reply="$JS.API.STREAM.LIST")
        await refused(errors, "publish")
    for subject in ("$JS.API.STREAM.LIST", f"$KV.devices.{other}", f"robots.{other}.cmd.erase", "audit.relay"):
        await link.publish(subject, b"{}")
        await refused(errors, "publish")
    await watched.nothing_passed()
    await link.close()


async def test_the_right_to_answer_is_for_one_answer_to_the_one_who_asked(fleet: Fleet):
    sn, other = await fleet.register(), await fleet.register()
    watched = Watched(fleet)
    link, errors = await hostile(fleet, sn)
    replies: list[str] = []

    async def misuse(message: Any) -> None:
        replies.append(message.reply)
        for subject in targets(sn, other):
            await link.publish(subject, b"{}", reply=message.reply)
        await link.publish(message.reply, b'{"code": 0}', reply=f"robots.{other}.cmd.erase")
        await link.publish(message.reply, b'{"code": 1}', reply="$KV.control.x")

    await link.subscribe(f"robots.{sn}.cmd.>", cb=misuse)
    await flush(link)
    await watched.open(sn, other)
    answer = await fleet.bus.ask(sn, "watch", bus.Watch(seconds=1))
    assert answer == {"code": 0}
    assert replies[0].startswith("_R_.")
    await until(lambda: len(errors) == len(targets(sn, other)) + 1)
    watched.seen = [(subject, data) for subject, data in watched.seen if subject != bus.cmd(sn, "watch")]
    await watched.nothing_passed()
    await link.close()


async def test_a_hostile_native_robot_hears_nothing_but_its_commands(fleet: Fleet):
    sn, other = await fleet.register(), await fleet.register()
    link, errors = await hostile(fleet, sn)
    wide = [
        ">",
        "*",
        "*.>",
        "robots.>",
        "robots.*.>",
        "robots.*.cmd.>",
        f"robots.{sn}.>",
        f"robots.{sn}.*.*",
        "$JS.>",
        "$SYS.>",
        "$KV.>",
        "$MQTT.>",
        "_INBOX.>",
        f"_INBOX.{sn}.>",
        "_R_.>",
        "_GR_.>",
        "$GR.>",
        "audit.>",
    ]
    tried = {*wide, *targets(sn, other)} - {bus.cmd(sn, "erase"), bus.cmd(sn, "watch")}
    for subject in tried:
        await link.subscribe(subject)
        await link.subscribe(subject, queue="ingest")
    await until(lambda: len(errors) == 2 * len(tried))
    await link.close()


async def test_a_hostile_mqtt_robot_reaches_nothing_by_topics_wills_or_retained(
    fleet: Fleet, record_property: Callable[[str, object], None]
):
    sn, other = await fleet.register(), await fleet.register()
    watched = Watched(fleet)
    await watched.open(sn, other)
    tried = targets(sn, other)
    topics = [subject.replace(".", "/") for subject in tried if not subject.startswith("_R_.")]
    topics += [f"robots/{sn}/cmd/", f"/robots/{sn}/state", f"robots//{other}/state"]
    async with fleet.mqtt(sn) as client:
        for topic, (qos, retain) in itertools.product(topics, ((0, False), (1, True))):
            await client.publish(topic, b"{}", qos=qos, retain=retain)
    wills = {"/".join(topic.split("/")[:3]): topic for topic in topics}.values()  # each takes a line of its own
    wills = [topic for topic in wills if not topic.startswith("$JS/API")]
    for topic in wills:
        await will(fleet, sn, topic)
    await will(fleet, sn, bus.event(sn).replace(".", "/"))
    await until(lambda: watched.seen)  # the last one came: so would the others have
    await watched.nothing_passed()
    record_property("tried", f"a hostile MQTT robot: {2 * len(topics)} messages and {len(wills)} wills, 0 passed")


async def will(fleet: Fleet, sn: str, topic: str) -> None:
    """Its last words, said by the bus when the line breaks: MQTT's own bytes, since no client breaks it off so fast."""

    def text(value: str | bytes) -> bytes:
        data = value.encode() if isinstance(value, str) else value
        return struct.pack(">H", len(data)) + data

    flags = 0b1110_1110  # name, password, retained will with QoS 1, clean session
    packet = text("MQTT") + bytes((4, flags, 0, 60)) + text(sn) + text(topic) + text(b"{}") + text(sn) + text("right")
    length = bytes((len(packet),)) if len(packet) < 128 else bytes((len(packet) % 128 | 128, len(packet) // 128))
    read, write = await asyncio.open_connection(*fleet.stack.mqtt.split(":"))
    write.write(b"\x10" + length + packet)
    assert await read.readexactly(4) == b"\x20\x02\x00\x00"
    write.transport.abort()


async def test_a_robot_speaks_for_itself_by_will_and_mqtt(fleet: Fleet):
    """That the tries above fail is no accident of how they are made."""
    sn, other = await fleet.register(), await fleet.register()
    watched = Watched(fleet)
    await watched.open(sn, other)
    async with fleet.mqtt(sn) as client:
        for subject in (*subjects.spoken(sn), *subjects.answers(sn)):
            await client.publish(subject.replace(".", "/"), b"{}", qos=1)
    await will(fleet, sn, f"robots/{sn}/event")
    published = [*subjects.spoken(sn), *subjects.answers(sn), bus.event(sn)]
    await until(lambda: len(watched.seen) == len(published))
    assert sorted(subject for subject, _ in watched.seen) == sorted(published)
    await watched.nothing_passed(*subjects.answers(sn))


async def test_notice_at_once_that_nobody_listens(fleet: Fleet):
    """The bus says so over the wall as well."""
    sn = await fleet.register()
    async with asyncio.timeout(5):
        with pytest.raises(Silent):
            await fleet.bus.ask(sn, "watch", bus.Watch(seconds=1), wait_s=600)
