"""Which robots are online and which are not.

Rules: a robot is offline when it was silent for the window (setting), or said good-bye; since when and why stays
with it. One that said that it restarts, and has not come back in time, is silent like any other. After a start or an
outage of bus, database or ingest, and while messages wait to be read, nobody is called offline before one full window
of plain listening has gone by.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec

from lustra.core.bus import Bus
from lustra.core.db import Connection
from lustra.core.scope import robots_own
from lustra.live.clocks import LIMIT_MS
from lustra.live.ingest import queries
from lustra.live.ingest.queries import INGEST
from lustra.protocol.bus import Event
from lustra.protocol.subjects import token

RESTART = timedelta(minutes=5)  # longer takes no robot that is well


class Presence(msgspec.Struct, kw_only=True, rename="camel"):
    """What ingest tells push on presence.<sn>, after the commit. `since` in ms."""

    online: bool
    since: int
    reason: str = ""


def subject(sn: str) -> str:
    return f"presence.{token(sn)}"


def now() -> datetime:
    return datetime.now(timezone.utc)


@dataclass
class ListeningWindow:
    """How long we have been listening without a gap."""

    window: timedelta
    since: datetime = field(default_factory=now)

    def restart(self) -> None:
        self.since = now()

    def length_s(self) -> float:
        return (now() - self.since).total_seconds()

    def silent_before(self) -> datetime | None:
        """Who was silent since then is offline; None while we cannot know."""
        return now() - self.window if now() - self.since >= self.window else None


def ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


PresenceChange = tuple[str, Presence]


async def mark_silent(db: Connection, before: datetime) -> list[PresenceChange]:
    return [_presence_change(row) for row in await db.fetch(INGEST.sql(queries.MARK_SILENT), before, RESTART)]


async def mark_switched_off(db: Connection, sn: str, event: Event, received: datetime) -> list[PresenceChange]:
    """By the time of its event, which counts after what came before, unless that ran ahead of the present."""
    content: Any = event.content
    reason = "restarting" if isinstance(content, dict) and content.get("reason") == "reboot" else "switched_off"
    return [
        _presence_change(row)
        for row in await db.fetch(
            robots_own.sql(queries.MARK_SWITCHED_OFF), sn, event.at, received, reason, ms(received) + LIMIT_MS
        )
    ]


def _presence_change(row: Any) -> PresenceChange:
    return row["sn"], Presence(online=False, since=ms(row["since"]), reason=row["reason"])


async def publish(bus: Bus, changes: list[PresenceChange]) -> None:
    """After the commit: the server tells those who look."""
    for sn, presence in changes:
        await bus.publish(subject(sn), msgspec.json.encode(presence))
