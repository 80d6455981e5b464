"""`lustra ingest`: what robots tell, from the bus into PostgreSQL.

It may be killed at any moment: what was committed but not acknowledged comes again and changes nothing. A lost bus or
database is waited for.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

import asyncpg
import msgspec
import structlog

from lustra.core import db as database
from lustra.core.bus import Bus, Silent, connect
from lustra.core.follow import ending
from lustra.core.intake import Intake
from lustra.core.objects import Objects
from lustra.core.settings import Settings
from lustra.domains.report import keep as reports
from lustra.live.clocks import Clocks
from lustra.live.ingest import audit, events, pack, presence, state
from lustra.live.ingest.pace import Pace
from lustra.live.ingest.presence import Ears, ms
from lustra.live.ingest.receipts import Receipts
from lustra.live.ingest.source import Fates, Heard, Source
from lustra.protocol import bus as protocol
from lustra.protocol.bus import Kept, Refused, Report

log = structlog.get_logger(__name__)
# What one robot may say: messages at once, and how many more a second. A robot says ten states a second at most; two
# hours of one a second may wait in it.
PACES = {"STATE": (7200, 20.0), "REPORT": (500, 1.0), "EVENT": (2000, 10.0)}
STATES, REPORTS, EVENTS = 2000, 100, 100  # messages a batch
WATCH_S, FOLLOW_S, PACK_S, PARTITIONS_S, DROP_S = 1.0, 5.0, 20.0, 300.0, 30.0
READERS = ("lustra.domains.map.reading",)


class Ingest:
    def __init__(self, settings: Settings, bus: Bus, pool: "asyncpg.Pool", objects: Objects, intake: Intake) -> None:
        self.bus, self.pool = bus, pool
        self.ears = Ears(timedelta(seconds=settings.offline_after_s))
        self.keeper = events.Keeper(bus, objects, pool, intake, events.upload_url(settings, objects), settings.quota_gb)
        self.receipts, self.clocks = Receipts(bus), Clocks()
        self.followed = 0.0
        self.paces = {stream: Pace(stream, burst, each_s) for stream, (burst, each_s) in PACES.items()}
        pace = self.paces["STATE"]
        self.state = Source(bus, "STATE", "robots.*.state", STATES, self.states, self.ears.disturbed, pace=pace)
        self.others = [
            Source(bus, "REPORT", "robots.*.report", REPORTS, self.reports, pace=self.paces["REPORT"]),
            Source(bus, "EVENT", "robots.*.event", EVENTS, self.events, ack_wait_s=60.0, pace=self.paces["EVENT"]),
            Source(bus, "AUDIT", "audit.relay", REPORTS, self.audits),
        ]

    async def states(self, batch: Sequence[Heard]) -> Fates:
        read = {place: (heard, told) for place, heard in enumerate(batch) if (told := state.read(heard.data))}
        rows = {place: state.judged(self.clocks, heard.sn, heard.at, told) for place, (heard, told) in read.items()}
        fates: Fates = {place: "end" for place in range(len(batch)) if place not in read}
        try:
            async with self.pool.acquire() as db:
                await state.store(db, list(rows.values()))
        except asyncpg.DataError:  # one that our own check let through: find it
            for place, row in rows.items():
                async with self.pool.acquire() as db:
                    try:
                        await state.store(db, [row])
                    except asyncpg.DataError:
                        fates[place] = "end"
        await self.receipts.add((heard.sn, told.at) for place, (heard, told) in read.items() if place not in fates)
        return fates

    async def reports(self, batch: Sequence[Heard]) -> Fates:
        read = {
            place: (heard.sn, reports.shifted(told, self.clocks.time_of(heard.sn, told.ended, ms(heard.at))))
            for place, heard in enumerate(batch)
            if (told := reports.read(heard.data))
        }
        fates: Fates = {place: "end" for place in range(len(batch)) if place not in read}
        try:
            await self._keep_reports(list(read.values()))
        except asyncpg.DataError:
            for place, told in read.items():
                try:
                    await self._keep_reports([told])
                except asyncpg.DataError:
                    fates[place] = "end"
        return fates

    async def _keep_reports(self, told: list[tuple[str, Report]]) -> None:
        async with self.pool.acquire() as db:
            kept = await reports.keep(db, told)
        for sn, ids in kept.items():
            await self.receipt(sn, ids)

    async def events(self, batch: Sequence[Heard]) -> Fates:
        by_robot: defaultdict[str, list[tuple[int, Heard]]] = defaultdict(list)
        for place, heard in enumerate(batch):
            by_robot[heard.sn].append((place, heard))
        fates: Fates = {}
        for told in await asyncio.gather(*(self._events_of(sn, told) for sn, told in by_robot.items())):
            fates |= told
        return fates

    async def _events_of(self, sn: str, told: list[tuple[int, Heard]]) -> Fates:
        fates: Fates = {}
        kept: list[str] = []
        for place, heard in told:
            event = events.read(heard.data)
            if event is None or "later" in fates.values():  # what follows one that waits, waits with it
                fates[place] = "end" if event is None else "later"
                continue
            event.at = self.clocks.time_of(sn, event.at, ms(heard.at))
            try:
                await self.tell(await self.keeper.keep(sn, event, heard.at))
                kept.append(event.id)
            except events.Unkeepable as why:
                fates[place] = "end"
                refusal = Refused(id=event.id, reason=why.reason)
                await self.bus.publish(protocol.cmd(sn, "refused"), protocol.encode(refusal))
            except Silent:
                fates[place] = "later"
        if kept:
            await self.receipt(sn, kept)
        return fates

    async def audits(self, batch: Sequence[Heard]) -> Fates:
        async with self.pool.acquire() as db:
            return await audit.keep(db, batch)

    async def receipt(self, sn: str, ids: list[str]) -> None:
        """After the commit: the robot may forget these. No answer is needed: what it did not hear of it sends again."""
        await self.bus.publish(protocol.cmd(sn, "kept"), protocol.encode(Kept(ids=ids)))

    async def tell(self, told: list[presence.Told]) -> None:
        for sn, what in told:
            await self.bus.publish(presence.subject(sn), msgspec.json.encode(what))

    async def watch(self) -> None:
        before = self.ears.silent_before() if self.bus.up else None
        async with self.pool.acquire() as db:
            gone = await presence.silent(db, before) if before else []
            if gone or time.monotonic() - self.followed > FOLLOW_S:
                self.followed = time.monotonic()
                await reports.follow(db)
        await self.tell(gone)

    async def pack(self) -> None:
        async with self.pool.acquire() as db:
            more = True
            while more:
                more = await pack.pack(db, time.time())

    async def partitions(self) -> None:
        async with self.pool.acquire() as db:
            await pack.partitions(db, time.time())

    async def drop(self) -> None:
        """States stay for their day: what was lost with the database can be read again."""
        for pace in self.paces.values():
            pace.forget_quiet()
        for source in self.others:
            await source.drop()

    async def every(self, seconds: float, do: Callable[[], Awaitable[Any]]) -> None:
        while True:
            try:
                await do()
            except Exception as why:  # noqa: BLE001  the next time comes soon
                log.warning("ingest.again", what=do.__name__, why=repr(why))
                self.ears.disturbed()
            if ending():
                raise asyncio.CancelledError
            await asyncio.sleep(seconds)

    async def remember_clocks(self) -> None:
        async with self.pool.acquire() as db:
            for sn, off in await state.clocks_behind(db):
                self.clocks.remember(sn, off)

    async def run(self) -> None:
        await self.remember_clocks()
        async with asyncio.TaskGroup() as group:
            for source in (self.state, *self.others):
                group.create_task(source.run())
            group.create_task(self.every(WATCH_S, self.watch))
            group.create_task(self.every(PACK_S, self.pack))
            group.create_task(self.every(PARTITIONS_S, self.partitions))
            group.create_task(self.every(DROP_S, self.drop))


async def opened(settings: Settings) -> "asyncpg.Pool":
    """The database may start later than we do."""
    while True:
        try:
            return await database.pool(settings.database_url, size=6)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as why:
            log.warning("ingest.again", what="database", why=repr(why))
            await asyncio.sleep(0.5)


async def run(settings: Settings) -> None:
    pool, bus = await opened(settings), await reached(settings)
    objects = Objects(settings.objects_url, settings.secret)
    intake = Intake(READERS, waiting=events.AT_ONCE, of_one=events.AT_ONCE, patience_s=None)
    try:
        await Ingest(settings, bus, pool, objects, intake).run()
    finally:
        intake.close()
        await bus.close()
        await pool.close()


async def reached(settings: Settings) -> Bus:
    """The streams must stand before robots speak: a message without a stream is gone."""
    while True:
        try:
            bus = await connect(settings.nats_url, "ingest")
            await bus.set_up(settings.stream_bytes)
        except Exception as why:  # noqa: BLE001  the bus may start later than we do
            log.warning("ingest.again", what="bus", why=repr(why))
            await asyncio.sleep(0.5)
        else:
            return bus
