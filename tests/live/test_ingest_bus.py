"""What robots say on the bus stands in the database, once, over deaths of ingest; receipts go out after the commit."""

import asyncio
import contextlib
import hashlib
import json
import time
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from nats.js.errors import NotFoundError

from lustra.core.audit_trail import anonymous
from lustra.core.bus import PAST, Sent
from lustra.live.ingest import events, main, receipts, source
from lustra.live.ingest.main import Ingest
from lustra.live.ingest.presence import ListeningWindow
from lustra.protocol import bus
from tests.consumers import load_progress
from tests.flush import flush
from tests.world import World, drawn, report, state, until

if TYPE_CHECKING:
    from lustra.core.files.objects import Objects


@contextlib.asynccontextmanager
async def ingesting(world: World):
    services, pool = world.services, await world.ingest_pool()
    running = asyncio.create_task(
        Ingest(services.settings, services.bus, pool, services.objects, services.intake).run()
    )
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


NAMES = ("STATE", "REPORT", "EVENT", "AUDIT", *PAST.values())


async def count(world: World, table: str) -> int:
    return await world.pool.fetchval(f"select count(*) from {table}")


async def tell(world: World, subject: str, payload: Any) -> None:
    """Into the stream: once the bus has answered a ping."""
    await world.services.bus.publish(subject, payload if isinstance(payload, bytes) else bus.encode(payload))
    await flush(world.services.bus.link)


async def test_states_reports_and_events_arrive_once_and_receipts_follow(world: World):
    receipts: list[str] = []

    async def robot(message: Any):
        receipts.extend(json.loads(message.data)["ids"])

    await world.services.bus.subscribe(bus.cmd("SC0001", "kept"), robot)
    finished, event = report(), bus.Event(at=5, id="e1", kind="map", name="Ground", revision=3, content=drawn())
    states = [state() for _ in range(20)]
    async with ingesting(world):
        for payload in [*states, *states]:
            await tell(world, bus.state("SC0001"), payload)
        for _ in range(2):
            await tell(world, bus.report("SC0001"), finished)
            await tell(world, bus.event("SC0001"), event)

        async def all_there():
            return await count(world, "point") == 20 and receipts.count("e1") == 2 and receipts.count(finished.id) >= 1

        await until(all_there)
    assert await count(world, "task_report") == 1
    maps = (await world.call("user", "/map/selectMap"))["list"]
    assert [(m["name"], m["revision"], m["area"], m["mirrored"]) for m in maps] == [("Ground", 3, 300.0, True)]
    assert maps[0]["flags"] == [{"id": "", "name": "Dock", "type": "charging", "x": 1, "y": 2, "yaw": 0.0}]


async def test_a_receipt_of_a_state_follows_its_commit(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(receipts, "WAIT_S", 0.0)
    named: list[int] = []

    async def robot(message: Any):
        named.extend(json.loads(message.data)["states"])

    await world.services.bus.subscribe(bus.cmd("SC0001", "kept"), robot)
    states = [state() for _ in range(20)]
    async with ingesting(world):
        async with world.pool.acquire() as db, db.transaction():  # nothing can be committed meanwhile
            await db.execute("lock table robot_state in exclusive mode")
            for message in states:
                await tell(world, bus.state("SC0001"), message)

            async def taken():
                return (await load_progress(world.services.bus.js)).in_hand

            await until(taken)
            assert named == []

        async def all_named():
            return set(named) == {message.at for message in states}

        await until(all_named)
    assert await count(world, "point") == 20


def test_receipts_of_states_go_out_together():
    sent: list[tuple[str, list[int]]] = []

    class Line:
        async def publish(self, subject: str, data: bytes) -> None:
            sent.append((subject, json.loads(data)["states"]))

    async def add(*stored: tuple[str, int]) -> None:
        await waiting.add(stored)

    waiting = receipts.Receipts(Line())
    asyncio.run(add(*(("SC0001", at) for at in range(receipts.MANY + 3))))
    assert sent == [(bus.cmd("SC0001", "kept"), list(range(receipts.MANY)))]
    asyncio.run(waiting.send_due(time.monotonic() + receipts.WAIT_S))
    assert sent[1] == (bus.cmd("SC0001", "kept"), [500, 501, 502])


async def test_read_after_a_restart_of_ingest_what_was_sent_before(world: World):
    for _ in range(3):
        async with ingesting(world):
            await tell(world, bus.state("SC0001"), state())
        await tell(world, bus.state("SC0001"), state())  # nobody reads
    async with ingesting(world):

        async def all_there():
            return await count(world, "point") == 6

        await until(all_there)


async def test_remove_what_is_stored_from_streams_and_from_mirrors_after_a_day(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(main, "DROP_S", 0.1)
    sent = msgspec.json.encode(Sent(at=1, sn="SC0001", command="task_start"))
    for subject, payload in ((bus.state("SC0001"), state()), (bus.report("SC0001"), report()), ("audit.relay", sent)):
        await tell(world, subject, payload)
    await tell(world, bus.event("SC0001"), bus.Event(at=7, id="t1", kind="task", name="Lobby", content={}))

    async def held() -> dict[str, int]:
        infos = await world.services.bus.js.streams_info()
        return {str(info.config.name): info.state.messages for info in infos if info.config.name in NAMES}

    past = {"ALARM_PAST": 0, "REPORT_PAST": 1, "EVENT_PAST": 1, "AUDIT_PAST": 1}

    async def mirrored() -> bool:
        return await held() == {"STATE": 1, "REPORT": 1, "EVENT": 1, "AUDIT": 1, **past}

    await until(mirrored)
    async with ingesting(world):

        async def left():
            stand = [await count(world, t) for t in ("point", "task_report", "robot_task")]
            return stand == [1, 1, 1] and await held() == {"STATE": 1, "REPORT": 0, "EVENT": 0, "AUDIT": 0, **past}

        await until(left)


async def test_every_stream_is_bounded_and_only_reports_and_events_refuse_when_full(world: World):
    configs = {info.config.name: info.config for info in await world.services.bus.js.streams_info()}
    limits = {name: (c.max_bytes, c.max_age, str(c.discard)) for name, c in configs.items() if name in NAMES}
    assert limits == {
        "STATE": (64 << 20, 86_400, "old"),
        "REPORT": (64 << 20, 0, "new"),
        "EVENT": (64 << 20, 0, "new"),
        "AUDIT": (16 << 20, 30 * 86_400, "old"),
        **dict.fromkeys(PAST.values(), (8 << 20, 86_400, "old")),
    }
    assert {c.storage for c in configs.values()} == {"file"}


async def test_end_an_unreadable_message_without_holding_others_up(world: World):
    async with ingesting(world):
        for subject in (bus.state("SC0001"), bus.report("SC0001"), bus.event("SC0001")):
            await tell(world, subject, b"nonsense")
        broken = bus.Event(at=6, id="bad", kind="map", name="x", content={"grid": "no map"})
        await tell(world, bus.event("SC0001"), broken)
        await tell(
            world, bus.event("SC0001"), bus.Event(at=7, id="t1", kind="task", name="Lobby", content={"map_name": "G"})
        )
        await tell(world, bus.state("SC0001"), state())
        await tell(world, bus.report("SC0001"), report())

        async def all_there():
            return [await count(world, t) for t in ("point", "task_report", "robot_task")] == [1, 1, 1]

        await until(all_there)

        async def nothing_waits():
            consumer = await world.services.bus.js.consumer_info("EVENT", "ingest")
            return consumer.num_ack_pending == 0 and consumer.num_pending == 0

        await until(nothing_waits)
    answer = await world.call("user", "/task/mirror", deviceId=world.devices["SC0001"])
    assert [t["name"] for t in answer["list"]] == ["Lobby"]
    assert (await world.call("rivaluser", "/task/mirror", deviceId=world.devices["SC0001"]))["list"] == []


async def test_a_content_too_large_for_the_bus_is_asked_for(world: World):
    content = bus.encode(drawn(size=(300, 200)))
    big = bus.Event(
        at=9,
        id="big",
        kind="map",
        name="Ground",
        revision=1,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    objects: Objects = world.services.objects

    async def robot(message: Any):
        ticket = json.loads(message.data)["url"].split("token=")[1]
        await objects.put_bytes(objects.claims(ticket)["place"], content)
        await message.respond(b'{"code": 0, "msg": ""}')

    await world.services.bus.subscribe(bus.cmd("SC0001", "send"), robot)
    async with ingesting(world):
        await tell(world, bus.event("SC0001"), big)

        async def mirrored():
            return await count(world, "floor_map") == 1

        await until(mirrored)


def announced(event_id: str) -> bus.Event:
    """A map whose content never comes."""
    return bus.Event(at=9, id=event_id, kind="map", name="Ground", revision=1, size=100_000, sha256="0" * 64)


async def test_robots_that_never_answer_delay_nobody_elses_events(world: World):
    async def silent(_message: Any):
        """It listens, and says nothing."""

    await world.services.bus.subscribe("robots.*.cmd.send", silent)
    for n in range(96):
        await tell(world, bus.event(f"SX{n:04}"), announced(f"x{n}"))
    async with ingesting(world):

        async def pending():
            with contextlib.suppress(NotFoundError):
                return (await world.services.bus.js.consumer_info("EVENT", "ingest")).num_ack_pending == 96
            return False

        await until(pending)
        await tell(world, bus.event("SC0010"), bus.Event(at=7, id="t1", kind="task", name="Lobby", content={}))

        async def row_stands():
            return await count(world, "robot_task") == 1

        await until(row_stands, seconds=10)  # a batch that waits for an answer waits for 30 s


async def test_give_up_an_event_without_content_and_notify_its_robot(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(events, "MOST_TRIES", 3)
    monkeypatch.setattr(source, "LATER_S", 0.05)
    refusals: list[dict[str, str]] = []

    async def robot(message: Any):
        refusals.append(json.loads(message.data))

    await world.services.bus.subscribe(bus.cmd("SC0001", "refused"), robot)
    broken = bus.Event(at=6, id="bad", kind="map", name="x", content={"grid": "no map"})
    await tell(world, bus.event("SC0001"), announced("gone"))
    await tell(world, bus.event("SC0001"), broken)
    async with ingesting(world):

        async def nothing_waits():
            if len(refusals) < 2:
                return False
            consumer = await world.services.bus.js.consumer_info("EVENT", "ingest")
            return consumer.num_ack_pending == 0 and consumer.num_pending == 0

        await until(nothing_waits)
    assert refusals == [
        {"id": "gone", "reason": "content_missing"},
        {"id": "bad", "field": "content", "reason": "unreadable"},
    ]


async def test_an_older_map_never_replaces_a_newer_one_and_each_revision_stays(world: World):
    async with ingesting(world):
        for at, revision in ((10, 1), (30, 3), (20, 2)):
            event = bus.Event(at=at, id=f"e{at}", kind="map", name="Ground", revision=revision, content=drawn())
            await tell(world, bus.event("SC0001"), event)
        await tell(world, bus.event("SC0001"), bus.Event(at=40, id="t", kind="task", name="A", content={}))

        async def done():
            return await count(world, "robot_task") == 1

        await until(done)
    assert await world.pool.fetchval("select revision from floor_map") == 3
    assert await world.pool.fetchval("select array_agg(revision order by revision) from map_version") == [1, 3]


async def test_a_silent_robot_is_offline_after_the_window_and_its_run_interrupted(world: World):
    messages: list[dict] = []

    async def listener(message: Any):
        messages.append(json.loads(message.data))

    await world.services.bus.subscribe("presence.SC0001", listener)
    async with ingesting(world):
        await tell(world, bus.state("SC0001"), state(run="r1", task="Lobby"))

        async def offline():
            return messages

        await until(offline)
    assert messages[0]["reason"] == "no_heartbeat"
    (row,) = (await world.call("user", "/taskReport/list"))["list"]
    assert row["end"] == "interrupted"


def test_call_no_robot_offline_before_a_full_window_of_listening():
    ears = ListeningWindow(timedelta(seconds=15), since=datetime.now(timezone.utc) - timedelta(seconds=14))
    assert ears.silent_before() is None
    ears.since -= timedelta(seconds=2)
    assert ears.silent_before() is not None
    ears.restart()
    assert ears.silent_before() is None


async def test_record_what_relays_report_once(world: World):
    sent = Sent(
        at=1,
        sn="SC0001",
        account=world.accounts["user"],
        name="user",
        session="s1",
        command="task_start",
        port="20001",
        code=0,
        number=4,
        address="127.0.0.1",
        refused=True,
    )
    await world.services.bus.js.publish("audit.relay", msgspec.json.encode(sent))
    for _ in range(2):  # a new consumer is handed everything again
        async with ingesting(world):

            async def taken():
                with contextlib.suppress(NotFoundError):
                    read = await world.services.bus.js.consumer_info("AUDIT", "ingest")
                    return read.ack_floor is not None and read.ack_floor.stream_seq > 0
                return False

            await until(taken)
        await world.services.bus.js.delete_consumer("AUDIT", "ingest")
    rows = await world.pool.fetch(
        "select device_id, session_id, detail->>'number', detail->>'refused' from audit where action like 'relay.%'"
    )
    assert [tuple(row) for row in rows] == [(world.devices["SC0001"], "s1", "4", "true")]


async def test_leave_anonymous_reports_of_relays_out_of_the_chain(world: World):
    for command in ("api1/task_list", "x" * 300):
        sent = Sent(at=1, command=command, code=401, address="192.0.2.7", refused=True)
        await world.services.bus.js.publish("audit.relay", msgspec.json.encode(sent))
    rows = "select action, address, detail->>'command' as command from anonymous_try order by id"
    async with ingesting(world):

        async def both():
            return len(await world.pool.fetch(rows)) == 2

        await until(both)
    points = [tuple(row) for row in await world.pool.fetch(rows)]
    assert points[0] == ("relay.api1/task_list", "192.0.2.7", "api1/task_list")
    assert points[1][0] == "relay.unknown"
    assert len(points[1][2]) <= anonymous.LONGEST
    assert await world.pool.fetchval("select count(*) from audit where action like 'relay.%'") == 0
