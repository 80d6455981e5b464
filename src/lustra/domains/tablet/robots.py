"""How far the robots of a dealer are with what their tablets shall show."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

from sqlalchemy import func

from lustra.core import jobs, query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.wire import PageOf
from lustra.domains.device.api import Device
from lustra.domains.tablet import delivery
from lustra.domains.tablet.tables import TabletDelivery

State = Literal["waiting", "sent", "shown", "failed"]


async def load_page(ctx: Ctx, paging: PageOf, state: State | None) -> tuple[Sequence[Any], int]:
    row = TabletDelivery
    rows = (
        ctx.scope.select(row.device_id, row.state, row.reason)
        .add_columns(
            row.shown_at.label("shown_time"),
            row.updated_at.label("update_time"),
            Device.serial_number.label("device_serial_number"),
            Device.name.label("device_code"),
        )
        .join(Device, Device.id == row.device_id)
    )
    if state:
        rows = rows.where(row.state == state)
    return await query.paginate_columns(ctx.db, rows.order_by(Device.name, row.device_id), paging)


async def count_by_state(ctx: Ctx) -> dict[State, int]:
    rows = ctx.scope.select(TabletDelivery.state, func.count()).group_by(TabletDelivery.state)
    counts: dict[str, int] = {row[0]: row[1] for row in await ctx.db.execute(rows)}
    return {state: counts.get(state, 0) for state in get_args(State)}


async def send_again(ctx: Ctx, device_id: int | None) -> None:
    rows = ctx.scope.changeable.update(TabletDelivery)
    if device_id is None:
        rows = rows.where(TabletDelivery.state == "failed")
    else:
        ctx.note(deviceId=device_id)
        rows = rows.where(TabletDelivery.device_id == device_id)
    values = {"state": "waiting", "reason": "", "tried_at": None, "updated_at": now()}
    result = await ctx.db.execute(rows.values(values).returning(TabletDelivery.device_id))
    if not result.all() and device_id is not None:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    await jobs.later(ctx.db, delivery.DELIVER)
