"""States of robots into the database, a batch in one statement.

Rules: the newest state only ever moves forward, whenever a message comes: within a stream of the robot's by its
counter, else by its own clock where that is right (live/clocks). What a state does not say of its pose, mode or battery
stays as it was known. One that an earlier version let run ahead of the present gives way to the next. A message counts
once: the point by its slot (one a second at most, one a minute at rest), the m² by what `total` grew by since the
newest state, in the statement that moves it. What comes late fills the points and counts nothing twice. A robot is
online when it is heard after its last good-bye.
"""

from datetime import datetime
from typing import Any

import msgspec

from lustra.core.db import Connection
from lustra.live.clocks import Clocks
from lustra.live.ingest import queries
from lustra.live.ingest.presence import ms
from lustra.live.ingest.queries import INGEST
from lustra.protocol import telemetry
from lustra.protocol.flaws import Reading
from lustra.protocol.telemetry import State

REST = {"idle", "charging"}
SEPARATOR = "\x1f"  # a list of texts travels as one: an array of arrays has one length in PostgreSQL

Row = tuple[Any, ...]


def slot(state: State) -> int:
    """The second that the point stands for; a robot at rest has one a minute."""
    second = state.at // 1000
    return second // 60 * 60 if state.mode in REST and not state.help else second


def build_row(clocks: Clocks, sn: str, received: datetime, reading: Reading) -> Row:
    """The row of a message, by the time that counts."""
    state = reading.state
    at, off = clocks.judge(sn, state.at, ms(received))
    counted = state if at == state.at else msgspec.structs.replace(state, at=at)
    return row(sn, received, counted, off, reading.unknown)


def row(sn: str, received: datetime, state: State, clock_off: int = 0, unknown: frozenset[str] = frozenset()) -> Row:
    values = (None if name in unknown else getattr(state, name) for name in telemetry.COLUMNS)
    return (sn, received, slot(state), clock_off, *map(travelling, values))


def travelling(value: Any) -> Any:
    """What the statement takes: a list as texts with SEPARATOR between them, a dictionary as JSON."""
    if isinstance(value, list):
        return SEPARATOR.join(value)
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else value


async def store(db: Connection, rows: list[Row]) -> tuple[int, list[str]]:
    """One statement, one commit. How many points were new, and who came back online."""
    if not rows:
        return 0, []
    counts = await db.fetchrow(INGEST.sql(queries.STORE_STATES), *zip(*rows, strict=True))
    return (counts["kept"], counts["back"]) if counts else (0, [])


async def clocks_behind(db: Connection) -> list[tuple[str, int]]:
    """Robots whose clock was found behind, and by how many ms (below 0)."""
    rows = await db.fetch(INGEST.sql(queries.CLOCKS_BEHIND))
    return [(row["sn"], row["clock_off"]) for row in rows]
