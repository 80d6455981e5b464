"""Rides and the state of elevators in the database: what the screen shows, and what a process that starts anew takes
up.
"""

from typing import Any

import asyncpg
import msgspec

from lustra.core.scope import robots_own
from lustra.elevators import queries
from lustra.elevators.queries import ELEVATORS
from lustra.elevators.session import ElevatorState, Ride, Session

Pool = asyncpg.Pool
Row = Any


class Live(msgspec.Struct, kw_only=True, rename="camel"):
    """What the screen shows of an elevator. `queue`: how many wait; `trouble`: why it does not carry out orders."""

    floor: str = ""
    bound: str = ""
    door: str = ""
    phase: str = ""
    holder: str = ""
    occupant: str = ""
    queue: list[str] = []
    trouble: str = ""


def live(session: Session, seen: ElevatorState | None, trouble: str) -> Live:
    row, holder = Live(occupant=session.occupant, trouble=trouble), session.holder
    if seen:
        row.floor, row.bound, row.door = seen.floor, seen.bound, seen.door
    if holder:
        row.phase, row.holder = holder.phase, holder.robot
    row.queue = [ride.robot for ride in session.queue]
    return row


async def keep(pool: Pool, elevator: int, ride: Ride) -> None:
    await pool.execute(
        robots_own.sql(queries.STORE_RIDE),
        ride.id,
        elevator,
        ride.robot,
        ride.origin,
        ride.target,
        ride.phase,
        ride.reason,
        ride.inside,
    )


async def show(pool: Pool, elevator: int, live_row: Live) -> None:
    await pool.execute(ELEVATORS.sql(queries.STORE_LIVE), elevator, msgspec.to_builtins(live_row))


async def rideable(pool: Pool, sn: str, building: str) -> list[Row]:
    return await pool.fetch(robots_own.sql(queries.RIDEABLE), sn, building)


async def by_ids(pool: Pool, ids: list[int]) -> list[Row]:
    return await pool.fetch(ELEVATORS.sql(queries.BY_IDS), ids)


async def open_rides(pool: Pool, now: float) -> list[tuple[Row, Session]]:
    """Elevators that had rides, or somebody inside, when the process before ended."""
    sessions: dict[int, tuple[Row, Session]] = {}
    for row in await pool.fetch(ELEVATORS.sql(queries.OPEN_RIDES)):
        session = sessions.setdefault(row["id"], (row, Session(occupant=row["occupant"], out=row["out"])))[1]
        if row["ride"] is None:
            continue
        ride = Ride(row["ride"], row["sn"], row["from_floor"], row["to_floor"], now, now, row["phase"], row["inside"])
        if ride.phase != "waiting" and session.holder is None:
            session.holder = ride
        else:
            ride.phase = "waiting"
            session.queue.append(ride)
        if ride.inside:
            session.occupant = ride.robot
    return list(sessions.values())
