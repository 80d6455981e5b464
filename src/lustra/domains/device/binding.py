"""Accounts that see a robot without owning it."""

from sqlalchemy import delete, select

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account import users
from lustra.domains.account.service import readable
from lustra.domains.account.tables import Account
from lustra.domains.device.scope import visible
from lustra.domains.device.tables import Device, DeviceAccount
from lustra.domains.message import service as messages


async def _account(ctx: Ctx, user_id: int) -> Account:
    return await query.fetch_one(ctx.db, readable(ctx.actor).where(Account.id == user_id))


async def bound(ctx: Ctx, user_id: int) -> list[Device]:
    """The robots that an account is bound to, of those that the actor sees."""
    account = await _account(ctx, user_id)
    mine = select(DeviceAccount.device_id).where(DeviceAccount.account_id == account.id)
    rows = select(Device).where(Device.id.in_(mine), Device.id.in_(visible(ctx.actor))).order_by(Device.name)
    return list(await ctx.db.scalars(rows))


async def bind(ctx: Ctx, user_id: int, device_ids: list[int]) -> None:
    """From now on the account sees just these, of the robots that the actor sees, beside its own and its subtree's."""
    account = await _account(ctx, user_id)
    if account.id == ctx.actor.acting_id:
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="own_account")
    rows = select(Device).where(Device.id.in_(device_ids), Device.id.in_(visible(ctx.actor))).order_by(Device.name)
    seen = {device.id: device.name for device in await ctx.db.scalars(rows)}
    if len(seen) < len(set(device_ids)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    before = {device.id: device.name for device in await bound(ctx, user_id)}
    ctx.note(before={"deviceIds": sorted(before)})
    dropped = delete(DeviceAccount).where(
        DeviceAccount.account_id == account.id, DeviceAccount.device_id.in_(before.keys() - seen.keys())
    )
    await ctx.db.execute(dropped)
    ctx.db.add_all(
        DeviceAccount(device_id=device, account_id=account.id, account_path=account.path)
        for device in seen.keys() - before.keys()
    )
    await users.anew(ctx, [account.id])
    _tell(ctx, account, messages.BOUND, seen, before)
    _tell(ctx, account, messages.UNBOUND, before, seen)


async def bind_one(ctx: Ctx, user_id: int, robot: Device, *, on: bool) -> None:
    """Just this robot, whatever else the account is bound to."""
    account = await _account(ctx, user_id)
    if account.id == ctx.actor.acting_id:
        raise Refusal(Code.BAD_INPUT, "userId", reason="own_account")
    await users.anew(ctx, [account.id])
    known = await ctx.db.get(DeviceAccount, (robot.id, account.id))
    if on and known is None:
        ctx.db.add(DeviceAccount(device_id=robot.id, account_id=account.id, account_path=account.path))
        _tell(ctx, account, messages.BOUND, {robot.id: robot.name}, {})
    elif known and not on:
        await ctx.db.delete(known)
        _tell(ctx, account, messages.UNBOUND, {robot.id: robot.name}, {})


def _tell(ctx: Ctx, account: Account, kind: str, these: dict[int, str], but: dict[int, str]) -> None:
    """Of robots that came or went; who is told nothing new is not told."""
    if names := [name for device, name in these.items() if device not in but]:
        messages.tell(ctx.db, [account.id], kind, ctx.actor, **messages.several(names))
