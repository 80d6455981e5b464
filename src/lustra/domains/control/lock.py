"""Who steers a robot: a lock with a holder, an end and a number.

Rules: the number grows with every change of hands, so that what was sent under an older one is refused by relay and
robot; while another holds the lock, taking it is refused with the holder's name; only the holder releases it, or hands
it over to who has asked. Others ask the holder for it, or take it over with a reason that the holder is shown. People
read people's names, not log-ins. Stop, pause and cancel never ask for it (protocol/commands). Support takes it only
while the customer's support access is open.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from lustra.core.context import Actor, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.domains.account.api import own, support
from lustra.domains.control.tables import ControlLock
from lustra.domains.device.api import Device, load_device
from lustra.domains.message import api as messages
from lustra.protocol import bus

LONG_TERM = datetime(9999, 1, 1, tzinfo=timezone.utc)
ASK_INTERVAL = timedelta(minutes=1)  # the same person is not notified again before


@dataclass(frozen=True, slots=True)
class LockState:
    """How the lock stands now; free: no owner, until 0."""

    number: int
    owner: str = ""
    owner_id: int = 0
    until: int = 0
    own: bool = False
    reason: str = ""
    asker: str = ""
    asker_id: int = 0
    asked_at: int = 0


def read_lock(lock: ControlLock | None, actor: Actor) -> LockState:
    if lock is None:
        return LockState(0)
    if lock.holder_id is None or lock.until is None or lock.until <= now():
        return LockState(lock.number)
    return LockState(
        lock.number,
        lock.holder,
        lock.holder_id,
        _to_ms(lock.until),
        lock.holder_id == actor.real_id,
        lock.reason,
        lock.asker,
        lock.asker_id or 0,
        _to_ms(lock.asked_at),
    )


def _to_ms(at: datetime | None) -> int:
    return round(at.timestamp() * 1000) if at else 0


def _hand_over(lock: ControlLock, holder_id: int | None, holder: str, until: datetime | None, reason: str = "") -> None:
    """Into other hands, or nobody's. Who had asked has been answered."""
    lock.number += 1
    lock.holder_id, lock.holder, lock.until, lock.reason = holder_id, holder, until, reason
    lock.asker_id, lock.asker, lock.asked_at = None, "", None


async def _lock_row(ctx: Ctx, robot: Device) -> ControlLock:
    """The row of the lock, held until the transaction ends: two takers wait for each other here."""
    fresh = rows_of(robot).insert(ControlLock).values(device_id=robot.id, number=0, holder="")
    await ctx.db.execute(fresh.on_conflict_do_nothing())
    rows = rows_of(robot).select(ControlLock).with_for_update()
    lock = await ctx.db.scalar(rows.execution_options(populate_existing=True))
    assert lock is not None
    return lock


async def read_state(ctx: Ctx, device_id: int) -> LockState:
    robot = await load_device(ctx, device_id)
    return read_lock(await ctx.db.scalar(rows_of(robot).select(ControlLock)), ctx.actor)


async def _load_controllable(ctx: Ctx, device_id: int) -> Device:
    robot = await load_device(ctx, device_id)
    await support.demand_access(
        ctx, support.Look("robot", robot.id, robot.name, robot.id), robot.owner_path, "deviceId"
    )
    return robot


async def take(ctx: Ctx, device_id: int, minutes: int) -> LockState:
    """Whoever holds it already has it longer, under the same number."""
    robot = await _load_controllable(ctx, device_id)
    lock = await _lock_row(ctx, robot)
    state = read_lock(lock, ctx.actor)
    if state.owner and not state.own:
        raise Refusal(Code.LOCKED, "deviceId", owner=state.owner)
    if state.own:
        lock.until = _lock_end(minutes)
    else:
        _hand_over(lock, ctx.actor.real_id, await _person(ctx), _lock_end(minutes))
    return _announce(ctx, robot, lock)


def _lock_end(minutes: int) -> datetime:
    return now() + timedelta(minutes=minutes) if minutes else LONG_TERM


async def take_over(ctx: Ctx, device_id: int, minutes: int, reason: str) -> LockState:
    """From whoever holds it; that person is notified with the reason. What nobody else holds is simply taken."""
    robot = await _load_controllable(ctx, device_id)
    lock = await _lock_row(ctx, robot)
    state = read_lock(lock, ctx.actor)
    if not state.owner or state.own:
        return await take(ctx, device_id, minutes)
    person = await _person(ctx)
    ctx.note(before={"owner": state.owner}, after={"owner": person, "reason": reason})
    messages.notify(
        ctx.db, [state.owner_id], "control_taken", ctx.actor, person=person, robot=robot.name, reason=reason
    )
    _hand_over(lock, ctx.actor.real_id, person, _lock_end(minutes), reason)
    return _announce(ctx, robot, lock)


async def ask(ctx: Ctx, device_id: int) -> LockState:
    """The holder is notified who would like to have it, and may hand it over: so who may not take it may not ask.
    Nobody to ask: nothing happens."""
    robot = await _load_controllable(ctx, device_id)
    lock = await _lock_row(ctx, robot)
    state = read_lock(lock, ctx.actor)
    if not state.owner or state.own:
        return state
    repeated = lock.asker_id == ctx.actor.real_id and lock.asked_at is not None and lock.asked_at > now() - ASK_INTERVAL
    if not repeated:
        person = await _person(ctx)
        messages.notify(ctx.db, [state.owner_id], "control_asked", ctx.actor, person=person, robot=robot.name)
        lock.asker_id, lock.asker, lock.asked_at = ctx.actor.real_id, person, now()
    return _announce(ctx, robot, lock)


async def hand_over(ctx: Ctx, device_id: int) -> LockState:
    """To who asked for it last, for as long as the holder had it; that person is notified. Support hands on only what
    it might take."""
    robot = await _load_controllable(ctx, device_id)
    lock = await _lock_row(ctx, robot)
    state = read_lock(lock, ctx.actor)
    if state.owner and not state.own:
        raise Refusal(Code.LOCKED, "deviceId", owner=state.owner)
    if not state.asker_id:
        raise Refusal(Code.BAD_INPUT, "deviceId", reason="control_not_asked")
    ctx.note(before={"owner": state.owner}, after={"owner": state.asker})
    messages.notify(ctx.db, [state.asker_id], "control_given", ctx.actor, person=state.owner, robot=robot.name)
    _hand_over(lock, state.asker_id, state.asker, lock.until)
    return _announce(ctx, robot, lock)


async def _person(ctx: Ctx) -> str:
    """The actor's name as others read it; without one the log-in name."""
    account = await own(ctx.db, ctx.actor)
    return account.name or account.account


async def release(ctx: Ctx, device_id: int) -> LockState:
    robot = await load_device(ctx, device_id)
    lock = await _lock_row(ctx, robot)
    state = read_lock(lock, ctx.actor)
    if state.owner and not state.own:
        raise Refusal(Code.LOCKED, "deviceId", owner=state.owner)
    if state.owner:
        _hand_over(lock, None, "", None)
    return _announce(ctx, robot, lock)


async def free(ctx: Ctx, robot: Device) -> None:
    """Whoever holds it, holds it no longer: the robot goes to another owner, or is deleted."""
    lock = await _lock_row(ctx, robot)
    _hand_over(lock, None, "", None)
    _announce(ctx, robot, lock)


def _announce(ctx: Ctx, robot: Device, lock: ControlLock) -> LockState:
    state = read_lock(lock, ctx.actor)

    async def publish() -> None:
        await publish_state(ctx.app, robot.serial_number, state)

    ctx.after_commit(publish)
    return state


async def publish_state(app: Services, sn: str, state: LockState) -> None:
    """Relays and sockets follow the bucket, the robot hears a command; it also learns it from what it is sent."""
    await app.bus.put("control", sn, bucket_entry(state))
    command = bus.Control(number=state.number, owner=state.owner, until=state.until)
    await app.bus.publish(bus.cmd(sn, "control"), bus.encode(command))


def bucket_entry(state: LockState) -> dict[str, Any]:
    return {
        "number": state.number,
        "owner": state.owner,
        "ownerId": state.owner_id,
        "until": state.until,
        "reason": state.reason,
        "asker": state.asker,
        "askerId": state.asker_id,
        "askedAt": state.asked_at,
    }
