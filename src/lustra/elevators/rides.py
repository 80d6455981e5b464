"""Rides and the state of elevators in the database: what the screen shows, and what a process that starts anew takes
up.
"""

from typing import Any

import asyncpg
import msgspec

from lustra.elevators.session import ElevatorState, Ride, Session

ELEVATOR = """e.id, e.elevator_name as name, e.code, e.provider, e.floor as floors, e.server,
  e.module_id, e.robot_id, e.secret, e.out_of_service as out, e.releases,
  coalesce(e.live->>'occupant', '') as occupant"""
# Those that a robot may ride: its own, and all of its building that belong to its owner.
RIDEABLE = f"""
select {ELEVATOR}, e.id is not distinct from d.elevator_id as own
from device d join elevator e on e.id = d.elevator_id
  or (e.account_id = d.owner_id and lower(e.building_name) = lower($2) and $2 <> '')
where d.serial_number = $1 and d.deleted_at is null order by own desc, e.id"""
BY_IDS = f"select {ELEVATOR} from elevator e where e.id = any($1::bigint[])"
OPEN = f"""
select {ELEVATOR}, r.ride, r.sn, r.from_floor, r.to_floor, r.phase, r.boarded_at is not null as inside
from elevator e left join lift_ride r on r.elevator_id = e.id and r.ended_at is null
where r.id is not null or coalesce(e.live->>'occupant', '') <> '' order by r.phase = 'waiting', r.id"""
KEEP = """
insert into lift_ride (ride, elevator_id, account_id, device_id, sn, name, from_floor, to_floor, phase)
select $1, $2, e.account_id, d.id, $3, d.name, $4, $5, $6
from elevator e join device d on d.serial_number = $3 and d.deleted_at is null where e.id = $2
on conflict (sn, ride) do update set phase = excluded.phase, reason = $7, updated_at = now(),
  boarded_at = case when $8 then coalesce(lift_ride.boarded_at, now()) else lift_ride.boarded_at end,
  ended_at = case when excluded.phase = 'ended' then coalesce(lift_ride.ended_at, now()) end"""
LIVE = "update elevator set live = $2::jsonb where id = $1 and live is distinct from $2::jsonb"

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
        KEEP, ride.id, elevator, ride.robot, ride.origin, ride.target, ride.phase, ride.reason, ride.inside
    )


async def show(pool: Pool, elevator: int, live_row: Live) -> None:
    await pool.execute(LIVE, elevator, msgspec.to_builtins(live_row))


async def rideable(pool: Pool, sn: str, building: str) -> list[Row]:
    return await pool.fetch(RIDEABLE, sn, building)


async def by_ids(pool: Pool, ids: list[int]) -> list[Row]:
    return await pool.fetch(BY_IDS, ids)


async def open_rides(pool: Pool, now: float) -> list[tuple[Row, Session]]:
    """Elevators that had rides, or somebody inside, when the process before ended."""
    sessions: dict[int, tuple[Row, Session]] = {}
    for row in await pool.fetch(OPEN):
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
