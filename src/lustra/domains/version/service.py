"""What the kinds of versions have in common."""

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import Select, func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import Base
from lustra.core.errors import Code, Refusal
from lustra.core.scope import shared
from lustra.domains.device.api import Device, DeviceType

R = TypeVar("R", bound=Base)


async def load_row(ctx: Ctx, table: type[R], row_id: int) -> R:
    return await query.fetch_one(ctx.db, _row(table, row_id))


async def lock_row(ctx: Ctx, table: type[R], row_id: int) -> R:
    return await query.fetch_one(ctx.db, _row(table, row_id).with_for_update())


def _row(table: type[Base], row_id: int) -> Select[Any]:
    return shared.select(table).where(table.__table__.c.id == row_id)


async def refuse_taken(ctx: Ctx, taken: Select[Any], own: int | None, field: str, reason: str = "") -> None:
    """`taken`: the number of the row that has the name already."""
    if await ctx.db.scalar(taken) not in (None, own):
        raise Refusal(Code.EXISTS, field, reason=reason)


def same_name(column: Any, name: str) -> Any:
    """The condition that a name is the same, whatever its capitals."""
    return func.lower(column) == func.lower(name)


async def refuse_unknown_types(ctx: Ctx, type_ids: Sequence[int], field: str) -> None:
    known = shared.select(func.count(DeviceType.id)).where(DeviceType.id.in_(type_ids))
    if await ctx.db.scalar(known) != len(set(type_ids)):
        raise Refusal(Code.BAD_INPUT, field, reason="type_unknown")


def refuse_if_published(published: object) -> None:
    """What robots may take stays as it is; it is unpublished first."""
    if published:
        raise Refusal(Code.BAD_INPUT, reason="version_published")


async def find_robot(ctx: Ctx, serial_number: str) -> Device:
    """A robot that the actor sees."""
    return await query.fetch_one(ctx.db, ctx.scope.select(Device).where(Device.serial_number == serial_number))
