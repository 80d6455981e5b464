"""What people see and say of a lift at work: `lustra lifts` gives it to robots, and reads here what people want.

Rules: a person's word wins. Out of service, no robot gets it, and whoever rides loses it; one that is inside waits
there. A release ends what holds the lift and says that the cabin is empty. Both want a reason, and are recorded.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Select, func, select

from lustra.core.context import Actor, Ctx
from lustra.core.permission import within
from lustra.core.query import bounded
from lustra.core.wire import PageOf
from lustra.domains.account.tables import Account
from lustra.domains.elevator.service import elevator
from lustra.domains.elevator.tables import Elevator, LiftRide


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
