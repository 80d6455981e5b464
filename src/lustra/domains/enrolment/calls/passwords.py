"""/device: passwords of robots, and who has read them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages, paginate_columns
from lustra.core.wire import Day, DeviceId, DeviceName, Id, Page, PageOf, SerialNumber, SpanFilter, doc
from lustra.domains.device.api import DeviceRef
from lustra.domains.enrolment import command_delivery, pending_commands, vault


class DevicePasswordView(Wire):
    password: Annotated[str, doc("Password of the robot's own system.")]
    coming: Annotated[bool, doc("Whether a newer one waits until the robot takes it.")]
    set_time: Annotated[datetime, doc("When the password was made.")]


class PasswordReadingFilter(SpanFilter, PageOf):
    user_id: Annotated[
        Id | None, doc("Only robots that this account and those below it owned; null: all in scope.")
    ] = None
    device_serial_number: Annotated[str, doc("Only this robot, at most 32 characters; empty: all.")] = Field(
        "", max_length=32
    )
    start_date: Annotated[Day | None, doc("First day by UTC, included; null: from the first.")] = None
    end_date: Annotated[Day | None, doc("Last day by UTC, included; null: up to today.")] = None


class PasswordReading(Wire):
    id: Annotated[int, doc("Number of the entry.")]
    user_id: Annotated[int, doc("Account that read it.")]
    user_name: Annotated[str, doc("Name of the account that read it.")]
    account: Annotated[str, doc("Login name of the account that read it.")]
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    time: Annotated[datetime, doc("When it was read.")]
    ip: Annotated[str, doc("Network address that it was read from.")]


@call(
    "/device/selectPasswordByDeviceId",
    needs="device/index/view_password",
    person=True,
    changes=("device",),
    audit="device.password_read",
)
async def select_password_by_device_id(ctx: Ctx, payload: DeviceRef) -> DevicePasswordView:
    """Show the password of a robot's own system. Each reading is recorded."""
    return DevicePasswordView.model_validate(await vault.read_password(ctx, payload.device_id))


@call(
    "/device/resetPassword",
    needs="device/index/reset_password",
    person=True,
    changes=("device",),
    audit="device.password_reset",
)
async def reset_password(ctx: Ctx, payload: DeviceRef) -> Nothing:
    """Make a new random password, which the robot takes as soon as it is connected."""
    await vault.reset_password(ctx, payload.device_id)
    return Nothing()


@call("/device/selectViewPwdPageList", needs="device/index/device/selectViewPwdPageList")
async def select_view_pwd_page_list(ctx: Ctx, payload: PasswordReadingFilter) -> Page[PasswordReading]:
    """List who read which robot's password, the newest first."""
    rows = await vault.select_readings(
        ctx, payload.user_id, payload.device_serial_number, payload.start_date, payload.end_date
    )
    page, total = await paginate_columns(ctx.db, rows, payload)
    return Page(list=[PasswordReading.model_validate(row) for row in page], page_num=pages(total, payload), total=total)


jobs.job(pending_commands.JOB)(command_delivery.deliver)
jobs.job("device.errands", cron="* * * * *")(command_delivery.deliver_due)
