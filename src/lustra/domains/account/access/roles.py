"""Roles (presets and the admins' own) and role groups."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import shared, system
from lustra.domains.account import granting, users
from lustra.domains.account.keys import PRESETS, catalogue
from lustra.domains.account.service import narrow_scope, own
from lustra.domains.account.tables import Account, Role, RoleGroup


async def list_roles(ctx: Ctx) -> Sequence[Role]:
    return (await ctx.db.scalars(shared.select(Role).order_by(Role.id))).all()


async def list_makers(ctx: Ctx, user_id: int | None) -> set[int] | None:
    """The account and those below it; None: no account, or one's own."""
    if user_id in (None, ctx.actor.acting_id, ctx.actor.real_id):
        return None
    return set(await ctx.db.scalars((await narrow_scope(ctx, user_id)).select(Account.id)))


async def list_grantable_roles(ctx: Ctx) -> list[Role]:
    """Roles that the actor may give to others: none with a key that the actor lacks."""
    roles: list[Role] = []
    for role in await list_roles(ctx):
        try:
            await granting.check_roles(ctx.db, ctx.actor, [role.id])
        except Refusal:
            continue
        roles.append(role)
    return roles


async def create_role(ctx: Ctx, name: str, keys: list[str]) -> Role:
    role = Role(name=name, keys=granting.check_keys(ctx.actor, keys), account_id=ctx.actor.acting_id)
    ctx.db.add(role)
    await ctx.db.flush()
    return role


async def _lock_role(ctx: Ctx, role_id: int) -> Role:
    role = await ctx.db.scalar(shared.select(Role).where(Role.id == role_id).with_for_update())
    if role is None:
        raise Refusal(Code.NOT_FOUND)
    return role


@dataclass(frozen=True, slots=True)
class RoleKeys:
    """What a role shall hold: `whole`, or its pages or buttons alone. None: these stay."""

    whole: list[str] | None
    pages: list[str] | None
    buttons: list[str] | None

    def of(self, held: list[str]) -> list[str] | None:
        if self.whole is not None:
            return self.whole
        if self.pages is None and self.buttons is None:
            return None
        kinds = {"page": self.pages, "button": self.buttons}
        stay = [key for key in held if kinds.get(catalogue()[key].kind) is None]
        return [*stay, *(self.pages or []), *(self.buttons or [])]


async def change_role(ctx: Ctx, role_id: int, name: str | None, new_keys: RoleKeys) -> None:
    """Takes effect at the next call of whoever has it. What the role holds beyond the actor's keys may stay in it."""
    role = await _lock_role(ctx, role_id)
    ctx.note(before={"name": role.name, "keys": role.keys})
    if name is not None:
        role.name = name
    if (keys := new_keys.of(role.keys)) is not None:
        if role.id in (await own(ctx.db, ctx.actor)).roles and not set(role.keys) <= set(keys):
            raise Refusal(Code.BAD_INPUT, "keys", reason="own_permission")  # the last admin would lock itself out
        granting.check_keys(ctx.actor, set(keys) - set(role.keys))
        role.keys = [key for key in catalogue() if key in keys]
    ctx.note(after={"name": role.name, "keys": role.keys})
    await ctx.db.flush()
    await users.refresh_all_sessions(ctx)


async def delete_role(ctx: Ctx, role_id: int) -> None:
    """Refused for a role that comes with the product, and while an account or a group has it."""
    role = await _lock_role(ctx, role_id)
    if role.id in PRESETS:
        raise Refusal(Code.BAD_INPUT, "id", reason="role_preset")
    every = system("roles are shared by all")
    people = every.select(func.count(Account.id)).where(Account.roles.contains([role.id]), Account.deleted_at.is_(None))
    groups = every.select(func.count(RoleGroup.id)).where(RoleGroup.role_ids.contains([role.id]))
    if used := (await ctx.db.scalar(people) or 0) + (await ctx.db.scalar(groups) or 0):
        raise Refusal(Code.BAD_INPUT, "id", reason="role_used", count=used)
    await ctx.db.delete(role)


def _select_groups(ctx: Ctx, user_id: int | None) -> Select[RoleGroup]:
    """Groups in scope; where `user_id` is given, those that this account made."""
    rows = ctx.scope.select(RoleGroup)
    return rows if user_id is None else rows.where(RoleGroup.account_id == user_id)


async def list_groups(ctx: Ctx, user_id: int | None) -> Sequence[RoleGroup]:
    return (await ctx.db.scalars(_select_groups(ctx, user_id).order_by(func.lower(RoleGroup.name)))).all()


async def list_groups_of(ctx: Ctx, user_id: int | None) -> Sequence[RoleGroup]:
    """Those that an account was given."""
    in_scope = ctx.scope.select(Account).where(Account.id == (user_id or ctx.actor.acting_id))
    account = await query.fetch_one(ctx.db, in_scope)
    given = system("what an account in scope was given").select(RoleGroup).where(RoleGroup.id.in_(account.groups))
    return (await ctx.db.scalars(given.order_by(func.lower(RoleGroup.name)))).all()


async def create_group(ctx: Ctx, name: str, role_ids: list[int], keys: list[str]) -> RoleGroup:
    group = RoleGroup(
        account_id=ctx.actor.acting_id,
        name=name,
        role_ids=await granting.check_roles(ctx.db, ctx.actor, role_ids),
        keys=granting.check_keys(ctx.actor, keys),
    )
    ctx.db.add(group)
    await ctx.db.flush()
    return group


async def change_group(
    ctx: Ctx, group_id: int, name: str | None, role_ids: list[int] | None, keys: list[str] | None
) -> None:
    group = await query.fetch_one(ctx.db, _select_groups(ctx, None).where(RoleGroup.id == group_id).with_for_update())
    await _refuse_own_group(ctx, group)
    ctx.note(before={"name": group.name, "roleIds": group.role_ids, "permissionKeys": group.keys})
    if name is not None:
        group.name = name
    if role_ids is not None:
        group.role_ids = await granting.check_roles(ctx.db, ctx.actor, role_ids)
    if keys is not None:
        group.keys = granting.check_keys(ctx.actor, keys)
    await ctx.db.flush()
    await users.refresh_all_sessions(ctx)


async def delete_group(ctx: Ctx, group_id: int) -> None:
    """Accounts that have the group lose the keys that only it gave them."""
    group = await query.fetch_one(ctx.db, _select_groups(ctx, None).where(RoleGroup.id == group_id).with_for_update())
    await _refuse_own_group(ctx, group)
    holders = system("a group is given within its maker's scope").update(Account)
    given = holders.where(Account.groups.contains([group.id]))
    await ctx.db.execute(given.values(groups=func.array_remove(Account.groups, group.id)))
    await ctx.db.delete(group)
    await ctx.db.flush()
    await users.refresh_all_sessions(ctx)


async def _refuse_own_group(ctx: Ctx, group: RoleGroup) -> None:
    """Refuses a change to a group that gives the actor their own keys."""
    if group.id in (await own(ctx.db, ctx.actor)).groups:
        raise Refusal(Code.BAD_INPUT, "id", reason="own_permission")
