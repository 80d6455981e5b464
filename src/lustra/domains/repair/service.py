"""Repair records.

Rules: pending, then processing by somebody, then handled at a time and by a plan; never back and none left out, and
what is handled stays as it is. Who sees the robot reports; who has its owner in scope works on it and deletes. A record
stays with the owner of that time, also when the robot goes to another or is deleted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, func

from lustra.core import query
from lustra.core.context import Actor, Ctx
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.core.wire import PageOf
from lustra.domains.account.api import narrow_scope
from lustra.domains.device.api import Device, load_device
from lustra.domains.repair.tables import Repair

PENDING = 0
PROCESSING = 1
HANDLED = 2


@dataclass(frozen=True, slots=True)
class RepairQuery:
    """`text`: a part of type, detail, plan, names, or the robot's name or number. Both dates are included."""

    user_id: int | None
    device_id: int | None
    state: int | None
    since: date | None
    until: date | None
    text: str


def may_edit(actor: Actor, row: Repair) -> bool:
    """Whether the actor may change a repair: its owner lies in the actor's scope."""
    return f"{row.owner_path}.".startswith(f"{actor.path}.")


def _has_text(words: str) -> ColumnElement[bool]:
    robots = system("what a repair in scope is about").select(Device.name + " " + Device.serial_number)
    names = robots.where(Device.id == Repair.device_id).scalar_subquery()
    parts = (Repair.type, Repair.detail, Repair.process_plan, Repair.operator, Repair.processor, names)
    text = func.lower(func.normalize(func.concat_ws(" ", *parts)))
    return func.strpos(text, func.lower(func.normalize(words))) > 0


async def load_page(ctx: Ctx, filters: RepairQuery, paging: PageOf) -> tuple[Sequence[Repair], int]:
    """Open ones first, then the newest."""
    rows = ctx.scope.select(Repair)
    if filters.user_id is not None:
        rows = rows.where((await narrow_scope(ctx, filters.user_id)).below(Repair.owner_path))
    if filters.device_id is not None:
        rows = rows.where(Repair.device_id == filters.device_id)
    if filters.state is not None:
        rows = rows.where(Repair.state == filters.state)
    if filters.since is not None:
        rows = rows.where(Repair.date >= filters.since)
    if filters.until is not None:
        rows = rows.where(Repair.date <= filters.until)
    if words := filters.text.strip():
        rows = rows.where(_has_text(words))
    rows = rows.order_by((Repair.state == HANDLED), Repair.date.desc(), Repair.id.desc())
    return await query.paginate(ctx.db, rows, paging)


async def load_devices(ctx: Ctx, repairs: Sequence[Repair]) -> dict[int, Device]:
    """Also those that are another's or deleted by now."""
    return {robot.id: robot for robot in await ctx.db.scalars(rows_of(*repairs).select(Device))}


async def create_repair(ctx: Ctx, device_id: int, fields: dict[str, Any]) -> Repair:
    """A repair of a robot that the actor sees. It belongs to the robot's present owner."""
    robot = await load_device(ctx, device_id)
    repair = Repair(device_id=robot.id, owner_id=robot.owner_id, owner_path=robot.owner_path, **fields)
    _check_fields(robot, repair)
    ctx.db.add(repair)
    await ctx.db.flush()
    return repair


async def _lock_repair(ctx: Ctx, repair_id: int) -> Repair:
    """The repair, locked; refused where the actor may only read it."""
    rows = ctx.scope.changeable.select(Repair).where(Repair.id == repair_id)
    return await query.fetch_one(ctx.db, rows.with_for_update())


async def change_repair(ctx: Ctx, repair_id: int, fields: dict[str, Any], seen: datetime | None) -> None:
    row = await _lock_repair(ctx, repair_id)
    robot = (await load_devices(ctx, [row]))[row.device_id]
    before = row.state
    state = fields.get("state", before)
    ctx.note(before=edits.apply(row, fields, seen))
    if before == HANDLED:
        raise Refusal(Code.BAD_INPUT, "state", reason="repair_handled")
    if state not in (before, before + 1):
        raise Refusal(Code.BAD_INPUT, "state", reason="repair_step")
    _check_fields(robot, row)


def _check_fields(robot: Device, row: Repair) -> None:
    zone = ZoneInfo(robot.zone)
    if row.date > datetime.now(zone).date():
        raise Refusal(Code.BAD_INPUT, "date", reason="day_to_come")
    if row.state != PENDING and not row.processor:
        raise Refusal(Code.BAD_INPUT, "processor", reason="required")
    if row.state == HANDLED and not row.process_plan:
        raise Refusal(Code.BAD_INPUT, "processPlan", reason="required")
    if row.state == HANDLED and row.process_time is None:
        raise Refusal(Code.BAD_INPUT, "processTime", reason="required")
    if row.process_time is None:
        return
    if row.process_time > now():
        raise Refusal(Code.BAD_INPUT, "processTime", reason="time_to_come")
    if row.process_time.astimezone(zone).date() < row.date:
        raise Refusal(Code.BAD_INPUT, "processTime", reason="before_report")


async def delete_repair(ctx: Ctx, repair_id: int) -> None:
    row = await _lock_repair(ctx, repair_id)
    ctx.note(deviceId=row.device_id, type=row.type, date=str(row.date), state=row.state)
    await ctx.db.delete(row)


async def delete_before(ctx: Ctx, before: date) -> int:
    """All that were reported before that day, open ones too, of owners in scope."""
    statement = ctx.scope.delete(Repair).where(Repair.date < before).returning(Repair.id)
    count = len((await ctx.db.scalars(statement)).all())
    ctx.note(count=count)
    return count
