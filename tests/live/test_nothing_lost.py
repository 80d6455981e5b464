"""What robots say is neither lost nor counted twice: acknowledgements, receipts, good-byes and packed minutes."""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from lustra.domains.telemetry.chunk_codec import decode, encode
from lustra.live.ingest import pack, presence
from lustra.live.ingest import state as hot
from lustra.live.ingest.main import Ingest
from lustra.live.ingest.source import Acks, Message, Source
from lustra.live.ingest.writer import Writer
from lustra.protocol import bus, flaws
from tests.flush import flush
from tests.live.test_ingest_state import AT, NOW, area, store
from tests.world import World, report, state, until

SN = "SC0001"


async def writer(world: World) -> Writer:
    services, pool = world.services, await world.ingest_pool()
    return Ingest(services.settings, services.bus, pool, services.objects, services.intake).writer


def message(event: bus.Event | bus.Report, sn: str = SN, place: int = 1) -> Message:
    return Message(sn, presence.now(), bus.encode(event), f"1-{place}")


async def receipts(world: World, subject: str = "kept") -> list[dict[str, Any]]:
    """The receipts that the robot hears from now on."""
    received: list[dict[str, Any]] = []

    async def collect(message: Any) -> None:
        received.append(json.loads(message.data))

    await world.services.bus.subscribe(bus.cmd(SN, subject), collect)
    await flush(world.services.bus.link)
    return received


# The newest state and the area


async def test_a_total_that_falls_takes_no_area_away(world: World):
    await store(world, state(AT, total=100), state(AT + 1000, total=110))
    await store(world, state(AT + 2000, total=3), state(AT + 3000, total=8))  # its computer was replaced
    assert await area(world) == 15


async def test_a_late_state_counts_nothing_whatever_its_total(world: World):
    await store(world, state(AT + 60_000, total=50))
    await store(world, state(AT, total=70))
    assert await area(world) == 0


async def test_the_first_state_moves_forward_only_when_two_are_stored_at_once(world: World):
    older, newer = state(AT, x=1), state(AT + 60_000, x=9)
    async with world.as_ingest() as first, world.as_ingest() as second:
        transaction = first.transaction()
        await transaction.start()
        await hot.store(first, [hot.row(SN, NOW, newer)])
        waiting = asyncio.create_task(hot.store(second, [hot.row(SN, NOW, older)]))

        async def blocked() -> bool:
            query = (
                "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
            )
            return await world.pool.fetchval(query) == 1

        await until(blocked)
        await transaction.commit()
        await waiting
    assert await world.pool.fetchval("select at from robot_state") == newer.at


# Batches


@contextlib.asynccontextmanager
async def reading(source: Source) -> AsyncIterator[None]:
    running = asyncio.create_task(source.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("ahead", [False, True])
async def test_deliver_again_what_a_handler_failed_at(world: World, *, ahead: bool):
    taken: list[int] = []

    async def handle(messages: Sequence[Message]) -> Acks:
        taken.extend(each.deliveries for each in messages)
        if len(taken) == 1:
            raise ConnectionError
        return {}

    source = Source(world.services.bus, "REPORT", "robots.*.report", 10, handle, ack_wait_s=3.0, ahead=ahead)
    async with reading(source):
        await world.services.bus.publish(bus.report(SN), bus.encode(report()))

        async def twice() -> bool:
            return len(taken) >= 2

        await until(twice)
    assert taken[:2] == [1, 2]


async def test_while_batches_are_full_nobody_is_taken_for_silent(world: World):
    gaps: list[int] = []
    taken: list[int] = []

    async def handle(messages: Sequence[Message]) -> Acks:
        taken.append(len(messages))
        return {}

    for _ in range(5):
        await world.services.bus.publish(bus.report(SN), bus.encode(report()))
    await flush(world.services.bus.link)
    source = Source(world.services.bus, "REPORT", "robots.*.report", 2, handle, on_gap=lambda: gaps.append(sum(taken)))
    async with reading(source):

        async def all_taken() -> bool:
            return sum(taken) == 5

        await until(all_taken)
    assert taken == [2, 2, 1]
    assert gaps == [2, 4]  # after each full batch, and not after the last


async def test_store_the_other_reports_of_a_batch_with_a_bad_one(world: World):
    good, other = report(), report()
    bad = report(distance=1e300)  # no real of PostgreSQL
    received = await receipts(world)
    acks = await (await writer(world)).store_reports(
        [message(each, place=n) for n, each in enumerate((good, bad, other))]
    )
    assert acks == {1: "end"}
    assert await world.pool.fetchval("select count(*) from task_report") == 2
    await flush(world.services.bus.link)

    async def both() -> bool:
        return {id_ for receipt in received for id_ in receipt["ids"]} == {good.id, other.id}

    await until(both)


async def test_store_the_other_alarms_of_a_batch_with_a_bad_one(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(flaws, "NUL", b"never")  # as if our own check let it through
    opened = [bus.OpenAlarm(id=f"a{n}", code="stuck", since=AT, detail=text) for n, text in enumerate(("", "\0", ""))]
    messages = [bus.Alarm(at=AT, id=f"m{alarm.id}", kind="raised", alarms=[alarm]) for alarm in opened]
    batch = [Message(SN, presence.now(), bus.encode(each), "1-1") for each in messages]
    batch.append(Message(SN, presence.now(), b"{", "1-1"))
    acks = await (await writer(world)).store_alarms(batch)
    assert acks == {1: "end", 3: "end"}
    assert await world.pool.fetchval("select count from alarm") == 2


@pytest.mark.parametrize("days", [-4, 2])
async def test_an_alarm_of_a_clock_that_is_days_wrong_is_of_when_it_came(world: World, days: int):
    at = round((presence.now() + timedelta(days=days)).timestamp() * 1000)
    raised = bus.Alarm(at=at, id="m1", kind="raised", alarms=[bus.OpenAlarm(id="a1", code="stuck", since=at)])
    before = await world.pool.fetchval("select now()")
    assert await (await writer(world)).store_alarms([Message(SN, presence.now(), bus.encode(raised), "1-1")]) == {}
    assert abs(await world.pool.fetchval("select raised_at from alarm") - before) < timedelta(minutes=1)


async def test_store_the_other_states_of_a_batch_with_a_bad_one(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(flaws, "NUL", b"never")  # as if our own check let it through
    states = [state(AT), state(AT + 1500, task="a\0"), state(AT + 1000)]
    batch = [Message(SN, presence.now(), bus.encode(each), "1-1") for each in states]
    acks = await (await writer(world)).store_states(batch)
    assert acks == {1: "end"}
    assert await world.pool.fetchval("select count(*) from point") == 2


# Events


def announced(event_id: str, content: bytes, checksum: str | None = None) -> bus.Event:
    """An event whose content is too large for the bus."""
    sha256 = checksum or hashlib.sha256(content).hexdigest()
    return bus.Event(at=9, id=event_id, kind="task", name="Lobby", revision=1, size=len(content), sha256=sha256)


async def test_hold_the_events_after_one_that_waits(world: World):
    follower = bus.Event(at=10, id="follower", kind="task", name="Hall", content={})
    batch = [message(announced("large", b"{}")), message(follower), message(follower, sn="SC0002")]
    assert await (await writer(world)).store_events(batch) == {0: "later", 1: "later"}
    rows = await world.pool.fetch("select device_id from robot_task")
    assert [row["device_id"] for row in rows] == [world.devices["SC0002"]]


async def test_an_event_that_was_not_stored_gets_no_receipt(world: World):
    received = await receipts(world)
    good = bus.Event(at=10, id="good", kind="task", name="Hall", content={})
    bad = bus.Event(at=6, id="bad", kind="map", name="x", content={"grid": "no map"})
    await (await writer(world)).store_events([message(bad), message(good), message(announced("large", b"{}"))])

    async def any_received() -> bool:
        return bool(received)

    await until(any_received)
    assert [receipt["ids"] for receipt in received] == [["good"]]


async def deliver(world: World, event: bus.Event, content: bytes) -> None:
    """As the robot does after it was asked."""
    path = f"robots/{SN}/{hashlib.sha256(event.id.encode()).hexdigest()}"
    await world.services.objects.put_bytes(path, content)


async def test_large_content_with_another_checksum_is_not_taken(world: World):
    content, checksum = b'{"name": "Lobby"}', hashlib.sha256(b"something else").hexdigest()
    event = announced("large", content, checksum)
    await deliver(world, event, content)
    assert await (await writer(world)).store_events([message(event)]) == {0: "later"}
    assert await world.pool.fetchval("select count(*) from robot_task") == 0
    event.sha256 = hashlib.sha256(content).hexdigest()
    assert await (await writer(world)).store_events([message(event)]) == {}
    assert await world.pool.fetchval("select count(*) from robot_task") == 1


# Presence


async def say_goodbye(world: World, at: int) -> list[presence.PresenceChange]:
    event = bus.Event(at=at, id=f"off{at}", kind="power", name="off")
    async with world.as_ingest() as db:
        return await presence.mark_switched_off(db, SN, event, NOW)


async def online(world: World) -> bool:
    return await world.pool.fetchval("select online from presence where robot = $1", world.devices[SN])


async def test_a_goodbye_that_is_older_than_a_state_is_none(world: World):
    await store(world, state(AT))
    assert await say_goodbye(world, AT - 1000) == []
    assert await online(world)
    assert [change.reason for _, change in await say_goodbye(world, AT + 1000)] == ["switched_off"]
    assert not await online(world)


async def test_call_a_robot_online_that_sent_within_the_window(world: World):
    await store(world, state(AT))
    async with world.as_ingest() as db:
        assert await presence.mark_silent(db, NOW) == []
        assert await online(world)
        ((sn, change),) = await presence.mark_silent(db, NOW + timedelta(seconds=1))
    assert (sn, change.reason) == (SN, "no_heartbeat")


# Packing


def test_of_two_points_with_one_time_the_later_one_given_wins():
    first, second = (1000, 1.0, 0.0, 0.0, 50.0, 50.0), (1000, 2.0, 0.0, 0.0, 50.0, 50.0)
    ((_, x, *_rest),) = decode(encode([first, second]))
    assert x == 2.0


async def packed_until(db: asyncpg.Connection) -> int | None:
    return await db.fetchval("select slot from packed_until")


async def test_a_minute_is_packed_when_it_is_120_seconds_old(world: World):
    second = AT // 1000
    await world.pool.execute("update packed_until set slot = $1", second)
    async with world.as_ingest() as db:
        await pack.pack(db, second + 60 + 120 - 1)
        assert await packed_until(db) == second
        await pack.pack(db, second + 60 + 120)
        assert await packed_until(db) == second + 60


async def test_points_stay_until_the_bus_can_no_longer_repeat_them(world: World):
    second = AT // 1000
    stream = await world.services.bus.js.stream_info("STATE")
    assert stream.config.max_age is not None
    repeatable_s = int(stream.config.max_age)
    await world.pool.execute("update packed_until set slot = $1", second)
    async with world.as_ingest() as db:
        await pack.partitions(db, second)
        await hot.store(db, [hot.row(SN, NOW, state(AT + 3_599_000))])
        while await pack.pack(db, second + 40 * 3600):
            pass
        await pack.partitions(db, second + 3599 + repeatable_s)
        assert await db.fetchval("select count(*) from point") == 1
        await pack.partitions(db, second + 3600 + repeatable_s + 3 * 3600)
        assert await db.fetchval("select count(*) from point") == 0
