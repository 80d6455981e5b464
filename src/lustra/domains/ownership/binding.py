"""Accounts that see a robot without owning it."""

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.domains.account.api import Account, refresh_sessions
from lustra.domains.device.api import Device, DeviceAccount
from lustra.domains.message.api import BOUND, UNBOUND, name_several, notify


async def _load_account(ctx: Ctx, user_id: int) -> Account:
    return await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == user_id))


async def list_bound_devices(ctx: Ctx, user_id: int) -> list[Device]:
    """The robots that an account is bound to, of those that the actor sees."""
    account = await _load_account(ctx, user_id)
    bound_ids = rows_of(account).select(DeviceAccount.device_id)
    rows = ctx.scope.select(Device).where(Device.id.in_(bound_ids)).order_by(Device.name)
    return list(await ctx.db.scalars(rows))


async def bind(ctx: Ctx, user_id: int, device_ids: list[int]) -> None:
    """From now on the account sees just these, of the robots that the actor sees, beside its own and its subtree's."""
    account = await _load_account(ctx, user_id)
    if account.id == ctx.actor.acting_id:
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="own_account")
    rows = ctx.scope.select(Device).where(Device.id.in_(device_ids)).order_by(Device.name)
    chosen = {device.id: device.name for device in await ctx.db.scalars(rows)}
    if len(chosen) < len(set(device_ids)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    before = {device.id: device.name for device in await list_bound_devices(ctx, user_id)}
    ctx.note(before={"deviceIds": sorted(before)})
    unbound = rows_of(account).delete(DeviceAccount).where(DeviceAccount.device_id.in_(before.keys() - chosen.keys()))
    await ctx.db.execute(unbound)
    ctx.db.add_all(
        DeviceAccount(device_id=device, account_id=account.id, account_path=account.path)
        for device in chosen.keys() - before.keys()
    )
    await refresh_sessions(ctx, [account.id])
    _notify(ctx, account, BOUND, chosen, before)
    _notify(ctx, account, UNBOUND, before, chosen)


async def set_binding(ctx: Ctx, user_id: int, robot: Device, *, on: bool) -> None:
    """Bind the account to this robot, or unbind it; its other robots stay as they are."""
    account = await _load_account(ctx, user_id)
    if account.id == ctx.actor.acting_id:
        raise Refusal(Code.BAD_INPUT, "userId", reason="own_account")
    await refresh_sessions(ctx, [account.id])
    row = await ctx.db.scalar(rows_of(account).select(DeviceAccount).where(DeviceAccount.device_id == robot.id))
    if on and row is None:
        ctx.db.add(DeviceAccount(device_id=robot.id, account_id=account.id, account_path=account.path))
        _notify(ctx, account, BOUND, {robot.id: robot.name}, {})
    elif row and not on:
        await ctx.db.delete(row)
        _notify(ctx, account, UNBOUND, {robot.id: robot.name}, {})


def _notify(ctx: Ctx, account: Account, kind: str, names_by_id: dict[int, str], unchanged: dict[int, str]) -> None:
    """Send the account one message about the robots that it gained or lost; none where nothing changed."""
    if names := [name for device, name in names_by_id.items() if device not in unchanged]:
        notify(ctx.db, [account.id], kind, ctx.actor, **name_several(names))
