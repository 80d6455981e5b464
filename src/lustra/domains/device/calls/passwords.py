"""/device: passwords of robots, and who has read them."""

from datetime import datetime

from pydantic import Field

from lustra.core.query import pages, paginate_columns
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Day, Id, Page, PageOf
from lustra.domains.device import vault
from lustra.domains.device.calls.devices import DeviceRef


class DevicePasswordView(Wire):
    """`coming`: the robot has not taken a newer one yet."""

    password: str
    coming: bool
    set_time: datetime


class PasswordReadingFilter(PageOf):
    user_id: Id | None = None
    device_serial_number: str = Field("", max_length=32)
    start_date: Day | None = None
    end_date: Day | None = None


class PasswordReading(Wire):
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
    "/device/selectPasswordByDeviceId",
    needs="device/index/view_password",
    person=True,
    changes=("device",),
    audit="device.password_read",
)
async def select_password_by_device_id(ctx: Ctx, payload: DeviceRef) -> DevicePasswordView:
    """Each reading is recorded."""
    return DevicePasswordView.model_validate(await vault.read_password(ctx, payload.device_id))


@call(
    "/device/resetPassword",
    needs="device/index/reset_password",
    person=True,
    changes=("device",),
    audit="device.password_reset",
)
async def reset_password(ctx: Ctx, payload: DeviceRef) -> Nothing:
    """A new random one, which the robot takes as soon as it is there."""
    await vault.reset_password(ctx, payload.device_id)
    return Nothing()


@call("/device/selectViewPwdPageList", needs="device/index/device/selectViewPwdPageList")
async def select_view_pwd_page_list(ctx: Ctx, payload: PasswordReadingFilter) -> Page[PasswordReading]:
    """Who read which robot's password, the newest first."""
    rows = await vault.select_readings(
        ctx, payload.user_id, payload.device_serial_number, payload.start_date, payload.end_date
    )
    page, total = await paginate_columns(ctx.db, rows, payload)
    return Page(list=[PasswordReading.model_validate(row) for row in page], page_num=pages(total, payload), total=total)
