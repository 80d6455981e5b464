"""/device: passwords of robots, and who has read them."""

from datetime import datetime

from pydantic import Field
from sqlalchemy import func, select

from lustra.core.query import bounded, pages
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Day, Id, Page, PageOf
from lustra.domains.device import vault


class OneDevice(Wire):
    device_id: Id
    user_id: Id | None = None


class Password(Wire):
    """`coming`: the robot has not taken a newer one yet."""

    password: str
    coming: bool
    set_time: datetime


class Readings(PageOf):
    user_id: Id | None = None
    device_serial_number: str = Field("", max_length=32)
    start_date: Day | None = None
    end_date: Day | None = None


class Reading(Wire):
    """`userName`: who read it."""

    id: int
    user_id: int
    user_name: str
    account: str
    device_id: int
    device_serial_number: str
    device_code: str
    time: datetime
    ip: str


@call(
    "/device/selectPasswordByDeviceId", needs="device/index/view_password", person=True, changes=("device",),
    audit="device.password_read",
)  # fmt: skip
async def select_password_by_device_id(ctx: Ctx, wanted: OneDevice) -> Password:
    """Each reading is recorded."""
    return Password.model_validate(await vault.read(ctx, wanted.device_id))


@call(
    "/device/resetPassword", needs="device/index/reset_password", person=True, changes=("device",),
    audit="device.password_reset",
)  # fmt: skip
async def reset_password(ctx: Ctx, wanted: OneDevice) -> Nothing:
    """A new random one, which the robot takes as soon as it is there."""
    await vault.reset(ctx, wanted.device_id)
    return Nothing()


@call("/device/selectViewPwdPageList", needs="device/index/device/selectViewPwdPageList")
async def select_view_pwd_page_list(ctx: Ctx, wanted: Readings) -> Page[Reading]:
    """Who read which robot's password, the newest first."""
    rows = await vault.narrowed(ctx, wanted.user_id, wanted.device_serial_number, wanted.start_date, wanted.end_date)
    total = await ctx.db.scalar(select(func.count()).select_from(rows.order_by(None).subquery())) or 0
    bounded(total, wanted)
    found = await ctx.db.execute(rows.limit(wanted.page_size).offset((wanted.current_page - 1) * wanted.page_size))
    return Page(list=[Reading.model_validate(row) for row in found], page_num=pages(total, wanted), total=total)
