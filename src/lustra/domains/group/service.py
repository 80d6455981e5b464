"""Groups of robots: each belongs to an account, and to whoever stands above that one.

Rules: an owner has no two groups of one name; a group takes robots that its owner sees and that its type allows
(group/membership); a group that has robots is deleted only by who confirms it, after a refusal that names some of them;
a robot that is handed over to where the group's owner no longer sees it leaves the group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.context import Actor, Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.security.permission import within
from lustra.domains.account.api import Account, narrowed, readable
from lustra.domains.device.api import Device, DeviceAccount, OwnerChanged, load_owner, visible_devices
from lustra.domains.group import membership
from lustra.domains.group.tables import DeviceGroup, GroupMember

NAMED = 5
REMOVE_MEMBER = text(
    """delete from device_group_member m using device_group g, account a, account n
    where m.device_id = :robot and g.id = m.group_id and a.id = g.account_id and n.id = :to
      and not n.path <@ a.path"""
)


def visible(actor: Actor) -> Select[DeviceGroup]:
    return select(DeviceGroup).join(Account, Account.id == DeviceGroup.account_id).where(within(actor, Account.path))


async def list_groups(ctx: Ctx, user_id: int | None) -> Sequence[DeviceGroup]:
    """Those of an account and of all below it."""
    path = await narrowed(ctx.db, ctx.actor, user_id)
    rows = visible(ctx.actor).where(Account.path.op("<@")(func.text2ltree(path)))
    return (await ctx.db.scalars(rows.order_by(func.lower(DeviceGroup.name), DeviceGroup.id))).all()


async def owner_names(ctx: Ctx, groups: Sequence[DeviceGroup]) -> dict[int, str]:
    """Their names."""
    accounts = readable(ctx.actor).where(Account.id.in_({account.account_id for account in groups}))
    return {account.id: account.name for account in await ctx.db.scalars(accounts)}


async def load_members(ctx: Ctx, ids: Sequence[int]) -> dict[int, list[int]]:
    """The robots of groups that were found in scope, as far as the actor sees them, by name."""
    rows = (
        select(GroupMember.group_id, GroupMember.device_id)
        .join(Device, Device.id == GroupMember.device_id)
        .where(GroupMember.group_id.in_(ids), Device.id.in_(visible_devices(ctx.actor)))
        .order_by(Device.name, Device.id)
    )
    members: dict[int, list[int]] = {}
    for group, device in await ctx.db.execute(rows):
        members.setdefault(group, []).append(device)
    return members


@dataclass(frozen=True, slots=True)
class GroupFields:
    """`devices` None: those that the group has."""

    name: str
    kind: membership.Kind
    devices: Sequence[int] | None = None


async def create_group(ctx: Ctx, owner_id: int | None, fields: GroupFields) -> DeviceGroup:
    owner = await load_owner(ctx, owner_id, "userId")
    devices = fields.devices or []
    await _refuse_taken_name(ctx, owner.id, fields.name, None)
    await _check_members(ctx, owner, fields.kind, devices)
    group = DeviceGroup(account_id=owner.id, name=fields.name, type=fields.kind)
    ctx.db.add(group)
    await ctx.db.flush()
    await _replace_members(ctx, group, set(devices))
    return group


async def change_group(ctx: Ctx, group_id: int, fields: GroupFields, seen: datetime | None) -> None:
    group = await _lock_group(ctx, group_id)
    owner = await query.fetch_one(ctx.db, readable(ctx.actor).where(Account.id == group.account_id))
    await _refuse_taken_name(ctx, owner.id, fields.name, group.id)
    before = (await load_members(ctx, [group.id])).get(group.id, [])
    await _check_members(ctx, owner, fields.kind, before if fields.devices is None else fields.devices)
    changed = edits.apply(group, {"name": fields.name, "type": int(fields.kind)}, seen)
    if fields.devices is not None and set(fields.devices) != set(before):
        edits.stamp(group, "deviceIds")
        changed["deviceIds"] = before
        await _replace_members(ctx, group, set(fields.devices))
    ctx.note(before=changed)


async def delete_group(ctx: Ctx, group_id: int, *, confirmed: bool) -> None:
    group = await _lock_group(ctx, group_id)
    devices = (await load_members(ctx, [group.id])).get(group.id, [])
    if devices and not confirmed:
        named = select(Device.name).where(Device.id.in_(devices), Device.id.in_(visible_devices(ctx.actor)))
        names = await ctx.db.scalars(named.order_by(Device.name).limit(NAMED))
        raise Refusal(Code.BAD_INPUT, "id", reason="group_used", count=len(devices), names=" · ".join(names))
    ctx.note(name=group.name, deviceIds=devices)
    await ctx.db.delete(group)


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """Unscoped: who may give a robot away is asked where that is done."""
    await db.execute(REMOVE_MEMBER, {"robot": event.device_id, "to": event.to})


async def _lock_group(ctx: Ctx, group_id: int) -> DeviceGroup:
    return await query.fetch_one(
        ctx.db, visible(ctx.actor).where(DeviceGroup.id == group_id).with_for_update(of=DeviceGroup)
    )


async def _refuse_taken_name(ctx: Ctx, owner_id: int, name: str, excluded: int | None) -> None:
    same = visible(ctx.actor).where(
        DeviceGroup.account_id == owner_id,
        func.lower(DeviceGroup.name) == name.lower(),
        DeviceGroup.id.is_distinct_from(excluded),
    )
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "name")


async def _check_members(ctx: Ctx, owner: Account, kind: membership.Kind, devices: Sequence[int]) -> None:
    """Each is seen by the group's owner, and by the actor."""
    at = func.text2ltree(owner.path)
    bound = select(DeviceAccount.device_id).where(DeviceAccount.account_path.op("<@")(at))
    visible_count = (
        select(func.count())
        .select_from(Device)
        .where(
            Device.id.in_(devices),
            Device.id.in_(visible_devices(ctx.actor)),
            Device.owner_path.op("<@")(at) | Device.id.in_(bound),
        )
    )
    if await ctx.db.scalar(visible_count) != len(set(devices)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    await membership.refuse_unlike(ctx.db, kind, devices)


async def _replace_members(ctx: Ctx, group: DeviceGroup, devices: set[int]) -> None:
    """Unscoped: the group and the robots were found in scope."""
    await ctx.db.execute(delete(GroupMember).where(GroupMember.group_id == group.id))
    if devices:
        rows = [{"group_id": group.id, "device_id": device} for device in sorted(devices)]
        await ctx.db.execute(insert(GroupMember), rows)
