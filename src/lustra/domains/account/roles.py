"""Roles (presets and the admins' own) and role groups."""

from collections.abc import Sequence

from sqlalchemy import Select, func, select, update

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account import granting, users
from lustra.domains.account.keys import PRESETS, catalogue
from lustra.domains.account.service import own, readable, visible
from lustra.domains.account.tables import Account, Role, RoleGroup


async def listed(ctx: Ctx) -> Sequence[Role]:
    return (await ctx.db.scalars(select(Role).order_by(Role.id))).all()


async def grantable(ctx: Ctx) -> list[Role]:
    """Those that the actor may give."""
    out: list[Role] = []
    for role in await listed(ctx):
        try:
            await granting.roles(ctx.db, ctx.actor, [role.id])
        except Refusal:
            continue
        out.append(role)
    return out


async def make(ctx: Ctx, name: str, keys: list[str]) -> Role:
    made = Role(name=name, keys=granting.grantable(ctx.actor, keys), account_id=ctx.actor.acting_id)
    ctx.db.add(made)
    await ctx.db.flush()
    return made


async def _found(ctx: Ctx, role_id: int) -> Role:
    role = await ctx.db.scalar(select(Role).where(Role.id == role_id).with_for_update())
    if role is None:
        raise Refusal(Code.NOT_FOUND)
    return role


async def change(ctx: Ctx, role_id: int, name: str | None, keys: list[str] | None) -> None:
    """Takes effect at the next call of whoever has it. What the role holds beyond the actor's keys may stay in it."""
    role = await _found(ctx, role_id)
    ctx.note(before={"name": role.name, "keys": role.keys})
    if name is not None:
        role.name = name
    if keys is not None:
        if role.id in (await own(ctx.db, ctx.actor)).roles and not set(role.keys) <= set(keys):
            raise Refusal(Code.BAD_INPUT, "keys", reason="own_permission")  # the last admin would lock itself out
        granting.grantable(ctx.actor, set(keys) - set(role.keys))
        role.keys = [key for key in catalogue() if key in keys]
    ctx.note(after={"name": role.name, "keys": role.keys})
    await ctx.db.flush()
    await users.everyone_anew(ctx)


async def remove(ctx: Ctx, role_id: int) -> None:
    """Presets stay; so does a role that somebody has."""
    role = await _found(ctx, role_id)
    if role.id in PRESETS:
        raise Refusal(Code.BAD_INPUT, "id", reason="role_preset")
    # Unscoped: roles are shared by all.
    has = Account.roles.contains([role.id])
    people = await ctx.db.scalar(select(func.count()).select_from(Account).where(has, Account.deleted_at.is_(None)))
    groups = await ctx.db.scalar(
        select(func.count()).select_from(RoleGroup).where(RoleGroup.role_ids.contains([role.id]))
    )
    if used := (people or 0) + (groups or 0):
        raise Refusal(Code.BAD_INPUT, "id", reason="role_used", count=used)
    await ctx.db.delete(role)


def _seen(ctx: Ctx, user_id: int | None) -> Select[RoleGroup]:
    """Of the accounts that a list is about."""
    rows = select(RoleGroup).where(RoleGroup.account_id.in_(visible(ctx.actor)))
    return rows if user_id is None else rows.where(RoleGroup.account_id == user_id)


async def groups(ctx: Ctx, user_id: int | None) -> Sequence[RoleGroup]:
    return (await ctx.db.scalars(_seen(ctx, user_id).order_by(func.lower(RoleGroup.name)))).all()


async def groups_of(ctx: Ctx, user_id: int | None) -> Sequence[RoleGroup]:
    """Those that an account was given."""
    whose = readable(ctx.actor).where(Account.id == (user_id or ctx.actor.acting_id))
    account = await query.fetch_one(ctx.db, whose)
    given = select(RoleGroup).where(RoleGroup.id.in_(account.groups))  # unscoped: of an account in scope
    return (await ctx.db.scalars(given.order_by(func.lower(RoleGroup.name)))).all()


async def make_group(ctx: Ctx, name: str, role_ids: list[int], keys: list[str]) -> RoleGroup:
    made = RoleGroup(
        account_id=ctx.actor.acting_id, name=name, role_ids=await granting.roles(ctx.db, ctx.actor, role_ids),
        keys=granting.grantable(ctx.actor, keys),
    )  # fmt: skip
    ctx.db.add(made)
    await ctx.db.flush()
    return made


async def change_group(
    ctx: Ctx, group_id: int, name: str | None, role_ids: list[int] | None, keys: list[str] | None
) -> None:
    group = await query.fetch_one(ctx.db, _seen(ctx, None).where(RoleGroup.id == group_id).with_for_update())
    await _not_the_own(ctx, group)
    ctx.note(before={"name": group.name, "roleIds": group.role_ids, "permissionKeys": group.keys})
    if name is not None:
        group.name = name
    if role_ids is not None:
        group.role_ids = await granting.roles(ctx.db, ctx.actor, role_ids)
    if keys is not None:
        group.keys = granting.grantable(ctx.actor, keys)
    await ctx.db.flush()
    await users.everyone_anew(ctx)


async def remove_group(ctx: Ctx, group_id: int) -> None:
    """Whoever has it loses what it brought."""
    group = await query.fetch_one(ctx.db, _seen(ctx, None).where(RoleGroup.id == group_id).with_for_update())
    await _not_the_own(ctx, group)
    given = update(Account).where(
        Account.groups.contains([group.id])
    )  # unscoped: a group is given within its maker's scope
    await ctx.db.execute(given.values(groups=func.array_remove(Account.groups, group.id)))
    await ctx.db.delete(group)
    await ctx.db.flush()
    await users.everyone_anew(ctx)


async def _not_the_own(ctx: Ctx, group: RoleGroup) -> None:
    """Nobody changes what they themselves may do."""
    if group.id in (await own(ctx.db, ctx.actor)).groups:
        raise Refusal(Code.BAD_INPUT, "id", reason="own_permission")
