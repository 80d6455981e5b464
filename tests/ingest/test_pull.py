"""What waits on the bus is fetched many at once, and each message by one reader."""

import asyncio
import contextlib
from collections.abc import Collection, Sequence

import pytest

from lustra.core.db import Connection
from lustra.live.ingest import state as states
from lustra.live.ingest.main import Ingest
from lustra.live.ingest.presence import now
from lustra.live.ingest.pull import GRACE_S, Pulls
from lustra.live.ingest.source import Acks, Message, Source, parse_message
from lustra.live.ingest.writer import READ
from lustra.protocol import bus
from tests.flush import flush
from tests.world import World, report, state, until

COUNT = 300


async def tell_reports(world: World, count: int) -> None:
    """Until the stream has them all: the bus stores them a moment after it took them."""
    before = (await world.services.bus.js.stream_info("REPORT")).state.messages

    for number in range(count):
        await world.services.bus.publish(bus.report(f"SC{number % 10:04}"), bus.encode(report()))

    async def are_stored() -> bool:
        return (await world.services.bus.js.stream_info("REPORT")).state.messages >= before + count

    await flush(world.services.bus.link)
    await until(are_stored)


async def open_pulls(world: World, *robots: str) -> Pulls:
    """A consumer for each of `robots`."""
    pulls = Pulls(world.services.bus, "REPORT")
    for name, robot in enumerate(robots):
        subject = f"robots.{robot}.report"
        consumer = await world.services.bus.js.pull_subscribe(subject, durable=f"ingest-{name}", stream="REPORT")
        await consumer.unsubscribe()
        await pulls.open(f"ingest-{name}")
    return pulls


async def test_all_that_waits_comes_in_one_batch_and_in_its_order(world: World):
    pulls = await open_pulls(world, "*")
    await tell_reports(world, COUNT)
    batch, full = await pulls.fetch(COUNT, 1.0)
    assert (len(batch), full) == (COUNT, True)
    sequences = [int(parse_message(message).key.split("-")[1]) for message in batch]
    assert sequences == sorted(set(sequences))
    with pytest.raises(TimeoutError):
        await pulls.fetch(COUNT, 0.1)
    await pulls.close(pulls.by_name)


async def test_the_first_that_comes_ends_the_wait(world: World):
    pulls = await open_pulls(world, "*")
    waiting = asyncio.create_task(pulls.fetch(COUNT, 20.0))
    await asyncio.sleep(0)
    await tell_reports(world, 1)
    batch, full = await asyncio.wait_for(waiting, 15)
    assert (len(batch), full) == (1, False)
    await pulls.close(pulls.by_name)


async def test_the_wait_ends_though_the_client_swallows_what_ends_its_publishing(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    """As it does while it waits for room, and what it was to ask for is lost with the server."""
    pulls = await open_pulls(world, "*")

    async def publish(*_: object, **__: object) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(2 * (0.1 + GRACE_S))

    monkeypatch.setattr(world.services.bus.link, "publish", publish)
    async with asyncio.timeout(20):
        with pytest.raises(TimeoutError):
            await pulls.fetch(COUNT, 0.1)
    monkeypatch.undo()
    await pulls.close(pulls.by_name)


async def test_two_readers_share_what_waits_and_neither_has_what_the_other_has(world: World):
    first, second = await open_pulls(world, "*"), await open_pulls(world, "*")
    await tell_reports(world, COUNT)
    keys: list[str] = []

    async def read(pulls: Pulls) -> None:
        while len(keys) < COUNT:
            try:
                batch, _ = await pulls.fetch(40, 0.1)
            except TimeoutError:
                continue
            keys.extend(parse_message(message).key for message in batch)
            for message in batch:
                await message.ack()

    await asyncio.wait_for(asyncio.gather(read(first), read(second)), 30)
    assert len(set(keys)) == len(keys) == COUNT
    await first.close(first.by_name)
    await second.close(second.by_name)


async def test_fetch_in_even_shares_from_several_consumers(world: World):
    pulls = await open_pulls(world, "SC0001", "SC0002", "SC0003")
    await tell_reports(world, COUNT)  # of ten robots
    batch, full = await pulls.fetch(30, 1.0)
    robots = [parse_message(message).sn for message in batch]
    assert {sn: robots.count(sn) for sn in robots} == {"SC0001": 10, "SC0002": 10, "SC0003": 10}
    assert full
    batch, full = await pulls.fetch(3 * COUNT, 1.0)
    assert (len(batch), full) == (3 * (COUNT // 10 - 10), False)
    await pulls.close(pulls.by_name)


async def test_hand_unacknowledged_messages_to_another_reader_at_once(world: World):
    pulls = await open_pulls(world, "SC0001")
    await tell_reports(world, COUNT)
    pull = pulls.by_name["ingest-0"]
    await pull.expect(5.0)

    async def is_in_hand() -> bool:
        return bool(pull.messages)

    await until(is_in_hand)
    await pulls.close(pulls.by_name)
    again = await open_pulls(world, "SC0001")
    keys = [parse_message(message).key for message in (await again.fetch(COUNT, 5.0)).messages]
    assert len(set(keys)) == COUNT // 10
    await again.close(again.by_name)


async def test_batches_grow_while_more_waits_than_is_taken(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.live.ingest.source.FIRST_BATCH", 10)
    sizes: list[int] = []

    async def handle(messages: Sequence[Message]) -> Acks:
        sizes.append(len(messages))
        return {}

    await tell_reports(world, COUNT)
    source = Source(world.services.bus, "REPORT", "robots.*.report", 80, handle, ahead=True)
    running = asyncio.create_task(source.run())

    async def all_taken() -> bool:
        return sum(sizes) == COUNT

    await until(all_taken)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert sizes[0] == 10
    assert max(sizes) == 80


async def test_a_batch_is_handed_over_while_the_former_is_handled(world: World):
    second_came = asyncio.Event()
    sizes: list[int] = []

    async def handle(messages: Sequence[Message]) -> Acks:
        sizes.append(len(messages))
        if len(sizes) > 1:
            second_came.set()
        await second_came.wait()
        return {}

    await tell_reports(world, COUNT)
    source = Source(world.services.bus, "REPORT", "robots.*.report", COUNT // 2, handle, ahead=True)
    running = asyncio.create_task(source.run())
    await asyncio.wait_for(second_came.wait(), 30)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_small_batch_does_not_overtake_a_large_one(world: World, monkeypatch: pytest.MonkeyPatch):
    stored: list[int] = []
    store = states.store

    async def record(db: Connection, rows: list[states.Row], partitions: Collection[int]) -> list[str]:
        stored.append(len(rows))
        return await store(db, rows, partitions)

    monkeypatch.setattr(states, "store", record)
    begin = 1_772_366_400_000
    large, small = (
        [Message("SC0001", now(), bus.encode(state(begin + n * 1000)), f"1-{n}") for n in range(count)]
        for count in (READ + 10, 1)
    )
    services, pool = world.services, await world.ingest_pool()
    ingest = Ingest(services.settings, services.bus, pool, services.objects, services.intake)
    await asyncio.gather(ingest.writer.store_states(large), ingest.writer.store_states(small))
    assert stored == [len(large), len(small)]
