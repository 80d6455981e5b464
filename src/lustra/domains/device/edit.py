"""Robots are added, changed and deleted by those in whose scope their owner lies; to be bound to one is not enough.

Rules: a number, and a port of a node, is had once; the tunnel's port comes before the others; the number of a robot
that logs in stays; a deleted robot is gone from bus and relays at once, and for good 30 days later, unless a former
owner still has reports of it.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.domains.account.api import STAFF, Account
from lustra.domains.device import ports
from lustra.domains.device.tables import Device, DeviceCredential, DeviceType
from lustra.domains.elevator import api as elevators

NAMES = {  # attributes that the wire calls otherwise
    "name": "deviceCode",
    "type_id": "deviceType",
    "serial_number": "deviceSerialNumber",
    "protocol": "protocolVersion",
    "url": "deviceUrl",
}


async def load_device(ctx: Ctx, device_id: int) -> Device:
    return await query.fetch_one(ctx.db, ctx.scope.select(Device).where(Device.id == device_id))


async def load_owned(ctx: Ctx, device_id: int) -> Device:
    """A robot that the actor may change, locked."""
    rows = ctx.scope.changeable.select(Device).where(Device.id == device_id)
    return await query.fetch_one(ctx.db, rows.with_for_update())


async def load_owner(ctx: Ctx, user_id: int | None, field: str = "ownerUserId") -> Account:
    """An account in scope that may own robots; without one, the actor's: for staff and shadows the one they act in."""
    rows = ctx.scope.select(Account)
    condition = Account.path.op("=")(func.text2ltree(ctx.actor.path)) if user_id is None else Account.id == user_id
    account = await query.fetch_one(ctx.db, rows.where(condition))
    if account.shadow_of or set(account.roles) & set(STAFF):
        raise Refusal(Code.BAD_INPUT, field, reason="owner_kind")
    return account


async def insert(ctx: Ctx, values: dict[str, Any], owner_id: int | None) -> Device:
    device, kind = await add(ctx, values, owner_id)
    ctx.note(deviceId=device.id, typeName=kind.name)
    return device


async def add(ctx: Ctx, values: dict[str, Any], owner_id: int | None) -> tuple[Device, DeviceType]:
    account = await load_owner(ctx, owner_id)
    kind = await _load_type(ctx, values["type_id"])
    await _refuse_taken_serial(ctx, values["serial_number"])
    device = Device(**values, owner_id=account.id, owner_path=account.path)
    await ports.refuse_bad_ports(ctx, device, values.keys())
    ctx.db.add(device)
    await ctx.db.flush()
    return device, kind


async def change(ctx: Ctx, device_id: int, values: dict[str, Any], based_on: datetime | None) -> Device:
    robot = await load_owned(ctx, device_id)
    if (serial := values.get("serial_number", robot.serial_number)) != robot.serial_number:
        if await ctx.db.scalar(rows_of(robot).select(DeviceCredential)):  # its owner's robot
            raise Refusal(Code.BAD_INPUT, "deviceSerialNumber", reason="serial_enrolled")
        await _refuse_taken_serial(ctx, serial)
    if "type_id" in values:
        await _load_type(ctx, values["type_id"])
    before = (robot.frp_host, robot.frp_port, robot.protocol)
    ctx.note(before=edits.apply(robot, values, based_on, NAMES))
    await ports.refuse_bad_ports(ctx, robot, values.keys())
    await ctx.db.flush()
    if before != (robot.frp_host, robot.frp_port, robot.protocol):
        ports.announce(ctx, robot)
    return robot


def refuse_if_changed(robot: Device, based_on: datetime | None) -> None:
    """Refuses an edit that is based on older data."""
    edits.apply(robot, {}, based_on)


async def write_assignment(ctx: Ctx, robot: Device, values: dict[str, Any]) -> None:
    """Whom it works for and what it rides: an elevator that the actor sees."""
    if (elevator_id := values.get("elevator_id")) is not None:
        await elevators.load_elevator(ctx, elevator_id)
    ctx.note(fields=edits.apply(robot, values, None, NAMES))


async def _load_type(ctx: Ctx, type_id: int) -> DeviceType:
    kind = await ctx.db.get(DeviceType, type_id)
    if kind is None:
        raise Refusal(Code.BAD_INPUT, "deviceType", reason="type_unknown")
    return kind


async def _refuse_taken_serial(ctx: Ctx, serial: str) -> None:
    numbers = system("a number is had once in the whole installation").select(Device.id)
    same = numbers.where(Device.serial_number == serial, Device.deleted_at.is_(None))
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "deviceSerialNumber", reason="serial_taken")
