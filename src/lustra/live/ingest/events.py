"""What robots own and have changed: maps, tasks, groups, schedules; and that one is switched off.

Rules: the events of one robot are taken in their order; one that can never be kept is ended and counted; a content too
large for the bus is sent to a signed URL when we ask for it; the receipt goes out after the commit. A robot is asked
beside the batch, so one that does not answer delays nobody else; after MOST_TRIES its event is given up.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from urllib.parse import quote

import asyncpg
import msgspec
import structlog
from prometheus_client import Counter

from lustra.core.bus import Bus, Silent
from lustra.core.errors import Refusal
from lustra.core.files.intake import Intake
from lustra.core.files.objects import Objects
from lustra.core.settings import Settings
from lustra.domains.map.api import UnreadableMap, keep_map, keep_sync_event, read_map
from lustra.domains.task.api import UnreadablePlan, keep_occurrence, keep_plan, keep_task
from lustra.live.ingest import presence
from lustra.protocol.bus import Event, Send

log = structlog.get_logger(__name__)
READ = msgspec.json.Decoder(Event)
LONGEST = 256
ANSWERS_IN_S = 30.0
AT_ONCE_S = 0.3
LIFE_MS = 60_000
AT_ONCE = 8  # robots whose events are worked on side by side
MOST_TRIES = 8  # deliveries, in about a quarter of an hour
MOST_COUNTED = 10_000
OWN_TRIES = 2  # what has only waited behind another of its robot is asked for at least twice
GIVEN_UP = Counter("lustra_ingest_given_up", "Events whose content was asked for in vain")
LARGEST = 48 << 20  # bytes of a map with its picture
LARGEST_PLAIN = 4 << 20  # of what has none
LARGE = ("map", "task", "group", "schedule", "occurrence")  # kinds whose content may be too large for the bus


def upload_url(settings: Settings, objects: Objects) -> Callable[[str], str]:
    """URLs that take the content of one place, for a minute."""

    def signed(place: str) -> str:
        ticket = objects.ticket({"place": place, "largest": LARGEST}, LIFE_MS)
        return f"{settings.public_url.rstrip('/')}/api/oss/object?token={quote(ticket, safe='')}"

    return signed


def read(data: bytes) -> Event | None:
    """The event, or None if it is none that can be kept."""
    if b"\\u0000" in data:
        return None
    try:
        event = READ.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return event if 0 < len(event.id) <= LONGEST and len(event.name) <= LONGEST else None


class Identified(msgspec.Struct):
    id: str


READ_ID = msgspec.json.Decoder(Identified)


def read_id(data: bytes) -> str:
    """The id of a report or event, also of one that cannot be kept; empty where there is none to answer with."""
    try:
        id_ = READ_ID.decode(data).id
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    return id_ if len(id_) <= LONGEST else ""


@dataclass(frozen=True, slots=True)
class Keeper:
    bus: Bus
    objects: Objects
    pool: "asyncpg.Pool"
    intake: Intake
    upload_url: Callable[[str], str]
    quota_gb: str = ""
    seats: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    asking: dict[str, "asyncio.Task[None]"] = field(default_factory=dict[str, "asyncio.Task[None]"])
    tries: "OrderedDict[tuple[str, str], int]" = field(default_factory=OrderedDict[tuple[str, str], int])

    async def keep(
        self, sn: str, event: Event, received: datetime, deliveries: int = 1
    ) -> list[presence.PresenceChange]:
        """Raises what may be better next time; `Unkeepable` for what never will."""
        if event.kind in LARGE and event.size and event.content is None and not event.deleted:
            event.content = await self.fetch(sn, event, deliveries)
        try:
            drawn = await read_map(self.intake, sn, event) if event.kind == "map" else None
            async with self.seats, self.pool.acquire() as db:
                if event.kind == "power" and event.name == "off":
                    return await presence.mark_switched_off(db, sn, event, received)
                if event.kind == "map":
                    await keep_map(db, self.objects, sn, event, drawn, quota_gb=self.quota_gb)
                elif event.kind == "task":
                    await keep_task(db, sn, event)
                elif event.kind in {"group", "schedule"}:
                    await keep_plan(db, sn, event)
                elif event.kind == "occurrence":
                    await keep_occurrence(db, sn, event)
                elif event.kind == "map_sync":
                    await keep_sync_event(db, sn, event)
        except Refusal as why:
            raise Silent(sn) from why
        except (msgspec.ValidationError, UnreadableMap, UnreadablePlan, asyncpg.DataError) as why:
            raise Unkeepable from why
        return []

    async def fetch(self, sn: str, event: Event, deliveries: int) -> Any:
        """Who sends at once is waited for; what comes later is found at a later try."""
        path = f"robots/{sn}/{hashlib.sha256(event.id.encode()).hexdigest()}"
        data = await self.delivered(path, event)
        if data is None:
            if sn not in self.asking:
                self.asking[sn] = asyncio.create_task(self.ask(sn, event.id, path))
                await asyncio.wait([self.asking[sn]], timeout=AT_ONCE_S)
            data = await self.delivered(path, event)
        if data is None:
            self.count_try(sn, event.id, deliveries)
            raise Silent(sn)
        self.tries.pop((sn, event.id), None)
        await self.objects.delete(path)
        if event.kind == "map":  # is read where its picture is
            return msgspec.Raw(data)
        if len(data) > LARGEST_PLAIN:
            raise Unkeepable
        try:
            return msgspec.json.decode(data)
        except msgspec.MsgspecError as why:
            raise Unkeepable from why

    async def ask(self, sn: str, event_id: str, path: str) -> None:
        """One question to a robot at a time; its answer is the content that then lies there."""
        try:
            await self.bus.ask(sn, "send", Send(id=event_id, url=self.upload_url(path)), ANSWERS_IN_S)
        except Silent:
            pass
        except Exception as why:  # noqa: BLE001  the next try asks again
            log.warning("ingest.ask", sn=sn, why=repr(why))
        finally:
            self.asking.pop(sn, None)

    def count_try(self, sn: str, event_id: str, deliveries: int) -> None:
        """Raises `GivenUp` when it was tried often enough, by the bus' count, which outlives this process."""
        tries = self.tries.pop((sn, event_id), 0) + 1
        if deliveries >= MOST_TRIES and tries >= OWN_TRIES:
            GIVEN_UP.inc()
            log.warning("ingest.given_up", sn=sn, event_id=event_id, tries=deliveries)
            raise GivenUp
        self.tries[sn, event_id] = tries
        if len(self.tries) > MOST_COUNTED:
            self.tries.popitem(last=False)

    async def delivered(self, path: str, event: Event) -> bytes | None:
        try:
            data = await self.objects.get(path)
        except Refusal:
            return None
        return data if hashlib.sha256(data).hexdigest() == event.sha256 else None


class Unkeepable(Exception):
    """Ended and counted, not tried for ever."""

    reason: Literal["unreadable", "content_missing"] = "unreadable"


class GivenUp(Unkeepable):
    """Its content did not come; the robot says it again after its next log-in."""

    reason = "content_missing"
