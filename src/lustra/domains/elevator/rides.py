"""What people see and say of a lift at work: `lustra lifts` gives it to robots, and reads here what people want.

Rules: a person's word wins. Out of service, no robot gets it, and whoever rides loses it; one that is inside waits
there. A release ends what holds the lift and says that the cabin is empty. Both want a reason, and are recorded.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, func, select

from lustra.core.context import Actor, Ctx
from lustra.core.permission import within
from lustra.core.query import bounded
from lustra.core.wire import PageOf
from lustra.domains.account.tables import Account
from lustra.domains.elevator.service import elevator
from lustra.domains.elevator.tables import Elevator, LiftRide

LATELY, ENOUGH = 20, 3  # newest rides that are looked at, and that there must be
STUCK = timedelta(minutes=15)  # so long holds only one that something went wrong with


def visible(actor: Actor) -> Select[LiftRide]:
    """Those of elevators that were in scope then."""
    return select(LiftRide).join(Account, Account.id == LiftRide.account_id).where(within(actor, Account.path))


async def page(ctx: Ctx, elevator_id: int, of: PageOf) -> tuple[Sequence[LiftRide], int]:
    """The newest first."""
    row = await elevator(ctx, elevator_id)
    mine = visible(ctx.actor).where(LiftRide.elevator_id == row.id)
    total = await ctx.db.scalar(select(func.count()).select_from(mine.subquery())) or 0
    bounded(total, of)
    newest = mine.order_by(LiftRide.created_at.desc(), LiftRide.id.desc())
    skipped = (of.current_page - 1) * of.page_size
    return (await ctx.db.scalars(newest.limit(of.page_size).offset(skipped))).all(), total


async def usual(ctx: Ctx, elevators: Sequence[int]) -> dict[int, timedelta]:
    """How long a ride has held each elevator lately: from its wish, or from when the one before it was out, until the
    robot was out. Of elevators with too few rides nothing is said."""
    own = (
        visible(ctx.actor)
        .where(LiftRide.elevator_id.in_(elevators), LiftRide.boarded_at.is_not(None), LiftRide.ended_at.is_not(None))
        .subquery()
    )
    before = func.lag(own.c.ended_at).over(partition_by=own.c.elevator_id, order_by=(own.c.ended_at, own.c.id))
    newest = func.row_number().over(partition_by=own.c.elevator_id, order_by=(own.c.ended_at.desc(), own.c.id.desc()))
    held = own.c.ended_at - func.greatest(own.c.created_at, before)
    ridden = select(own.c.elevator_id, own.c.reason, held.label("held"), newest.label("newest")).subquery()
    lately = select(ridden.c.elevator_id, func.avg(ridden.c.held).label("held")).where(
        ridden.c.newest <= LATELY, ridden.c.reason == "", ridden.c.held < STUCK
    )
    enough = lately.group_by(ridden.c.elevator_id).having(func.count() >= ENOUGH)
    return {row.elevator_id: row.held for row in await ctx.db.execute(enough)}


async def names(ctx: Ctx, found: Iterable[Elevator]) -> dict[str, str]:
    """What the robots that ride or wait are called, by serial number."""
    numbers = {sn for one in found for sn in riders(one.live)}
    mine = visible(ctx.actor).where(LiftRide.sn.in_(numbers)).order_by(LiftRide.id)
    return {one.sn: one.name for one in await ctx.db.scalars(mine)} if numbers else {}


def riders(live: dict[str, Any]) -> set[str]:
    return {live.get("holder", ""), live.get("occupant", ""), *live.get("queue", [])} - {""}


async def set_service(ctx: Ctx, elevator_id: int, *, out: bool, reason: str) -> None:
    row = await elevator(ctx, elevator_id, lock=True)
    ctx.note(elevatorName=row.elevator_name, before={"out": row.out_of_service}, after={"out": out, "reason": reason})
    row.out_of_service, row.out_reason = out, reason if out else ""


async def release(ctx: Ctx, elevator_id: int, reason: str) -> None:
    """Said twice it ends what holds the lift then."""
    row = await elevator(ctx, elevator_id, lock=True)
    ctx.note(elevatorName=row.elevator_name, before={"live": row.live}, after={"reason": reason})
    row.releases += 1
    row.live = row.live | {"occupant": ""}
