"""How far robots are with what they shall show. A domain keeps a row for each robot in a table of its own, with
`device_id`, `state`, `reason`, `tried_at`, `shown_at` and `updated_at`.
"""

from collections.abc import Sequence
from typing import Any, Literal, get_args

from sqlalchemy import func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.wire import PageOf
from lustra.domains.device.api import Device

State = Literal["waiting", "sent", "shown", "failed"]


async def load_page(
    ctx: Ctx, table: type[Any], paging: PageOf, state: State | None, *columns: Any
) -> tuple[Sequence[Any], int]:
    """The robots in scope, by name, with what they are called; `state`: only those that are so far; `columns`: what
    else of the table is shown."""
    rows = (
        ctx.scope.select(table.device_id, table.state, table.reason)
        .add_columns(
            table.shown_at.label("shown_time"),
            table.updated_at.label("update_time"),
            Device.serial_number.label("device_serial_number"),
            Device.name.label("device_code"),
            *columns,
        )
        .join(Device, Device.id == table.device_id)
    )
    if state:
        rows = rows.where(table.state == state)
    return await query.paginate_columns(ctx.db, rows.order_by(Device.name, table.device_id), paging)


async def count_by_state(ctx: Ctx, table: type[Any]) -> dict[State, int]:
    rows = ctx.scope.select(table.state, func.count()).group_by(table.state)
    counts: dict[str, int] = {row[0]: row[1] for row in await ctx.db.execute(rows)}
    return {state: counts.get(state, 0) for state in get_args(State)}


async def reset_failed(ctx: Ctx, table: type[Any]) -> None:
    """All on which it failed get it again."""
    await _reset(ctx, table, table.state == "failed")


async def reset(ctx: Ctx, table: type[Any], device_id: int) -> bool:
    """One robot gets it again; false: it has none in scope."""
    ctx.note(deviceId=device_id)
    return await _reset(ctx, table, table.device_id == device_id)


async def _reset(ctx: Ctx, table: type[Any], condition: Any) -> bool:
    values = {"state": "waiting", "reason": "", "tried_at": None, "updated_at": now()}
    rows = ctx.scope.changeable.update(table).where(condition).values(values)
    return bool((await ctx.db.execute(rows.returning(table.device_id))).all())
