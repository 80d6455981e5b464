"""What of robots' messages was not stored, and why: said to the robot, counted, logged, and the newest shown.

Rules: a refused report or event is answered each time; a flaw of states, which come again and again, once a minute for
each robot, field and reason. The log and the database hear of a flaw as often as that, too.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import structlog
from prometheus_client import Counter

from lustra.core.bus import Bus
from lustra.core.scope import robots_own
from lustra.live.ingest import queries
from lustra.protocol import bus as protocol
from lustra.protocol.bus import Refused

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger(__name__)
Kind = Literal["state", "alarm", "report", "event"]
REFUSED = Counter("lustra_ingest_refused", "Messages, or fields of states, that were not stored", ["sn", "reason"])
SAY_EACH_S = 60.0
MOST_FLAWS = 10_000  # that are remembered; the oldest is then said again a little early
LONGEST = 256  # letters of an id or a field


def storable(text: str) -> str:
    return text.replace("\0", "")[:LONGEST]


@dataclass(slots=True)
class Refusals:
    bus: Bus
    pool: "asyncpg.Pool"
    clock: Callable[[], float] = time.monotonic
    reported_at: "OrderedDict[tuple[str, str, str, str], float]" = field(
        default_factory=OrderedDict[tuple[str, str, str, str], float]
    )

    async def add(self, sn: str, kind: Kind, refused: Refused) -> None:
        """One message that was refused, or one field of a state."""
        REFUSED.labels(sn, refused.reason).inc()
        due = self.is_due((sn, kind, refused.field, refused.reason))
        if due or kind != "state":
            await self.bus.publish(protocol.cmd(sn, "refused"), protocol.encode(refused))
        if due:
            reference, place = storable(refused.id or str(refused.at)), storable(refused.field)
            log.warning("ingest.refused", sn=sn, kind=kind, reference=reference, field=place, why=refused.reason)
            async with self.pool.acquire() as db:
                await db.execute(robots_own.sql(queries.STORE_REFUSAL), sn, kind, reference, place, refused.reason)

    def is_due(self, flaw: tuple[str, str, str, str]) -> bool:
        now = self.clock()
        before = self.reported_at.get(flaw)
        if before is not None and now - before < SAY_EACH_S:
            return False
        self.reported_at[flaw] = now
        self.reported_at.move_to_end(flaw)
        if len(self.reported_at) > MOST_FLAWS:
            self.reported_at.popitem(last=False)
        return True
