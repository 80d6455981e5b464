"""Up to where the streams of the bus are stored, so that a database that is older than that is noticed and gets again
what it lost: a standby that lagged behind, or a backup that was restored beside a bus that goes on.

Rules: a position is written to the database once the bus has its acknowledgements. Each copy of the database that has a
position has all messages up to it too, since they were committed before. Later the bus notes the same position. Where
the database knows a lower one than the bus, or another server of it has taken over, what lies behind the database's
positions is read again; what comes twice changes nothing. States lie in their own stream for that, what else leaves its
stream soon lies for a day in a mirror, which has the same sequence numbers.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import dataclass

import asyncpg
import structlog
from nats.js.api import ConsumerInfo, DeliverPolicy
from nats.js.errors import NotFoundError
from prometheus_client import Counter

from lustra.core.bus import PAST, Bus
from lustra.live.ingest import queries
from lustra.live.ingest.queries import INGEST
from lustra.live.ingest.source import DURABLE

log = structlog.get_logger(__name__)
READ_AGAIN = Counter("lustra_ingest_read_again", "How often streams were read again, by what the database was", ["why"])
BUCKET, KEY = "positions", "ingest"
Sequences = dict[str, int]  # by stream and consumer, "STATE ingest-3": all messages up to this one are stored


@dataclass(slots=True)
class Positions:
    bus: Bus
    pool: asyncpg.Pool
    streams: list[str]  # that are read

    async def follow(self) -> None:
        """Compares the database with what the bus knows of it, and writes down how far the streams are stored now. One
        ingest does so at a time."""
        async with self.pool.acquire() as db, db.transaction():
            if not await db.fetchval(queries.TRY_LOCK_POSITIONS):
                return
            server = str(await db.fetchval(queries.DATABASE_SERVER))
            rows = await db.fetch(INGEST.sql(queries.LOAD_POSITIONS))
            stored: Sequences = {row["consumer"]: row["sequence"] for row in rows}
            noted = await self.bus.get(BUCKET, KEY)
            if noted and is_older(stored, noted["positions"]):
                await self.read_again(stored, "older")
            elif noted and noted["server"] != server:  # it may lack what came after the last position
                await self.read_again(stored, "another")
            current = {"server": server, "positions": stored}
            if noted != current:
                await self.bus.put(BUCKET, KEY, current)
            now = await self.load()
            changed = {consumer: sequence for consumer, sequence in now.items() if stored.get(consumer) != sequence}
            if changed:
                await db.execute(INGEST.sql(queries.STORE_POSITIONS), list(changed), list(changed.values()))

    async def load(self) -> Sequences:
        """As the bus knows them by acknowledgements; of a stream whose mirror is read again, by those of both."""
        streams = [*self.streams, *(PAST[stream] for stream in self.streams if stream in PAST)]
        consumers = await asyncio.gather(*(self._consumers_of(stream) for stream in streams))
        floors = {name_of(each): floor_of(each) for infos in consumers for each in infos}
        for stream, past in PAST.items():
            if (again := floors.pop(f"{past} {DURABLE}", None)) is not None:
                floors[f"{stream} {DURABLE}"] = min(floors.get(f"{stream} {DURABLE}", again), again)
        return floors

    async def read_again(self, stored: Sequences, why: str) -> None:
        """Begins each consumer again behind what the database has."""
        again: Sequences = {}
        for stream in self.streams:
            for consumer in await self._consumers_of(stream):
                sequence = stored.get(name_of(consumer), 0)
                if (lost := floor_of(consumer) - sequence) > 0:
                    await self._begin(PAST.get(stream, stream), consumer, sequence + 1)
                    again[name_of(consumer)] = lost
        READ_AGAIN.labels(why).inc()
        log.warning("ingest.read_again", database=why, messages=again)

    async def _begin(self, stream: str, consumer: ConsumerInfo, sequence: int) -> None:
        """`consumer` of its stream, or its like of a mirror, with the message of that sequence as its next."""
        with contextlib.suppress(NotFoundError):
            await self.bus.js.delete_consumer(stream, consumer.name)
        config = consumer.config.evolve(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=sequence, opt_start_time=None
        )
        await self.bus.js.add_consumer(stream, config)

    async def _consumers_of(self, stream: str) -> Iterable[ConsumerInfo]:
        try:
            return await self.bus.js.consumers_info(stream)
        except NotFoundError:  # a leaf's, which was not reached yet
            return []


def is_older(stored: Sequences, noted: Sequences) -> bool:
    """Whether the database lacks what it had when the bus noted its positions."""
    return any(stored.get(consumer, 0) < sequence for consumer, sequence in noted.items())


def name_of(consumer: ConsumerInfo) -> str:
    return f"{consumer.stream_name} {consumer.name}"


def floor_of(consumer: ConsumerInfo) -> int:
    """The last message before which all are acknowledged; 0: none."""
    return (consumer.ack_floor and consumer.ack_floor.stream_seq) or 0
