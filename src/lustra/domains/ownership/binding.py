"""Accounts that see a robot without owning it."""

from sqlalchemy import delete, select

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import Account, readable, refresh_sessions
from lustra.domains.device.api import Device, DeviceAccount, visible_devices
from lustra.domains.message import api as messages


async def _load_account(ctx: Ctx, user_id: int) -> Account:
    return await query.fetch_one(ctx.db, readable(ctx.actor).where(Account.id == user_id))


async def list_bound_devices(ctx: Ctx, user_id: int) -> list[Device]:
    """The robots that an account is bound to, of those that the actor sees."""
    account = await _load_account(ctx, user_id)
    bound_ids = select(DeviceAccount.device_id).where(DeviceAccount.account_id == account.id)
    rows = (
        select(Device).where(Device.id.in_(bound_ids), Device.id.in_(visible_devices(ctx.actor))).order_by(Device.name)
    )
    return list(await ctx.db.scalars(rows))


async def bind(ctx: Ctx, user_id: int, device_ids: list[int]) -> None:
    """From now on the account sees just these, of the robots that the actor sees, beside its own and its subtree's."""
    account = await _load_account(ctx, user_id)
    if account.id == ctx.actor.acting_id:
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="own_account")
    rows = (
        select(Device).where(Device.id.in_(device_ids), Device.id.in_(visible_devices(ctx.actor))).order_by(Device.name)
    )
    chosen = {device.id: device.name for device in await ctx.db.scalars(rows)}
    if len(chosen) < len(set(device_ids)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    before = {device.id: device.name for device in await list_bound_devices(ctx, user_id)}
    ctx.note(before={"deviceIds": sorted(before)})
    unbind = delete(DeviceAccount).where(
        DeviceAccount.account_id == account.id, DeviceAccount.device_id.in_(before.keys() - chosen.keys())
    )
    await ctx.db.execute(unbind)
    ctx.db.add_all(
        DeviceAccount(device_id=device, account_id=account.id, account_path=account.path)
        for device in chosen.keys() - before.keys()
    )
    await refresh_sessions(ctx, [account.id])
    _notify(ctx, account, messages.BOUND, chosen, before)
    _notify(ctx, account, messages.UNBOUND, before, chosen)


async def set_binding(ctx: Ctx, user_id: int, robot: Device, *, on: bool) -> None:
    """Bind the account to this robot, or unbind it; its other robots stay as they are."""
    account = await _load_account(ctx, user_id)
    if account.id == ctx.actor.acting_id:
        raise Refusal(Code.BAD_INPUT, "userId", reason="own_account")
    await refresh_sessions(ctx, [account.id])
    row = await ctx.db.get(DeviceAccount, (robot.id, account.id))
    if on and row is None:
        ctx.db.add(DeviceAccount(device_id=robot.id, account_id=account.id, account_path=account.path))
        _notify(ctx, account, messages.BOUND, {robot.id: robot.name}, {})
    elif row and not on:
        await ctx.db.delete(row)
        _notify(ctx, account, messages.UNBOUND, {robot.id: robot.name}, {})


def _notify(ctx: Ctx, account: Account, kind: str, names_by_id: dict[int, str], unchanged: dict[int, str]) -> None:
    """Send the account one message about the robots that it gained or lost; none where nothing changed."""
    if names := [name for device, name in names_by_id.items() if device not in unchanged]:
        messages.notify(ctx.db, [account.id], kind, ctx.actor, **messages.name_several(names))
