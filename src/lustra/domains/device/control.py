"""Who steers a robot: a lock with a holder, an end and a number.

Rules: the number grows with every change of hands, so that what was sent under an older one is refused by relay and
robot; while another holds the lock, taking it is refused with the holder's name; only the holder releases it. Others
ask the holder for it, or take it over with a reason that the holder is told. Stop, pause and cancel never ask for it
(protocol/commands).
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
from lustra.domains.message import service as messages
from lustra.protocol import bus

LONG_TERM = datetime(9999, 1, 1, tzinfo=timezone.utc)
ASKED_AGAIN = timedelta(minutes=1)  # the same person is not told again before


@dataclass(frozen=True, slots=True)
class Holding:
    """How the lock stands now; free: no owner, until 0."""

    number: int
    owner: str = ""
    owner_id: int = 0
    until: int = 0
    mine: bool = False
    reason: str = ""
    asker: str = ""
    asked_at: int = 0


def holding(lock: ControlLock | None, actor: Actor) -> Holding:
    if lock is None:
        return Holding(0)
    if lock.holder_id is None or lock.until is None or lock.until <= now():
        return Holding(lock.number)
    return Holding(
        lock.number, lock.holder, lock.holder_id, _ms(lock.until), lock.holder_id == actor.real_id,
        lock.reason, lock.asker, _ms(lock.asked_at),
    )  # fmt: skip


def _ms(at: datetime | None) -> int:
    return round(at.timestamp() * 1000) if at else 0


def _hand(lock: ControlLock, holder_id: int | None, holder: str, until: datetime | None, reason: str = "") -> None:
    """Into other hands, or nobody's. Who had asked has been answered."""
    lock.number += 1
    lock.holder_id, lock.holder, lock.until, lock.reason = holder_id, holder, until, reason
    lock.asker_id, lock.asker, lock.asked_at = None, "", None


async def device(ctx: Ctx, device_id: int) -> Device:
    return await query.fetch_one(
        ctx.db, select(Device).where(Device.id == device_id, Device.id.in_(visible(ctx.actor)))
    )


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
    if there.mine:
        lock.until = _end(minutes)
    else:
        _hand(lock, ctx.actor.real_id, ctx.actor.name, _end(minutes))
    return _announced(ctx, robot, lock)


def _end(minutes: int) -> datetime:
    return now() + timedelta(minutes=minutes) if minutes else LONG_TERM


async def take_over(ctx: Ctx, device_id: int, minutes: int, reason: str) -> Holding:
    """From whoever holds it; that person is told why. What nobody else holds is simply taken."""
    robot = await device(ctx, device_id)
    lock = await _locked(ctx, robot)
    there = holding(lock, ctx.actor)
    if not there.owner or there.mine:
        return await take(ctx, device_id, minutes)
    ctx.note(before={"owner": there.owner}, after={"owner": ctx.actor.name, "reason": reason})
    messages.tell(ctx.db, [there.owner_id], "control_taken", ctx.actor, robot=robot.name, reason=reason)
    _hand(lock, ctx.actor.real_id, ctx.actor.name, _end(minutes), reason)
    return _announced(ctx, robot, lock)


async def ask(ctx: Ctx, device_id: int) -> Holding:
    """The holder is told who would like to have it. Nobody to ask: nothing happens."""
    robot = await device(ctx, device_id)
    lock = await _locked(ctx, robot)
    there = holding(lock, ctx.actor)
    if not there.owner or there.mine:
        return there
    again = lock.asker_id == ctx.actor.real_id and lock.asked_at is not None and lock.asked_at > now() - ASKED_AGAIN
    if not again:
        messages.tell(ctx.db, [there.owner_id], "control_asked", ctx.actor, robot=robot.name)
        lock.asker_id, lock.asker, lock.asked_at = ctx.actor.real_id, ctx.actor.name, now()
    return _announced(ctx, robot, lock)


async def release(ctx: Ctx, device_id: int) -> Holding:
    robot = await device(ctx, device_id)
    lock = await _locked(ctx, robot)
    there = holding(lock, ctx.actor)
    if there.owner and not there.mine:
        raise Refusal(Code.LOCKED, "deviceId", owner=there.owner)
    if there.owner:
        _hand(lock, None, "", None)
    return _announced(ctx, robot, lock)


async def free(ctx: Ctx, robot: Device) -> None:
    """Whoever holds it, holds it no longer: the robot goes to another owner, or is deleted."""
    lock = await _locked(ctx, robot)
    _hand(lock, None, "", None)
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
    return {
        "number": told.number, "owner": told.owner, "ownerId": told.owner_id, "until": told.until,
        "reason": told.reason, "asker": told.asker, "askedAt": told.asked_at,
    }  # fmt: skip
