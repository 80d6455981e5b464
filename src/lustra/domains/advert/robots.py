"""How far robots are with the adverts that they shall show, and how often they showed each."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Literal, get_args

from sqlalchemy import func

from lustra.core import jobs, query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.wire import PageOf
from lustra.domains.advert import delivery
from lustra.domains.advert.tables import Advert, AdvertDelivery, AdvertShowing
from lustra.domains.device.api import Device

State = Literal["waiting", "sent", "shown", "failed"]
COUNTED = 30  # days


async def load_page(ctx: Ctx, paging: PageOf, state: State | None) -> tuple[Sequence[Any], int]:
    row = AdvertDelivery
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
    rows = ctx.scope.select(AdvertDelivery.state, func.count()).group_by(AdvertDelivery.state)
    counts: dict[str, int] = {row[0]: row[1] for row in await ctx.db.execute(rows)}
    return {state: counts.get(state, 0) for state in get_args(State)}


async def send_again(ctx: Ctx, device_id: int | None) -> None:
    """A robot for which nobody has made an advert gets nothing."""
    rows = ctx.scope.changeable.update(AdvertDelivery)
    if device_id is None:
        rows = rows.where(AdvertDelivery.state == "failed")
    else:
        await query.fetch_one(ctx.db, ctx.scope.changeable.select(Device).where(Device.id == device_id))
        ctx.note(deviceId=device_id)
        rows = rows.where(AdvertDelivery.device_id == device_id)
    values = {"state": "waiting", "reason": "", "tried_at": None, "updated_at": now()}
    await ctx.db.execute(rows.values(values))
    await jobs.later(ctx.db, delivery.DELIVER)


def first_day() -> date:
    return now().date() - timedelta(days=COUNTED)


async def count_showings(ctx: Ctx) -> dict[int, int]:
    """By advert, of the last 30 days."""
    row = AdvertShowing
    rows = ctx.scope.select(row.advert_id, func.sum(row.times)).where(row.day > first_day()).group_by(row.advert_id)
    return {advert: int(times) for advert, times in await ctx.db.execute(rows)}


async def showings_of(ctx: Ctx, advert_id: int) -> tuple[list[tuple[date, int]], list[Any]]:
    """Of one advert in the last 30 days: by day, and by robot. A robot that is somebody else's by now has no name."""
    await query.fetch_one(ctx.db, ctx.scope.select(Advert).where(Advert.id == advert_id))
    row, times = AdvertShowing, func.sum(AdvertShowing.times)
    of_advert = (row.advert_id == advert_id, row.day > first_day())
    days = await ctx.db.execute(ctx.scope.select(row.day, times).where(*of_advert).group_by(row.day).order_by(row.day))
    own = ctx.scope.select(Device.id, Device.serial_number, Device.name).subquery()
    by_robot = (
        ctx.scope.select(row.device_id, times.label("times"), func.max(row.updated_at).label("last_time"))
        .add_columns(own.c.serial_number.label("device_serial_number"), own.c.name.label("device_code"))
        .outerjoin(own, own.c.id == row.device_id)
        .where(*of_advert)
        .group_by(row.device_id, own.c.serial_number, own.c.name)
        .order_by(times.desc(), row.device_id)
    )
    return [(day, int(number)) for day, number in days], list((await ctx.db.execute(by_robot)).all())
