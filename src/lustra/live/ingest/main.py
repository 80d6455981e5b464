"""`lustra ingest`: what robots tell, from the bus into PostgreSQL.

It may be killed at any moment: what was committed but not acknowledged comes again and changes nothing. A lost bus or
database is waited for.
"""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

import asyncpg
import msgspec
import structlog
from nats.js.api import DiscardPolicy
from prometheus_client import Gauge

from lustra.core import db as database
from lustra.core.bus import PAST, Bus, Silent, connect
from lustra.core.files.intake import Intake
from lustra.core.files.objects import Objects
from lustra.core.process.tasks import ending
from lustra.core.retry import passes, retry_on
from lustra.core.settings import Settings
from lustra.domains.alarm.api import keep_alarms, read_alarm, shift_alarm
from lustra.domains.report.api import follow_reports, keep_reports, read_report, shift_report
from lustra.live.clocks import Clocks
from lustra.live.ingest import audit, compaction, events, pack, presence, queries, state
from lustra.live.ingest.partitions import Partitions
from lustra.live.ingest.positions import Positions
from lustra.live.ingest.presence import ListeningWindow, ms
from lustra.live.ingest.queries import INGEST
from lustra.live.ingest.rate_limit import Pace
from lustra.live.ingest.receipts import Receipts
from lustra.live.ingest.refusals import Kind, Refusals
from lustra.live.ingest.source import Ack, Acks, Message, Source
from lustra.live.leaves import make_leaf_streams, make_mirrors, mirror_name
from lustra.protocol import bus as protocol
from lustra.protocol.bus import Alarm, Receipt, Refused, Report
from lustra.protocol.flaws import Flaw, Flawed, read_state
from lustra.protocol.subjects import PARTITIONS, subject_of

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
READ = 500  # states after which others have their turn
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
MOST_FAULTS = 20  # deliveries, in about an hour and a quarter

StateRow = tuple[Message, int, state.Row]  # of a state: as it came, its own time, and as it is stored


class Ingest:
    def __init__(self, settings: Settings, bus: Bus, pool: "asyncpg.Pool", objects: Objects, intake: Intake) -> None:
        self.bus, self.pool = bus, pool
        self.listening = ListeningWindow(timedelta(seconds=settings.offline_after_s))
        self.partitions = Partitions(bus, self.listening)
        self.keeper = events.Keeper(bus, objects, pool, intake, events.upload_url(settings, objects), settings.quota_gb)
        self.receipts, self.clocks, self.refusals = Receipts(bus), Clocks(), Refusals(bus, pool)
        self.coarse_days = settings.track_coarse_days
        self.reading, self.storing = asyncio.Lock(), asyncio.Lock()  # batches of states, in the order of the bus
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
            self.store_states,
            self.listening.restart,
            ack_wait_s=STATE_S,
            pace=self.paces["STATE"],
            ahead=True,
            partitions=self.partitions.own,
        )

    def _read_others_of(self, name: Callable[[str], str]) -> list[Source]:
        bus, paces = self.bus, self.paces
        alarms, reports, events = map(subject_of, ("ALARM", "REPORT", "EVENT"))
        return [
            Source(bus, name("ALARM"), alarms, ALARMS, self.store_alarms, pace=paces["ALARM"], prompt=True),
            Source(bus, name("REPORT"), reports, REPORTS, self.store_reports, pace=paces["REPORT"]),
            Source(bus, name("EVENT"), events, EVENTS, self.store_events, ack_wait_s=EVENT_S, pace=paces["EVENT"]),
        ]

    def _read_audit(self, name: Callable[[str], str]) -> Source:
        return Source(self.bus, name("AUDIT"), "audit.relay", REPORTS, self.store_audits)

    async def store_states(self, batch: Sequence[Message]) -> Acks:
        """Reads this batch while the one before is stored."""
        async with contextlib.AsyncExitStack() as turn:
            async with self.reading:
                rows, acks = await self._read_states(batch)
                await turn.enter_async_context(self.storing)
            await self._store_states(rows, acks)
        await self.receipts.add((message.sn, at) for place, (message, at, _) in rows.items() if place not in acks)
        return acks

    async def _read_states(self, batch: Sequence[Message]) -> tuple[dict[int, StateRow], Acks]:
        """By place in the batch."""
        rows: dict[int, StateRow] = {}
        acks: Acks = {}
        for place, message in enumerate(batch):
            if place % READ == READ - 1:
                await asyncio.sleep(0)
            reading, flaws = read_state(message.data)
            if reading is None:
                acks[place] = "end"
            else:
                rows[place] = (message, reading.state.at, state.build_row(self.clocks, message.sn, message.at, reading))
            for flaw in flaws:
                refused = Refused(at=reading.state.at if reading else 0, field=flaw.field, reason=flaw.reason)
                await self.refusals.add(message.sn, "state", refused)
        return rows, acks

    async def _store_states(self, rows: dict[int, StateRow], acks: Acks) -> None:
        try:
            async with self.pool.acquire() as db:
                partitions = {message.partition for message, _, _ in rows.values()}
                await state.store(db, [row for _, _, row in rows.values()], known_or_all(partitions))
        except asyncpg.DataError:  # one that our own check let through: find it
            for place, (message, at, row) in rows.items():
                async with self.pool.acquire() as db:
                    try:
                        await state.store(db, [row], known_or_all({message.partition}))
                    except asyncpg.DataError:
                        acks[place] = "end"
                        await self.refusals.add(message.sn, "state", Refused(at=at, reason="unreadable"))

    async def store_alarms(self, batch: Sequence[Message]) -> Acks:
        acks: Acks = {}
        decoded: dict[int, tuple[str, Alarm]] = {}
        for place, message in enumerate(batch):
            try:
                alarm = read_alarm(message.data)
            except Flawed as why:
                acks[place] = "end"
                await self.refuse("alarm", message, why.flaw)
                continue
            received = ms(message.at)
            at = self.clocks.time_of(message.sn, alarm.at, received)
            decoded[place] = (message.sn, shift_alarm(alarm, at, received))
        try:
            await self._keep_alarms(list(decoded.values()))
        except asyncpg.DataError:  # one that our own check let through: find it
            for place, alarm in decoded.items():
                try:
                    await self._keep_alarms([alarm])
                except asyncpg.DataError:
                    acks[place] = "end"
                    await self.refuse("alarm", batch[place], Flaw("", "unreadable"))
        return acks

    async def _keep_alarms(self, messages: list[tuple[str, Alarm]]) -> None:
        async with self.pool.acquire() as db:
            ids_by_robot = await keep_alarms(db, messages)
        for sn, ids in ids_by_robot.items():
            await self.send_receipt(sn, ids)

    async def store_reports(self, batch: Sequence[Message]) -> Acks:
        acks: Acks = {}
        decoded: dict[int, tuple[str, Report]] = {}
        for place, message in enumerate(batch):
            try:
                report = read_report(message.data)
            except Flawed as why:
                acks[place] = "end"
                await self.refuse("report", message, why.flaw)
                continue
            ended = self.clocks.time_of(message.sn, report.ended, ms(message.at))
            decoded[place] = (message.sn, shift_report(report, ended))
        try:
            await self._store_rows(list(decoded.values()))
        except asyncpg.DataError:
            for place, report in decoded.items():
                try:
                    await self._store_rows([report])
                except asyncpg.DataError:
                    acks[place] = "end"
                    await self.refuse("report", batch[place], Flaw("", "unreadable"))
        return acks

    async def _store_rows(self, rows: list[tuple[str, Report]]) -> None:
        async with self.pool.acquire() as db:
            ids_by_robot = await keep_reports(db, rows)
        for sn, ids in ids_by_robot.items():
            await self.send_receipt(sn, ids)

    async def store_events(self, batch: Sequence[Message]) -> Acks:
        by_robot: defaultdict[str, list[tuple[int, Message]]] = defaultdict(list)
        for place, message in enumerate(batch):
            by_robot[message.sn].append((place, message))
        acks: Acks = {}
        for part in await asyncio.gather(*(self._store_events_of(sn, messages) for sn, messages in by_robot.items())):
            acks |= part
        return acks

    async def _store_events_of(self, sn: str, messages: list[tuple[int, Message]]) -> Acks:
        acks: Acks = {}
        stored: list[str] = []
        for place, message in messages:
            if "later" in acks.values():  # what follows one that waits, waits with it
                acks[place] = "later"
                continue
            try:
                event = events.read(message.data)
            except Flawed as why:
                acks[place] = "end"
                await self.refuse("event", message, why.flaw)
                continue
            event.at = self.clocks.time_of(sn, event.at, ms(message.at))
            try:
                await self.publish_presence(await self.keeper.keep(sn, event, message.at, message.deliveries))
                stored.append(event.id)
            except Flawed as why:
                acks[place] = "end"
                await self.refuse("event", message, why.flaw)
            except events.GivenUp:
                acks[place] = "end"
                await self.refuse("event", message, None)
            except Silent:
                acks[place] = "later"
            except Exception as why:
                # Where database or bus are away nothing can be kept, and the whole batch comes again.
                if passes(why):
                    raise
                acks[place] = await self._put_off(message, event.id, why)
        if stored:
            await self.send_receipt(sn, stored)
        return acks

    async def store_audits(self, batch: Sequence[Message]) -> Acks:
        async with self.pool.acquire() as db:
            return await audit.keep(db, batch)

    async def _put_off(self, message: Message, event_id: str, why: Exception) -> Ack:
        """An event at which we fail ourselves delays its own robot alone, and not for ever."""
        given_up = message.deliveries >= MOST_FAULTS
        tries = message.deliveries
        log.error("ingest.fault", sn=message.sn, event_id=event_id, tries=tries, given_up=given_up, exc_info=why)
        if given_up:
            await self.refuse("event", message, None)
        return "end" if given_up else "later"

    async def refuse(self, kind: Kind, message: Message, flaw: Flaw | None) -> None:
        """The robot learns that this report or event was given up. No flaw: its content did not come."""
        id_, at = events.read_id(message.data)
        reason = flaw.reason if flaw else "content_missing"
        refused = Refused(id=id_, at=0 if id_ else at, field=flaw.field if flaw else "", reason=reason)
        await self.refusals.add(message.sn, kind, refused)

    async def send_receipt(self, sn: str, ids: list[str]) -> None:
        """After the commit: the robot may forget these. No answer is needed: what it did not hear of it sends again."""
        await self.bus.publish(protocol.cmd(sn, "kept"), protocol.encode(Receipt(ids=ids)))

    async def publish_presence(self, changes: list[presence.PresenceChange]) -> None:
        for sn, status in changes:
            await self.bus.publish(presence.subject(sn), msgspec.json.encode(status))

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
        await self.publish_presence(silent)

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
                await source.drop()
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


def known_or_all(partitions: set[int | None]) -> Collection[int]:
    """A state that was stored before there were partitions may be of any."""
    known = {partition for partition in partitions if partition is not None}
    return known if len(known) == len(partitions) else range(PARTITIONS)


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
