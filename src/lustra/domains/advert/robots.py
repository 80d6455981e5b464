"""Adverts sent to robots once more, and how often robots showed each."""

from datetime import date, timedelta
from typing import Any

from sqlalchemy import func

from lustra.core import jobs, query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.domains.advert import delivery
from lustra.domains.advert.tables import Advert, AdvertDelivery, AdvertShowing
from lustra.domains.delivery.api import reset, reset_failed
from lustra.domains.device.api import Device

COUNTED = 30  # days


async def send_again(ctx: Ctx, device_id: int | None) -> None:
    """A robot for which nobody has made an advert gets nothing."""
    if device_id is None:
        await reset_failed(ctx, AdvertDelivery)
    else:
        await query.fetch_one(ctx.db, ctx.scope.changeable.select(Device).where(Device.id == device_id))
        await reset(ctx, AdvertDelivery, device_id)
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
