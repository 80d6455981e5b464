"""What robots sent, written into rows: decoded, stored, confirmed by a receipt, or refused with a reason.

Rule: a flawed message is refused alone, and costs the others of its batch nothing.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import TypeVar

import asyncpg
import structlog

from lustra.core.bus import Bus, Silent
from lustra.core.db import Connection
from lustra.core.retry import passes
from lustra.domains.alarm.api import keep_alarms, read_alarm, shift_alarm
from lustra.domains.report.api import keep_reports, read_report, shift_report
from lustra.live.clocks import Clocks
from lustra.live.ingest import audit, events, presence, state
from lustra.live.ingest.presence import ms
from lustra.live.ingest.receipts import Receipts
from lustra.live.ingest.refusals import Kind, Refusals
from lustra.live.ingest.source import Ack, Acks, Message
from lustra.protocol import bus as protocol
from lustra.protocol.bus import Alarm, Receipt, Refused, Report
from lustra.protocol.flaws import Flaw, Flawed, read_state
from lustra.protocol.subjects import PARTITIONS

log = structlog.get_logger(__name__)
READ = 500  # states after which others have their turn
MOST_FAULTS = 20  # deliveries, in about an hour and a quarter

T = TypeVar("T", Alarm, Report)
Keep = Callable[[Connection, list[tuple[str, T]]], Awaitable[dict[str, list[str]]]]  # gives the ids that are stored
StateRow = tuple[Message, int, state.Row]  # of a state: as it came, its own time, and as it is stored


class Writer:
    def __init__(self, bus: Bus, pool: "asyncpg.Pool", keeper: events.Keeper, clocks: Clocks) -> None:
        self.bus, self.pool, self.keeper, self.clocks = bus, pool, keeper, clocks
        self.receipts, self.refusals = Receipts(bus), Refusals(bus, pool)
        self.reading, self.storing = asyncio.Lock(), asyncio.Lock()  # batches of states, in the order of the bus

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
        return acks | await self._store_or_refuse("alarm", keep_alarms, batch, decoded)

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
        return acks | await self._store_or_refuse("report", keep_reports, batch, decoded)

    async def _store_or_refuse(
        self, kind: Kind, keep: Keep[T], batch: Sequence[Message], decoded: dict[int, tuple[str, T]]
    ) -> Acks:
        """All at once. Where the database refuses one that our own check let through, one by one, to find it."""
        acks: Acks = {}
        try:
            await self._store(keep, list(decoded.values()))
        except asyncpg.DataError:
            for place, message in decoded.items():
                try:
                    await self._store(keep, [message])
                except asyncpg.DataError:
                    acks[place] = "end"
                    await self.refuse(kind, batch[place], Flaw("", "unreadable"))
        return acks

    async def _store(self, keep: Keep[T], messages: list[tuple[str, T]]) -> None:
        async with self.pool.acquire() as db:
            ids_by_robot = await keep(db, messages)
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
                await presence.publish(self.bus, await self.keeper.keep(sn, event, message.at, message.deliveries))
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


def known_or_all(partitions: set[int | None]) -> Collection[int]:
    """A state that was stored before there were partitions may be of any."""
    known = {partition for partition in partitions if partition is not None}
    return known if len(known) == len(partitions) else range(PARTITIONS)
