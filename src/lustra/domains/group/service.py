"""Groups of robots: each belongs to an account, and to whoever stands above that one.

Rules: within one owner a name is had once; a group takes robots that its owner sees, alike by its type (group/alike);
a group that has robots is deleted only by who confirms it, having been told which; a robot that its owner gives away
to where the group's owner sees it no longer leaves the group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import edits, query
from lustra.core.context import Actor, Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.permission import within
from lustra.domains.account.service import narrowed, readable
from lustra.domains.account.tables import Account
from lustra.domains.device import edit, scope
from lustra.domains.device.events import OwnerChanged
from lustra.domains.device.tables import Device, DeviceAccount
from lustra.domains.group import alike
from lustra.domains.group.tables import DeviceGroup, GroupMember

NAMED = 5
LEAVE = text(
    """delete from device_group_member m using device_group g, account a, account n
    where m.device_id = :robot and g.id = m.group_id and a.id = g.account_id and n.id = :to
      and not n.path <@ a.path"""
)


def visible(actor: Actor) -> Select[DeviceGroup]:
    return select(DeviceGroup).join(Account, Account.id == DeviceGroup.account_id).where(within(actor, Account.path))


async def listed(ctx: Ctx, user_id: int | None) -> Sequence[DeviceGroup]:
    """Those of an account and of all below it."""
    path = await narrowed(ctx.db, ctx.actor, user_id)
    rows = visible(ctx.actor).where(Account.path.op("<@")(func.text2ltree(path)))
    return (await ctx.db.scalars(rows.order_by(func.lower(DeviceGroup.name), DeviceGroup.id))).all()


async def owners(ctx: Ctx, found: Sequence[DeviceGroup]) -> dict[int, str]:
    """Their names."""
    mine = readable(ctx.actor).where(Account.id.in_({one.account_id for one in found}))
    return {one.id: one.name for one in await ctx.db.scalars(mine)}


async def members(ctx: Ctx, ids: Sequence[int]) -> dict[int, list[int]]:
    """The robots of groups that were found in scope, as far as the actor sees them, by name."""
    rows = (
        select(GroupMember.group_id, GroupMember.device_id)
        .join(Device, Device.id == GroupMember.device_id)
        .where(GroupMember.group_id.in_(ids), Device.id.in_(scope.visible(ctx.actor)))
        .order_by(Device.name, Device.id)
    )
    found: dict[int, list[int]] = {}
    for group, device in await ctx.db.execute(rows):
        found.setdefault(group, []).append(device)
    return found


@dataclass(frozen=True, slots=True)
class Told:
    """`devices` None: those that the group has."""

    name: str
    kind: alike.Kind
    devices: Sequence[int] | None = None


async def make(ctx: Ctx, owner_id: int | None, told: Told) -> DeviceGroup:
    owner = await edit.load_owner(ctx, owner_id, "userId")
    devices = told.devices or []
    await _name_free(ctx, owner.id, told.name, None)
    await _fit(ctx, owner, told.kind, devices)
    made = DeviceGroup(account_id=owner.id, name=told.name, type=told.kind)
    ctx.db.add(made)
    await ctx.db.flush()
    await _put(ctx, made, set(devices))
    return made


async def change(ctx: Ctx, group_id: int, told: Told, seen: datetime | None) -> None:
    group = await _one(ctx, group_id)
    owner = await query.fetch_one(ctx.db, readable(ctx.actor).where(Account.id == group.account_id))
    await _name_free(ctx, owner.id, told.name, group.id)
    before = (await members(ctx, [group.id])).get(group.id, [])
    await _fit(ctx, owner, told.kind, before if told.devices is None else told.devices)
    noted = edits.apply(group, {"name": told.name, "type": int(told.kind)}, seen)
    if told.devices is not None and set(told.devices) != set(before):
        edits.stamp(group, "deviceIds")
        noted["deviceIds"] = before
        await _put(ctx, group, set(told.devices))
    ctx.note(before=noted)


async def remove(ctx: Ctx, group_id: int, *, confirmed: bool) -> None:
    group = await _one(ctx, group_id)
    devices = (await members(ctx, [group.id])).get(group.id, [])
    if devices and not confirmed:
        named = select(Device.name).where(Device.id.in_(devices), Device.id.in_(scope.visible(ctx.actor)))
        names = await ctx.db.scalars(named.order_by(Device.name).limit(NAMED))
        raise Refusal(Code.BAD_INPUT, "id", reason="group_used", count=len(devices), names=" · ".join(names))
    ctx.note(name=group.name, deviceIds=devices)
    await ctx.db.delete(group)


async def owner_changed(db: AsyncSession, what: OwnerChanged) -> None:
    """Unscoped: who may give a robot away is asked where that is done."""
    await db.execute(LEAVE, {"robot": what.device_id, "to": what.to})


async def _one(ctx: Ctx, group_id: int) -> DeviceGroup:
    return await query.fetch_one(
        ctx.db, visible(ctx.actor).where(DeviceGroup.id == group_id).with_for_update(of=DeviceGroup)
    )


async def _name_free(ctx: Ctx, owner_id: int, name: str, but: int | None) -> None:
    same = visible(ctx.actor).where(
        DeviceGroup.account_id == owner_id, func.lower(DeviceGroup.name) == name.lower(),
        DeviceGroup.id.is_distinct_from(but),
    )  # fmt: skip
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "name")


async def _fit(ctx: Ctx, owner: Account, kind: alike.Kind, devices: Sequence[int]) -> None:
    """Each is seen by the group's owner, and by the actor."""
    at = func.text2ltree(owner.path)
    bound = select(DeviceAccount.device_id).where(DeviceAccount.account_path.op("<@")(at))
    seen = select(func.count()).select_from(Device).where(
        Device.id.in_(devices), Device.id.in_(scope.visible(ctx.actor)),
        Device.owner_path.op("<@")(at) | Device.id.in_(bound),
    )  # fmt: skip
    if await ctx.db.scalar(seen) != len(set(devices)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    await alike.fit(ctx.db, kind, devices)


async def _put(ctx: Ctx, group: DeviceGroup, devices: set[int]) -> None:
    """Unscoped: the group and the robots were found in scope."""
    await ctx.db.execute(delete(GroupMember).where(GroupMember.group_id == group.id))
    if devices:
        rows = [{"group_id": group.id, "device_id": device} for device in sorted(devices)]
        await ctx.db.execute(insert(GroupMember), rows)
