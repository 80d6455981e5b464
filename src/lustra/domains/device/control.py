"""Who steers a robot: a lock with a holder, an end and a number.

Rules: the number grows with every change of hands, so that what was sent under an older one is refused by relay and
robot; while another holds the lock, taking it is refused with the holder's name; only the holder releases it. Stop,
pause and cancel never ask for it (protocol/commands).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from lustra.core import query
from lustra.core.context import Actor, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.device.scope import visible
from lustra.domains.device.tables import ControlLock, Device
from lustra.protocol import bus

LONG_TERM = datetime(9999, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True)
class Holding:
    """How the lock stands now; free: no owner, until 0."""

    number: int
    owner: str = ""
    owner_id: int = 0
    until: int = 0
    mine: bool = False


def holding(lock: ControlLock | None, actor: Actor) -> Holding:
    if lock is None:
        return Holding(0)
    if lock.holder_id is None or lock.until is None or lock.until <= now():
        return Holding(lock.number)
    until = round(lock.until.timestamp() * 1000)
    return Holding(lock.number, lock.holder, lock.holder_id, until, lock.holder_id == actor.real_id)


async def device(ctx: Ctx, device_id: int) -> Device:
    return await query.one(ctx.db, select(Device).where(Device.id == device_id, Device.id.in_(visible(ctx.actor))))


async def _locked(ctx: Ctx, robot: Device) -> ControlLock:
    """The row of the lock, held until the transaction ends: two takers wait for each other here."""
    await ctx.db.execute(insert(ControlLock).values(device_id=robot.id, number=0, holder="").on_conflict_do_nothing())
    mine = select(ControlLock).where(ControlLock.device_id == robot.id).with_for_update()  # seen through the robot
    lock = await ctx.db.scalar(mine.execution_options(populate_existing=True))
    assert lock is not None
    return lock


async def look(ctx: Ctx, device_id: int) -> Holding:
    robot = await device(ctx, device_id)
    return holding(await ctx.db.get(ControlLock, robot.id), ctx.actor)


async def take(ctx: Ctx, device_id: int, minutes: int) -> Holding:
    """Whoever holds it already has it longer, under the same number."""
    robot = await device(ctx, device_id)
    lock = await _locked(ctx, robot)
    there = holding(lock, ctx.actor)
    if there.owner and not there.mine:
        raise Refusal(Code.LOCKED, "deviceId", owner=there.owner)
    if not there.mine:
        lock.number += 1
    lock.holder_id, lock.holder = ctx.actor.real_id, ctx.actor.name
    lock.until = now() + timedelta(minutes=minutes) if minutes else LONG_TERM
    return _announced(ctx, robot, lock)


async def release(ctx: Ctx, device_id: int) -> Holding:
    robot = await device(ctx, device_id)
    lock = await _locked(ctx, robot)
    there = holding(lock, ctx.actor)
    if there.owner and not there.mine:
        raise Refusal(Code.LOCKED, "deviceId", owner=there.owner)
    if there.owner:
        lock.number += 1
    lock.holder_id, lock.holder, lock.until = None, "", None
    return _announced(ctx, robot, lock)


async def free(ctx: Ctx, robot: Device) -> None:
    """Whoever holds it, holds it no longer: the robot goes to another owner, or is deleted."""
    lock = await _locked(ctx, robot)
    lock.number += 1
    lock.holder_id, lock.holder, lock.until = None, "", None
    _announced(ctx, robot, lock)


def _announced(ctx: Ctx, robot: Device, lock: ControlLock) -> Holding:
    told = holding(lock, ctx.actor)

    async def announce() -> None:
        await tell(ctx.app, robot.serial_number, told)

    ctx.after_commit(announce)
    return told


async def tell(app: Services, sn: str, told: Holding) -> None:
    """Relays and sockets follow the bucket, the robot hears a command; it also learns it from what it is sent."""
    await app.bus.put("control", sn, entry(told))
    command = bus.Control(number=told.number, owner=told.owner, until=told.until)
    await app.bus.publish(bus.cmd(sn, "control"), bus.encode(command))


def entry(told: Holding) -> dict[str, Any]:
    return {"number": told.number, "owner": told.owner, "ownerId": told.owner_id, "until": told.until}
