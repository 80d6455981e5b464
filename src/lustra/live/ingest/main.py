"""`lustra ingest`: what robots tell, from the bus into PostgreSQL.

It may be killed at any moment: what was committed but not acknowledged comes again and changes nothing. A lost bus or
database is waited for.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any

import asyncpg
import structlog
from nats.js.api import DiscardPolicy
from prometheus_client import Gauge

from lustra.core import db as database
from lustra.core.bus import PAST, Bus, connect
from lustra.core.files.intake import Intake
from lustra.core.files.objects import Objects
from lustra.core.process.tasks import ending
from lustra.core.retry import retry_on
from lustra.core.settings import Settings
from lustra.domains.report.api import follow_reports
from lustra.live.clocks import Clocks
from lustra.live.ingest import compaction, events, pack, presence, queries, state
from lustra.live.ingest.partitions import Partitions
from lustra.live.ingest.positions import Positions
from lustra.live.ingest.presence import ListeningWindow
from lustra.live.ingest.queries import INGEST
from lustra.live.ingest.rate_limit import Pace
from lustra.live.ingest.source import Source
from lustra.live.ingest.writer import Writer
from lustra.live.leaves import make_leaf_streams, make_mirrors, mirror_name
from lustra.protocol.subjects import subject_of

ROBOTS = Gauge("lustra_robots", "Robots that ever sent anything, by whether they are online", ["online"])
STREAM_BYTES = Gauge("lustra_bus_stream_bytes", "What a stream of the bus holds", ["stream"])
STREAM_ROOM = Gauge(
    "lustra_bus_stream_most_bytes", "At which size a stream of the bus refuses messages; -1: never", ["stream"]
)
STREAM_MESSAGES = Gauge("lustra_bus_stream_messages", "Messages in a stream of the bus", ["stream"])
log = structlog.get_logger(__name__)
# What one robot may say: messages at once, and how many more a second. A robot says ten states a second at most; two
# hours of one a second may wait in it.
PACES = {"STATE": (7200, 20.0), "ALARM": (500, 5.0), "REPORT": (500, 1.0), "EVENT": (2000, 10.0)}
# Messages a batch.
BATCH = 45_000  # of states; under a backlog: of ten thousand robots four each, whose newest alone moves the row
STATE_S = 10.0  # that two batches of states may take
FROZEN = timedelta(seconds=25)  # longer than END_WHEN_FROZEN
ALARMS = 2000
REPORTS = 100
EVENTS = 100
EVENT_S = 60.0  # that a batch of events may take: maps are read, and robots asked
WATCH_S = 1.0
FOLLOW_S = 5.0
PACK_S = 20.0
COMPACT_S = 60.0
PARTITIONS_S = 300.0
DROP_S = 30.0
LEAVES_S = 5.0
POSITIONS_S = 2.0
START_AGAIN_S = 0.5
READERS = ("lustra.domains.map.reading",)


class Ingest:
    def __init__(self, settings: Settings, bus: Bus, pool: "asyncpg.Pool", objects: Objects, intake: Intake) -> None:
        self.bus, self.pool = bus, pool
        self.listening = ListeningWindow(timedelta(seconds=settings.offline_after_s))
        self.partitions = Partitions(bus, self.listening)
        keeper = events.Keeper(bus, objects, pool, intake, events.upload_url(settings, objects), settings.quota_gb)
        self.clocks = Clocks()
        self.writer = Writer(bus, pool, keeper, self.clocks)
        self.coarse_days = settings.track_coarse_days
        self.followed = 0.0
        self.paces = {stream: Pace(stream, burst, each_s) for stream, (burst, each_s) in PACES.items()}
        self.leaves, self.leaves_ready, self.stream_bytes = settings.leaf_names, set[str](), settings.stream_bytes
        origins = [str, *(partial(mirror_name, leaf=leaf) for leaf in self.leaves)]  # names of a stream and its mirrors
        self.states = [self._read_states_of(name("STATE")) for name in origins]
        self.others = [
            *(source for name in origins for source in self._read_others_of(name)),
            self._read_audit(str),
        ]
        self.past = [*self._read_others_of(PAST.__getitem__), self._read_audit(PAST.__getitem__)]
        for source in self.past:
            source.pace = None  # it was admitted when it came
        self.positions = Positions(bus, pool, [source.stream for source in (*self.states, *self.others)])

    def _read_states_of(self, stream: str) -> Source:
        return Source(
            self.bus,
            stream,
            subject_of("STATE"),
            BATCH,
            self.writer.store_states,
            self.listening.restart,
            ack_wait_s=STATE_S,
            pace=self.paces["STATE"],
            ahead=True,
            partitions=self.partitions.own,
        )

    def _read_others_of(self, name: Callable[[str], str]) -> list[Source]:
        bus, writer, paces = self.bus, self.writer, self.paces
        alarms, reports, events = map(subject_of, ("ALARM", "REPORT", "EVENT"))
        return [
            Source(bus, name("ALARM"), alarms, ALARMS, writer.store_alarms, pace=paces["ALARM"], prompt=True),
            Source(bus, name("REPORT"), reports, REPORTS, writer.store_reports, pace=paces["REPORT"]),
            Source(bus, name("EVENT"), events, EVENTS, writer.store_events, ack_wait_s=EVENT_S, pace=paces["EVENT"]),
        ]

    def _read_audit(self, name: Callable[[str], str]) -> Source:
        return Source(self.bus, name("AUDIT"), "audit.relay", REPORTS, self.writer.store_audits)

    async def watch(self) -> None:
        before = self.partitions.silent_before() if self.bus.up else None
        async with self.pool.acquire() as db:
            silent = await presence.mark_silent(db, before) if before else []
            if silent or time.monotonic() - self.followed > FOLLOW_S:
                self.followed = time.monotonic()
                await db.execute(queries.END_FROZEN, FROZEN)
                await follow_reports(db)
                self.clocks.remember_all(await state.clocks_behind(db))
                count = await db.fetchrow(INGEST.sql(queries.COUNT_ROBOTS))
                ROBOTS.labels("yes").set(count["online"])
                ROBOTS.labels("no").set(count["offline"])
        await presence.publish(self.bus, silent)

    async def pack(self) -> None:
        async with self.pool.acquire() as db:
            more = True
            while more:
                more = await pack.pack(db, time.time())

    async def compact(self) -> None:
        await compaction.compact(self.pool, time.time(), self.coarse_days)

    async def partition_points(self) -> None:
        async with self.pool.acquire() as db:
            await pack.partitions(db, time.time())

    async def drop(self) -> None:
        """Makes room where a full stream refuses robots. The others drop their oldest by themselves, and what was lost
        with the database can be read from them again."""
        for pace in self.paces.values():
            pace.forget_quiet()
        for source in self.others:
            if source.stream in PAST:
                await source.drop(PAST[source.stream])
        for stream in await self.bus.js.streams_info():
            refuses = stream.config.discard == DiscardPolicy.NEW
            STREAM_BYTES.labels(stream.config.name).set(stream.state.bytes)
            STREAM_ROOM.labels(stream.config.name).set((refuses and stream.config.max_bytes) or -1)
            STREAM_MESSAGES.labels(stream.config.name).set(stream.state.messages)

    async def read_past(self) -> None:
        """What a database that is older than the bus has lost."""
        for source in self.past:
            await source.read_rest()

    async def make_leaf_streams(self) -> None:
        """Once of each leaf; one that is away is asked again."""
        for leaf in self.leaves:
            if leaf not in self.leaves_ready and await make_leaf_streams(self.bus, leaf, self.stream_bytes):
                self.leaves_ready.add(leaf)

    async def every(self, seconds: float, work: Callable[[], Awaitable[Any]]) -> None:
        while True:
            try:
                await work()
            except Exception as why:  # noqa: BLE001  the next time comes soon
                log.warning("ingest.again", what=work.__name__, why=repr(why))
                self.listening.restart()
            if ending():
                raise asyncio.CancelledError
            await asyncio.sleep(seconds)

    async def run(self) -> None:
        async with self.pool.acquire() as db:
            self.clocks.remember_all(await state.clocks_behind(db))
        async with asyncio.TaskGroup() as group:
            group.create_task(self.partitions.run())
            for source in (*self.states, *self.others):
                group.create_task(source.run())
            group.create_task(self.every(WATCH_S, self.watch))
            group.create_task(self.every(PACK_S, self.pack))
            group.create_task(self.every(COMPACT_S, self.compact))
            group.create_task(self.every(PARTITIONS_S, self.partition_points))
            group.create_task(self.every(DROP_S, self.drop))
            group.create_task(self.every(POSITIONS_S, self.positions.follow))
            group.create_task(self.every(POSITIONS_S, self.read_past))
            if self.leaves:
                group.create_task(self.every(LEAVES_S, self.make_leaf_streams))


@retry_on(OSError, asyncpg.PostgresError, asyncpg.InterfaceError, longest_s=START_AGAIN_S)
async def open_pool(settings: Settings) -> "asyncpg.Pool":
    """The database may start later than we do."""
    return await database.pool(settings.database_url, size=6)


async def run(settings: Settings) -> None:
    pool, bus = await open_pool(settings), await connect_bus(settings)
    objects = Objects(settings.objects_url, settings.secret)
    intake = Intake(READERS, waiting=events.AT_ONCE, of_account=events.AT_ONCE, patience_s=None)
    try:
        await Ingest(settings, bus, pool, objects, intake).run()
    finally:
        intake.close()
        await bus.close()
        await pool.close()


@retry_on(Exception, longest_s=START_AGAIN_S)
async def connect_bus(settings: Settings) -> Bus:
    """The streams must stand before robots speak: a message without a stream is gone. The bus may start later."""
    bus = await connect(settings.nats_url, "ingest")
    try:
        await bus.set_up(settings.stream_bytes, settings.stream_copies)
        for leaf in settings.leaf_names:
            # A mirror of what is not there yet asks again after 20 s, and less and less often: the leaf's come first.
            await make_leaf_streams(bus, leaf, settings.stream_bytes)
            await make_mirrors(bus, leaf, settings.stream_bytes, settings.stream_copies)
    except BaseException:
        await bus.close()
        raise
    return bus
