"""Passwords of robots (of their own system, not of the bus): sealed at rest, read by few, each reading recorded.

Rules: sealed as core/security/sealed does, each to its robot; a reading is recorded before it is answered, with who
owned the robot then; a new one counts when the robot has taken it.
"""

from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from sqlalchemy import Select, func
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.security import sealed
from lustra.core.security.random_code import random_code
from lustra.core.settings import Settings
from lustra.domains.account.api import Account, narrow_scope, support
from lustra.domains.device.api import Device, load_owned
from lustra.domains.enrolment import pending_commands
from lustra.domains.enrolment.tables import DevicePassword, PasswordAccess

LENGTH = 16
PURPOSE = "device passwords"
READER = aliased(Account)  # made once: it takes longer than to run a statement


def seal(settings: Settings, device_id: int, password: str) -> bytes:
    return sealed.seal(settings, PURPOSE, device_id, password)


def unseal(settings: Settings, device_id: int, data: bytes) -> str:
    return sealed.unseal(settings, PURPOSE, device_id, data)


async def _lock_row(db: AsyncSession, robot: Device) -> DevicePassword:
    row = await db.scalar(
        rows_of(robot).select(DevicePassword).with_for_update().execution_options(populate_existing=True)
    )
    if row is None:
        row = DevicePassword(device_id=robot.id)
        db.add(row)
    return row


async def set_password(ctx: Ctx, robot: Device) -> str:
    """A new password for a robot that gets it at once, at its enrolment."""
    row, password = await _lock_row(ctx.db, robot), random_code(LENGTH)
    row.sealed, row.coming, row.set_at = seal(ctx.app.settings, robot.id, password), None, now()
    return password


async def renew(ctx: Ctx, robot: Device, *, forget: bool = False) -> None:
    """Make a new password, which the robot takes when it is online. `forget`: nobody may read the old one any more."""
    row = await _lock_row(ctx.db, robot)
    row.coming, row.set_at = seal(ctx.app.settings, robot.id, random_code(LENGTH)), now()
    if forget:
        row.sealed = None
    await pending_commands.queue(ctx, robot, "password")


async def confirm_password(db: AsyncSession, robot: Device) -> None:
    """The robot has taken the new password: from now on it is the one to read."""
    row = await _lock_row(db, robot)
    row.sealed, row.coming = row.coming or row.sealed, None


async def read_password(ctx: Ctx, device_id: int) -> dict[str, Any]:
    """The password of a robot in the actor's scope. The reading is recorded in the same transaction, which is committed
    before the answer goes out."""
    robot = await load_owned(ctx, device_id)
    look = support.Look("password", robot.id, robot.name, robot.id)
    await support.demand_access(ctx, look, robot.owner_path, "deviceId")
    row = await ctx.db.scalar(rows_of(robot).select(DevicePassword))
    if row is None or row.sealed is None:
        raise Refusal(Code.BAD_INPUT, "deviceId", reason="password_coming" if row else "password_none")
    ctx.db.add(
        PasswordAccess(device_id=robot.id, owner_id=robot.owner_id, account_id=ctx.actor.real_id, address=ctx.address)
    )
    return {
        "password": unseal(ctx.app.settings, robot.id, row.sealed),
        "coming": row.coming is not None,
        "set_time": row.set_at,
    }


async def reset_password(ctx: Ctx, device_id: int) -> None:
    await renew(ctx, await load_owned(ctx, device_id))


async def select_readings(
    ctx: Ctx, user_id: int | None, serial: str, start: date | None, end: date | None
) -> Select[*tuple[Any, ...]]:
    """Readings of robots that the actor's scope owned then; by days of UTC."""
    scope = await narrow_scope(ctx, user_id)
    reading = PasswordAccess
    rows = (
        scope.select(reading.id, reading.account_id.label("user_id"))
        .add_columns(
            READER.name.label("user_name"),
            READER.account,
            reading.device_id,
            Device.serial_number.label("device_serial_number"),
            Device.name.label("device_code"),
            reading.created_at.label("time"),
            reading.address.label("ip"),
        )
        .join(READER, READER.id == reading.account_id)
        .join(Device, Device.id == reading.device_id)
    )
    if serial:
        rows = rows.where(func.strpos(func.lower(Device.serial_number), serial.lower()) > 0)
    if start:
        rows = rows.where(reading.created_at >= datetime.combine(start, time.min, timezone.utc))
    if end:
        rows = rows.where(reading.created_at < datetime.combine(end, time.min, timezone.utc) + timedelta(days=1))
    return rows.order_by(reading.id.desc())


async def load_coming_password(settings: Settings, db: AsyncSession, robot: Device) -> str:
    """The password that the robot is to take."""
    row = await _lock_row(db, robot)
    return unseal(settings, robot.id, row.coming or row.sealed or b"")
