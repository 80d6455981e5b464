"""Robots are leased, and come back.

Rules: a lease begins today at the latest; a lessee with an account owns the robot from then on, and when the lease is
ended the robot goes back: both times somebody says what becomes of maps, tasks, recordings and password, as with every
change of owner (ownership/handover). A robot is leased once at a time, to whoever; while it is, its owner stays and
nobody deletes it. A lease whose end is past is overdue and goes on: only a person ends it, since it may still stand at
the customer's. The lessor's scope ends it; the lessee sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Date, cast, func, or_

from lustra.core import query
from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.core.wire import PageOf
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.device.api import Device, Things, load_owned, load_owner
from lustra.domains.lease.tables import Lease
from lustra.domains.ownership.api import change_owner

RUNNING = 0
ENDED = 1


@dataclass(frozen=True, slots=True)
class Terms:
    lessee_id: int | None
    customer_name: str
    start: date
    end: date | None
    remark: str
    things: Things


@dataclass(frozen=True, slots=True)
class LeaseQuery:
    """`text`: a part of lessee, remark, or the robot's name or number."""

    user_id: int | None
    device_id: int | None
    state: int | None
    overdue: bool
    text: str


def may_end(actor: Actor, row: Lease) -> bool:
    """Whether the actor may end a lease: its lessor lies in the actor's scope."""
    return f"{row.owner_path}.".startswith(f"{actor.path}.")


def local_today(robot: Device) -> date:
    return datetime.now(ZoneInfo(robot.zone)).date()


def is_overdue(row: Lease, robot: Device) -> bool:
    return row.stopped_at is None and row.end_date is not None and row.end_date < local_today(robot)


def _conditions(filters: LeaseQuery) -> list[ColumnElement[bool]]:
    leased = system("what a lease in scope is about")
    names = leased.select(Device.name + " " + Device.serial_number).where(Device.id == Lease.device_id)
    here = leased.select(cast(func.timezone(Device.zone, func.now()), Date)).where(Device.id == Lease.device_id)
    conditions: list[ColumnElement[bool]] = []
    if filters.device_id is not None:
        conditions.append(Lease.device_id == filters.device_id)
    if filters.state is not None:
        conditions.append(Lease.stopped_at.is_not(None) if filters.state == ENDED else Lease.stopped_at.is_(None))
    if filters.overdue:
        conditions += [Lease.stopped_at.is_(None), Lease.end_date < here.scalar_subquery()]
    if words := filters.text.strip():
        searched = func.lower(
            func.normalize(func.concat_ws(" ", Lease.customer_name, Lease.remark, names.scalar_subquery()))
        )
        conditions.append(func.strpos(searched, func.lower(func.normalize(words))) > 0)
    return conditions


async def load_page(ctx: Ctx, filters: LeaseQuery, paging: PageOf) -> tuple[Sequence[Lease], int]:
    """Running ones first, whose end is nearest; then those that ended last."""
    scope = await narrow_scope(ctx, filters.user_id)
    rows = scope.select(Lease).where(*_conditions(filters))
    rows = rows.order_by(Lease.stopped_at.desc().nulls_first(), Lease.end_date.nulls_last(), Lease.id.desc())
    return await query.paginate(ctx.db, rows, paging)


async def load_devices(ctx: Ctx, leases: Sequence[Lease]) -> dict[int, Device]:
    """Also of those that are another's or deleted by now."""
    return {robot.id: robot for robot in await ctx.db.scalars(rows_of(*leases).select(Device))}


async def begin_lease(ctx: Ctx, device_id: int, terms: Terms) -> Lease:
    robot = await load_owned(ctx, device_id)
    day = local_today(robot)
    if terms.start > day:
        raise Refusal(Code.BAD_INPUT, "startDate", reason="day_to_come")
    if terms.end is not None and terms.end < max(day, terms.start):
        raise Refusal(Code.BAD_INPUT, "endDate", reason="day_passed")
    await _refuse_overlap(ctx, robot, terms.start)
    lessee = None if terms.lessee_id is None else await load_owner(ctx, terms.lessee_id, "lesseeUserId")
    if lessee and lessee.id == robot.owner_id:
        raise Refusal(Code.BAD_INPUT, "lesseeUserId", reason="lessee_owner")
    name = terms.customer_name or (lessee.name if lessee else "")
    if not name:
        raise Refusal(Code.BAD_INPUT, "customerName", reason="required")
    lease = Lease(
        device_id=robot.id,
        owner_id=robot.owner_id,
        owner_path=robot.owner_path,
        customer_name=name,
        lessee_id=lessee and lessee.id,
        lessee_path=lessee and lessee.path,
        start_date=terms.start,
        end_date=terms.end,
        remark=terms.remark,
    )
    if lessee:
        await change_owner(ctx, robot, lessee, terms.things)
    ctx.db.add(lease)
    await ctx.db.flush()
    return lease


async def _refuse_overlap(ctx: Ctx, robot: Device, start: date) -> None:
    """The database would refuse it too (lease_once), without saying why. One that ended may be a former owner's, so it
    is not told to whom."""
    rows = rows_of(robot).select(Lease).where(or_(Lease.stop_date.is_(None), Lease.stop_date > start))
    row = await ctx.db.scalar(rows.order_by(Lease.stop_date.desc().nulls_first()).limit(1))
    if row and row.stop_date is None:
        raise Refusal(Code.BAD_INPUT, "deviceId", reason="leased", lessee=row.customer_name, start=row.start_date)
    if row:
        raise Refusal(Code.BAD_INPUT, "startDate", reason="lease_overlaps")


async def end_lease(ctx: Ctx, lease_id: int, things: Things) -> None:
    """Once. The robot goes back wherever it is: the lessor's right, not that of who has it."""
    rows = ctx.scope.changeable.select(Lease).where(Lease.id == lease_id)
    row = await query.fetch_one(ctx.db, rows.with_for_update())
    if row.stopped_at is not None:
        raise Refusal(Code.BAD_INPUT, "id", reason="lease_ended")
    robot = await query.fetch_one(ctx.db, rows_of(row).select(Device).with_for_update())
    row.stopped_at, row.stop_date, row.stopped_by = now(), max(local_today(robot), row.start_date), ctx.actor.name
    ctx.note(deviceId=robot.id, customerName=row.customer_name)
    await ctx.db.flush()
    if row.lessee_id is not None:
        row.things = things
        await change_owner(ctx, robot, await _find_lessor(ctx, row), things)


async def _find_lessor(ctx: Ctx, row: Lease) -> Account:
    """The lessor's account; where it is deleted, the nearest account above it."""
    up = (
        system("the lessor of a lease in scope")
        .select(Account)
        .where(Account.path.op("@>")(func.text2ltree(row.owner_path)), Account.deleted_at.is_(None))
    )
    return await query.fetch_one(ctx.db, up.order_by(Account.level.desc()).limit(1))
