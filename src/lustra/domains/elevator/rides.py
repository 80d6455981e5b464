"""What people see and say of an elevator at work: `lustra elevators` gives it to robots, and reads here what people
want.

Rules: a person's word wins. Out of service, no robot gets it, and whoever rides loses it; one that is inside waits
there. A release ends what holds the elevator and says that the cabin is empty. Both want a reason, and are recorded.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Ctx
from lustra.core.query import paginate
from lustra.core.scope import System, shared
from lustra.core.wire import PageOf
from lustra.domains.elevator.service import load_elevator
from lustra.domains.elevator.tables import Elevator, ElevatorRide

LATELY = 20  # newest rides that are looked at
ENOUGH = 3  # rides that there must be
STUCK = timedelta(minutes=15)  # so long holds only one that something went wrong with


async def list_page(ctx: Ctx, elevator_id: int, paging: PageOf) -> tuple[Sequence[ElevatorRide], int]:
    """One page of an elevator's rides, the newest first, and how many there are."""
    row = await load_elevator(ctx, elevator_id)
    rows = ctx.scope.select(ElevatorRide).where(ElevatorRide.elevator_id == row.id)
    newest = rows.order_by(ElevatorRide.created_at.desc(), ElevatorRide.id.desc())
    return await paginate(ctx.db, newest, paging)


async def load_ride_durations(ctx: Ctx, elevators: Sequence[int]) -> dict[int, timedelta]:
    """How long a ride has held each elevator lately: from its wish, or from when the one before it was out, until the
    robot was out. Of elevators with too few rides nothing is said."""
    rides = (
        ctx.scope.select(ElevatorRide)
        .where(
            ElevatorRide.elevator_id.in_(elevators),
            ElevatorRide.boarded_at.is_not(None),
            ElevatorRide.ended_at.is_not(None),
        )
        .subquery()
    )
    before = func.lag(rides.c.ended_at).over(partition_by=rides.c.elevator_id, order_by=(rides.c.ended_at, rides.c.id))
    newest = func.row_number().over(
        partition_by=rides.c.elevator_id, order_by=(rides.c.ended_at.desc(), rides.c.id.desc())
    )
    held = rides.c.ended_at - func.greatest(rides.c.created_at, before)
    ridden = shared.select(rides.c.elevator_id, rides.c.reason, held.label("held"), newest.label("newest")).subquery()
    lately = shared.select(ridden.c.elevator_id, func.avg(ridden.c.held).label("held")).where(
        ridden.c.newest <= LATELY, ridden.c.reason == "", ridden.c.held < STUCK
    )
    enough = lately.group_by(ridden.c.elevator_id).having(func.count() >= ENOUGH)
    return {row.elevator_id: row.held for row in await ctx.db.execute(enough)}


async def load_last_elevators(
    db: AsyncSession, scope: System, robots: Sequence[int], since: datetime
) -> dict[int, Elevator]:
    """Of each robot the elevator that it asked for last, if that was not before then."""
    rides = scope.select(ElevatorRide.device_id, Elevator).join(Elevator, Elevator.id == ElevatorRide.elevator_id)
    rides = rides.where(ElevatorRide.device_id.in_(robots), ElevatorRide.created_at >= since)
    rows = await db.execute(rides.order_by(ElevatorRide.created_at, ElevatorRide.id))
    return {robot: elevator for robot, elevator in rows if robot is not None}


async def load_robot_names(ctx: Ctx, elevators: Iterable[Elevator]) -> dict[str, str]:
    """What the robots that ride or wait are called, by serial number."""
    serials = {sn for elevator in elevators for sn in robots_at(elevator.live)}
    rows = ctx.scope.select(ElevatorRide).where(ElevatorRide.sn.in_(serials)).order_by(ElevatorRide.id)
    return {ride.sn: ride.name for ride in await ctx.db.scalars(rows)} if serials else {}


def robots_at(live: dict[str, Any]) -> set[str]:
    return {live.get("holder", ""), live.get("occupant", ""), *live.get("queue", [])} - {""}


async def set_service(ctx: Ctx, elevator_id: int, *, out: bool, reason: str) -> None:
    row = await load_elevator(ctx, elevator_id, lock=True)
    ctx.note(elevatorName=row.elevator_name, before={"out": row.out_of_service}, after={"out": out, "reason": reason})
    row.out_of_service, row.out_reason = out, reason if out else ""


async def release(ctx: Ctx, elevator_id: int, reason: str) -> None:
    """End what holds the elevator now. Called again, it ends what holds it then."""
    row = await load_elevator(ctx, elevator_id, lock=True)
    ctx.note(elevatorName=row.elevator_name, before={"live": row.live}, after={"reason": reason})
    row.releases += 1
    row.live = row.live | {"occupant": ""}
