"""Ingests share robots: each partition has one that reads it, whoever comes and goes, and none waits for another."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.core.bus import streams
from lustra.core.process.tasks import cancel_all
from lustra.live.ingest import partitions, queries
from lustra.live.ingest.main import Ingest
from lustra.live.ingest.partitions import Partitions, spread
from lustra.live.ingest.presence import ListeningWindow, now
from lustra.live.ingest.source import Acks, Message
from lustra.protocol import bus
from lustra.protocol.subjects import PARTITIONS
from tests.buses import MOST
from tests.consumers import partition_of
from tests.flush import flush
from tests.world import World, state, until

ALL = frozenset(range(PARTITIONS))
UNKNOWN = [f"SX{number:04}" for number in range(40)]  # robots: of four alone all may fall to one ingest
NAMES = st.sets(st.text("abcdef0123456789", min_size=1, max_size=8), min_size=1, max_size=PARTITIONS + 2)


@given(NAMES)
def test_each_partition_has_one_reader_and_they_share_evenly(names: set[str]):
    parts = spread(names)
    assert sorted(partition for part in parts.values() for partition in part) == sorted(ALL)
    assert max(map(len, parts.values())) - min(map(len, parts.values())) <= 1
    assert parts == spread(sorted(names, reverse=True))


@given(NAMES, st.data())
def test_move_few_partitions_when_an_ingest_leaves(names: set[str], data: st.DataObject):
    leaving = data.draw(st.sampled_from(sorted(names)))
    if rest := names - {leaving}:
        before, after = spread(names), spread(rest)
        moved = sum(len(before[name] - after[name]) for name in rest)
        assert moved <= len(before[leaving]) + len(rest)


class Recording(Ingest):
    """Notes whose states it stored."""

    def __init__(self, world: World, pool: object) -> None:
        services = world.services
        super().__init__(services.settings, services.bus, pool, services.objects, services.intake)
        self.robots: set[str] = set()
        for source in self.states:
            source.handle = self.store_states

    async def store_states(self, batch: Sequence[Message]) -> Acks:
        self.robots |= {message.sn for message in batch}
        return await self.writer.store_states(batch)


@asynccontextmanager
async def reading(world: World) -> AsyncIterator[Recording]:
    ingest = Recording(world, await world.ingest_pool())
    running = asyncio.create_task(ingest.run())
    try:
        yield ingest
    finally:
        await cancel_all(running)


async def speak(world: World, at: int, *more: str) -> None:
    for sn in (*world.devices, *more):
        await world.services.bus.publish(bus.state(sn), bus.encode(state(at)))
    await flush(world.services.bus.link)


async def until_stored(world: World, count: int) -> None:
    async def stored() -> bool:
        return await world.pool.fetchval("select count(*) from point") == count

    await until(stored)


async def until_shared(*ingests: Ingest) -> None:
    async def shared() -> bool:
        parts = [each.partitions.own() for each in ingests]
        return sum(map(len, parts)) == PARTITIONS and frozenset().union(*parts) == ALL

    await until(shared)


async def test_two_ingests_read_other_robots_and_the_one_that_stays_reads_all(world: World):
    begin, many = int(time.time()) * 1000 - 60_000, len(world.devices)
    async with reading(world) as first:
        async with reading(world) as second:
            await until_shared(first, second)
            steps = 0

            async def read_by_one_each() -> bool:
                """Who read all so far may have asked for the next of a robot that has moved."""
                nonlocal steps
                first.robots.clear()
                second.robots.clear()
                await speak(world, begin + steps * 1000, *UNKNOWN)
                steps += 1
                await until_stored(world, steps * many)
                return not first.robots & second.robots

            await until(read_by_one_each)
            assert first.robots | second.robots >= world.devices.keys()
            assert first.robots
            assert second.robots
        await until_shared(first)
        await speak(world, begin + steps * 1000)
        await until_stored(world, (steps + 1) * many)


async def test_miss_a_dead_ingest_after_seconds(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(partitions, "EACH_S", 0.05)
    monkeypatch.setattr(partitions, "GONE_S", 0.5)
    async with reading(world) as first:

        async def shares() -> bool:
            await world.services.bus.publish("ingests.another", b'{"listenedS": 0}')
            return first.partitions.own() < ALL

        await until(shares)
        await until_shared(first)


async def test_a_partition_that_is_held_up_holds_up_no_other(world: World):
    begin = int(time.time()) * 1000 - 60_000
    await speak(world, begin)
    stored = await world.services.bus.js.stream_info("STATE", subjects_filter=">")
    by_robot = {subject.split(".")[1]: partition_of(subject) for subject in stored.state.subjects or {}}
    held = by_robot["SC0001"]
    others = [sn for sn, partition in by_robot.items() if partition != held]
    assert held is not None
    assert others
    async with world.pool.acquire() as db, db.transaction():
        await db.execute(queries.SHARE_STATES)
        await db.execute(queries.LOCK_PARTITIONS, [held])
        services, pool = world.services, await world.ingest_pool()
        ingest = Ingest(services.settings, services.bus, pool, services.objects, services.intake)
        for sn, partition in by_robot.items():
            if partition != held:
                await ingest.writer.store_states([Message(sn, now(), bus.encode(state(begin)), "1-1", 1, partition)])
        await until_stored(world, len(others))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await ingest.writer.store_states([Message("SC0001", now(), bus.encode(state(begin)), "1-1", 1, held)])


async def test_states_from_before_there_were_partitions_are_read(world: World):
    js, begin = world.services.bus.js, int(time.time()) * 1000 - 60_000
    (config,) = (each for each in streams(MOST) if each.name == "STATE")
    config.subject_transform = None
    await js.update_stream(config)
    await speak(world, begin)
    await world.services.bus.set_up(MOST)
    await speak(world, begin + 1000)
    kinds = (await js.stream_info("STATE", subjects_filter=">")).state.subjects or {}
    assert {partition_of(subject) is None for subject in kinds} == {True, False}
    async with reading(world):
        await until_stored(world, 2 * len(world.devices))


async def test_call_no_robot_silent_while_an_ingest_has_only_begun_to_listen(world: World):
    listening = ListeningWindow(timedelta(seconds=30), since=now() - timedelta(seconds=60))
    parts = Partitions(world.services.bus, listening)
    running = asyncio.create_task(parts.run())

    async def waits() -> bool:
        await world.services.bus.publish("ingests.another", b'{"listenedS": 5}')
        return parts.silent_before() is None

    await until(waits)
    await world.services.bus.publish("ingests.another", b'{"listenedS": 31}')

    async def knows() -> bool:
        return parts.silent_before() is not None

    await until(knows)
    await cancel_all(running)
