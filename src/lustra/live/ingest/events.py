"""What robots own and have changed: maps, tasks, groups, schedules; and that one is switched off.

Rules: the events of one robot are taken in their order; one that can never be kept is ended and counted; a content too
large for the bus is sent to a signed URL when we ask for it; the receipt goes out after the commit. A robot is asked
beside the batch, so one that does not answer delays nobody else; after MOST_TRIES its event is given up.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import asyncpg
import msgspec
import structlog
from prometheus_client import Counter

from lustra.core.bus import Bus, Silent
from lustra.core.db import Connection
from lustra.core.errors import Refusal
from lustra.core.files import addresses
from lustra.core.files.intake import Intake
from lustra.core.files.objects import Objects
from lustra.core.settings import Settings
from lustra.domains.advert.api import keep_advert
from lustra.domains.backup.api import keep_backup, keep_restore
from lustra.domains.device.api import store_commands
from lustra.domains.device_log.api import keep_files, keep_upload
from lustra.domains.map.api import Drawn, keep_map, keep_sync_event, read_map
from lustra.domains.report.api import warn_of_wet_floor
from lustra.domains.rollout.api import keep_update
from lustra.domains.tablet.api import keep_tablet
from lustra.domains.task.api import keep_occurrence, keep_plan, keep_task
from lustra.live.ingest import presence
from lustra.protocol.bus import Event, Send
from lustra.protocol.flaws import LATEST_AT, Flawed, flaw_of, read_whole

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
KEEPERS: Mapping[str, Callable[[Connection, str, Event], Awaitable[None]]] = {
    "task": keep_task,
    "group": keep_plan,
    "schedule": keep_plan,
    "occurrence": keep_occurrence,
    "map_sync": keep_sync_event,
    "files": keep_files,
    "file_upload": keep_upload,
    "backup": keep_backup,
    "restore": keep_restore,
    "update": keep_update,
    "tablet": keep_tablet,
    "adverts": keep_advert,
    "commands": store_commands,
}
LARGE = ("map", "task", "group", "schedule", "occurrence", "files", "backup")  # may be too large for the bus


def upload_url(settings: Settings, objects: Objects) -> Callable[[str], str]:
    """URLs that take the content of one place, for a minute."""

    def signed(place: str) -> str:
        return addresses.upload_url(settings, objects, {"place": place, "largest": LARGEST}, LIFE_MS)

    return signed


def read(data: bytes) -> Event:
    """The event. Raises Flawed where it never can be stored."""
    event = read_whole(READ, data)
    if not event.id:
        raise Flawed("id", "missing")
    for name in ("id", "name"):
        if len(getattr(event, name)) > LONGEST:
            raise Flawed(name, "out_of_range")
    if not 0 < event.at < LATEST_AT:
        raise Flawed("at", "out_of_range")
    return event


class Identified(msgspec.Struct):
    id: Any = ""
    at: Any = 0


READ_ID = msgspec.json.Decoder(Identified)


def read_id(data: bytes) -> tuple[str, int]:
    """Id and time of a report or an event, also of one that cannot be stored; "" and 0 where it has none."""
    try:
        message = READ_ID.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "", 0
    id_ = message.id if isinstance(message.id, str) and len(message.id) <= LONGEST else ""
    return id_, message.at if isinstance(message.at, int) and 0 < message.at < LATEST_AT else 0


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
        """Raises what may be better next time; Flawed for what never will be."""
        if event.kind in LARGE and event.size and event.content is None and not event.deleted:
            event.content = await self.fetch(sn, event, deliveries)
        try:
            drawn = await read_map(self.intake, sn, event) if event.kind == "map" else None
            async with self.seats, self.pool.acquire() as db:
                if event.kind == "power" and event.name == "off":
                    return await presence.mark_switched_off(db, sn, event, received)
                await self.store(db, sn, event, drawn)
        except Refusal as why:
            raise Silent(sn) from why
        except msgspec.ValidationError as why:
            flaw = flaw_of(why)
            raise Flawed(f"content.{flaw.field}".rstrip("."), flaw.reason) from why
        except asyncpg.DataError as why:
            raise Flawed("content") from why
        return []

    async def store(self, db: Connection, sn: str, event: Event, drawn: Drawn | None) -> None:
        """Of `power` and `map_loaded` nothing is stored."""
        if event.kind == "map":
            await keep_map(db, self.objects, sn, event, drawn, quota_gb=self.quota_gb)
        elif event.kind in KEEPERS:
            await KEEPERS[event.kind](db, sn, event)
        if event.kind == "occurrence":
            await warn_of_wet_floor(db, sn, event)

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
            raise Flawed("size", "out_of_range")
        try:
            return msgspec.json.decode(data)
        except msgspec.MsgspecError as why:
            raise Flawed("content") from why

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


class GivenUp(Exception):
    """Its content did not come; the robot says it again after its next log-in."""
