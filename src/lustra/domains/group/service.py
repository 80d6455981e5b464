"""Groups of robots: each belongs to an account, and to whoever stands above that one.

Rules: an owner has no two groups of one name; a group takes robots that its owner sees and that its type allows
(group/membership); a group that has robots is deleted only by who confirms it, after a refusal that names some of them;
a robot that is handed over to where the group's owner no longer sees it leaves the group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.device.api import Device, GroupMembers, OwnerChanged, load_owner
from lustra.domains.group import membership, queries
from lustra.domains.group.tables import DeviceGroup, GroupMember

NAMED = 5
LARGEST = 1000  # robots; a list is narrowed to as many


async def list_groups(ctx: Ctx, user_id: int | None) -> Sequence[DeviceGroup]:
    """Groups of an account and of all accounts below it."""
    rows = (await narrow_scope(ctx, user_id)).select(DeviceGroup)
    return (await ctx.db.scalars(rows.order_by(func.lower(DeviceGroup.name), DeviceGroup.id))).all()


async def owner_names(ctx: Ctx, groups: Sequence[DeviceGroup]) -> dict[int, str]:
    """Names of the groups' owners, by their ids."""
    accounts = ctx.scope.select(Account).where(Account.id.in_({account.account_id for account in groups}))
    return {account.id: account.name for account in await ctx.db.scalars(accounts)}


async def load_members(ctx: Ctx, ids: Sequence[int]) -> dict[int, list[int]]:
    """The robots of groups that were found in scope, as far as the actor sees them, by name."""
    rows = (
        ctx.scope.select(GroupMember.group_id, GroupMember.device_id)
        .join(Device, Device.id == GroupMember.device_id)
        .where(GroupMember.group_id.in_(ids))
        .order_by(Device.name, Device.id)
    )
    members: dict[int, list[int]] = {}
    for group, device in await ctx.db.execute(rows):
        members.setdefault(group, []).append(device)
    return members


@dataclass(frozen=True, slots=True)
class GroupFields:
    name: str
    kind: membership.Kind
    devices: Sequence[int]


@dataclass(frozen=True, slots=True)
class GroupChange:
    """New values; None leaves the old one."""

    name: str | None
    kind: membership.Kind | None
    devices: Sequence[int] | None


async def create_group(ctx: Ctx, owner_id: int | None, fields: GroupFields) -> DeviceGroup:
    owner = await load_owner(ctx, owner_id, "userId")
    await _refuse_taken_name(ctx, owner.id, fields.name, None)
    await _check_members(ctx, owner, fields.kind, fields.devices)
    group = DeviceGroup(account_id=owner.id, name=fields.name, type=fields.kind)
    ctx.db.add(group)
    await ctx.db.flush()
    await _change_members(ctx, group, set(), set(fields.devices))
    return group


async def change_group(ctx: Ctx, group_id: int, fields: GroupChange, seen: datetime | None) -> None:
    group = await _lock_group(ctx, group_id)
    owner = await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == group.account_id))
    name = group.name if fields.name is None else fields.name
    kind = membership.Kind(group.type) if fields.kind is None else fields.kind
    await _refuse_taken_name(ctx, owner.id, name, group.id)
    before = (await load_members(ctx, [group.id])).get(group.id, [])
    await _check_members(ctx, owner, kind, before if fields.devices is None else fields.devices)
    changed = edits.apply(group, {"name": name, "type": int(kind)}, seen)
    if fields.devices is not None and set(fields.devices) != set(before):
        edits.stamp(group, "deviceIds")
        changed["deviceIds"] = before
        await _change_members(ctx, group, set(before), set(fields.devices))
    ctx.note(before=changed)


async def add_devices(ctx: Ctx, group_id: int, ids: Sequence[int]) -> tuple[int, list[tuple[Device, str]]]:
    """How many joined, and the others with what keeps each out: unlike what is there, or else what joins first."""
    group = await _lock_group(ctx, group_id)
    owner = await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == group.account_id))
    rows = ctx.scope.select(Device).where(Device.id.in_(ids)).order_by(Device.name, Device.id)
    robots = list(await ctx.db.scalars(rows))
    if len(robots) != len(set(ids)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    seen = set(await ctx.db.scalars(ctx.scope.at(owner.path).select(Device.id).where(Device.id.in_(ids))))
    members = (await load_members(ctx, [group.id])).get(group.id, [])
    joining, refused = list[int](), list[tuple[Device, str]]()
    for robot in robots:
        if robot.id in members:
            refused.append((robot, "in_group"))
        elif robot.id not in seen:
            refused.append((robot, "not_seen"))
        elif not await membership.are_alike(ctx.db, membership.Kind(group.type), [*(members or joining)[:1], robot.id]):
            refused.append((robot, "unlike"))
        else:
            joining.append(robot.id)
    if len(members) + len(joining) > LARGEST:
        raise Refusal(Code.TOO_MANY_ROWS, "deviceIds", count=len(members) + len(joining), limit=LARGEST)
    if joining:
        edits.stamp(group, "deviceIds")
        added = [{"group_id": group.id, "device_id": device} for device in joining]
        await ctx.db.execute(rows_of(group).insert(GroupMember), added)
    ctx.note(name=group.name, before={"deviceIds": members}, after={"deviceIds": [*members, *joining]})
    return len(joining), refused


async def delete_group(ctx: Ctx, group_id: int, *, confirmed: bool) -> None:
    group = await _lock_group(ctx, group_id)
    devices = (await load_members(ctx, [group.id])).get(group.id, [])
    if devices and not confirmed:
        named = ctx.scope.select(Device.name).where(Device.id.in_(devices))
        names = await ctx.db.scalars(named.order_by(Device.name).limit(NAMED))
        raise Refusal(Code.BAD_INPUT, "id", reason="group_used", count=len(devices), names=" · ".join(names))
    ctx.note(name=group.name, deviceIds=devices)
    await ctx.db.delete(group)


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    leave_groups = system("who gave the robot away was allowed to").text(queries.REMOVE_MEMBER)
    await db.execute(leave_groups, {"robot": event.device_id, "to": event.to})


async def on_group_members(db: AsyncSession, event: GroupMembers) -> None:
    members = event.scope.select(GroupMember.device_id).join(DeviceGroup, DeviceGroup.id == GroupMember.group_id)
    groups = event.scope.select(DeviceGroup.id).where(DeviceGroup.id == event.group_id)
    event.devices += await db.scalars(members.where(DeviceGroup.id.in_(groups)))


async def _lock_group(ctx: Ctx, group_id: int) -> DeviceGroup:
    rows = ctx.scope.select(DeviceGroup).where(DeviceGroup.id == group_id)
    return await query.fetch_one(ctx.db, rows.with_for_update())


async def _refuse_taken_name(ctx: Ctx, owner_id: int, name: str, excluded: int | None) -> None:
    same = ctx.scope.select(DeviceGroup).where(
        DeviceGroup.account_id == owner_id,
        func.lower(DeviceGroup.name) == name.lower(),
        DeviceGroup.id.is_distinct_from(excluded),
    )
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "name")


async def _check_members(ctx: Ctx, owner: Account, kind: membership.Kind, devices: Sequence[int]) -> None:
    """Refuses robots that the group's owner or the actor does not see, and such as do not fit together."""
    seen = ctx.scope.at(owner.path).select(func.count(Device.id)).where(Device.id.in_(devices))
    if await ctx.db.scalar(seen) != len(set(devices)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    await membership.refuse_unlike(ctx.db, kind, devices)


async def _change_members(ctx: Ctx, group: DeviceGroup, before: set[int], after: set[int]) -> None:
    """`before`: the members that the actor sees. Others, such as a robot that is deleted and may come back, stay."""
    members = rows_of(group)
    await ctx.db.execute(members.delete(GroupMember).where(GroupMember.device_id.in_(before - after)))
    if joining := sorted(after - before):
        await ctx.db.execute(members.insert(GroupMember), [{"group_id": group.id, "device_id": id_} for id_ in joining])
