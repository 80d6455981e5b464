"""Robots are added, changed and deleted by those in whose scope their owner lies; to be bound to one is not enough.

Rules: a number, and a port of a node, is had once; the tunnel's port comes before the others; the number of a robot
that logs in stays; a deleted robot is gone from bus and relays at once, and for good 30 days later, unless a former
owner still has reports of it.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, func, select, text

from lustra.core import edits, events, query
from lustra.core.context import Actor, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.permission import within
from lustra.domains.account.keys import STAFF
from lustra.domains.account.service import readable
from lustra.domains.account.tables import Account
from lustra.domains.device import control, ports
from lustra.domains.device.events import DeviceDeleted
from lustra.domains.device.tables import Device, DeviceCredential, DeviceType, FormerOwner
from lustra.domains.elevator import service as elevators

KEPT = timedelta(days=30)
NAMES = {  # attributes that the wire calls otherwise
    "name": "deviceCode", "type_id": "deviceType", "serial_number": "deviceSerialNumber",
    "protocol": "protocolVersion",
}  # fmt: skip


def readable_robots(actor: Actor) -> Select[Device]:
    return select(Device).where(within(actor, Device.owner_path), Device.deleted_at.is_(None))


async def owned(ctx: Ctx, device_id: int) -> Device:
    """A robot that the actor may change, locked."""
    return await query.fetch_one(ctx.db, readable_robots(ctx.actor).where(Device.id == device_id).with_for_update())


async def owner(ctx: Ctx, user_id: int | None, field: str = "ownerUserId") -> Account:
    """An account in scope that may own robots; without one, the actor's: for staff and shadows the one they act in."""
    rows = readable(ctx.actor)
    chosen = Account.path.op("=")(func.text2ltree(ctx.actor.path)) if user_id is None else Account.id == user_id
    account = await query.fetch_one(ctx.db, rows.where(chosen))
    if account.shadow_of or set(account.roles) & set(STAFF):
        raise Refusal(Code.BAD_INPUT, field, reason="owner_kind")
    return account


async def insert(ctx: Ctx, told: dict[str, Any], owner_id: int | None) -> Device:
    made, kind = await add(ctx, told, owner_id)
    ctx.note(deviceId=made.id, typeName=kind.name)
    return made


async def add(ctx: Ctx, told: dict[str, Any], owner_id: int | None) -> tuple[Device, DeviceType]:
    of = await owner(ctx, owner_id)
    kind = await _type(ctx, told["type_id"])
    await _free(ctx, told["serial_number"])
    made = Device(**told, owner_id=of.id, owner_path=of.path)
    await ports.fit(ctx, made, told.keys())
    ctx.db.add(made)
    await ctx.db.flush()
    return made, kind


async def change(ctx: Ctx, device_id: int, told: dict[str, Any], seen: datetime | None) -> Device:
    robot = await owned(ctx, device_id)
    if (serial := told.get("serial_number", robot.serial_number)) != robot.serial_number:
        if await ctx.db.get(DeviceCredential, robot.id):  # its owner's robot
            raise Refusal(Code.BAD_INPUT, "deviceSerialNumber", reason="serial_enrolled")
        await _free(ctx, serial)
    if "type_id" in told:
        await _type(ctx, told["type_id"])
    before = (robot.frp_host, robot.frp_port, robot.protocol)
    ctx.note(before=edits.apply(robot, told, seen, NAMES))
    await ports.fit(ctx, robot, told.keys())
    await ctx.db.flush()
    if before != (robot.frp_host, robot.frp_port, robot.protocol):
        ports.announce(ctx, robot)
    return robot


def unchanged(robot: Device, seen: datetime | None) -> None:
    """Refuses an edit that is based on older data."""
    edits.apply(robot, {}, seen)


async def write(ctx: Ctx, robot: Device, told: dict[str, Any]) -> None:
    """Whom it works for and what it rides: an elevator that the actor sees."""
    if (elevator_id := told.get("elevator_id")) is not None:
        await elevators.elevator(ctx, elevator_id)
    ctx.note(fields=edits.apply(robot, told, None, NAMES))


async def _type(ctx: Ctx, type_id: int) -> DeviceType:
    kind = await ctx.db.get(DeviceType, type_id)
    if kind is None:
        raise Refusal(Code.BAD_INPUT, "deviceType", reason="type_unknown")
    return kind


async def _free(ctx: Ctx, serial: str) -> None:
    """Unscoped: a number is had once in the whole installation."""
    same = select(Device.id).where(Device.serial_number == serial, Device.deleted_at.is_(None))
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "deviceSerialNumber", reason="serial_taken")


async def remove(ctx: Ctx, device_id: int) -> None:
    robot = await owned(ctx, device_id)
    robot.deleted_at = now()
    await control.free(ctx, robot)
    await ctx.db.flush()
    await events.emit(ctx.db, DeviceDeleted(robot.id, robot.serial_number, ctx.actor))

    async def forget() -> None:
        await ctx.app.bus.drop("devices", robot.serial_number)

    ctx.after_commit(forget)


async def purge(app: Services) -> None:
    """What was deleted 30 days ago. Unscoped: of all accounts. Its log-in goes in any case."""
    async with app.sessions.begin() as db:
        gone = list(await db.scalars(select(Device.id).where(Device.deleted_at < now() - KEPT)))
        await db.execute(text("delete from device_credential where device_id = any(:gone)"), {"gone": gone})
        sold = set(await db.scalars(select(FormerOwner.device_id).where(FormerOwner.device_id.in_(gone))))
        await db.execute(
            text("delete from device where id = any(:gone)"), {"gone": [one for one in gone if one not in sold]}
        )
