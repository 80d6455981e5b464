"""What one account may grant to another: never more than its own keys, and the roles of staff only as an admin."""

from collections.abc import Collection, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Actor, Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import shared
from lustra.domains.account.keys import STAFF, catalogue
from lustra.domains.account.tables import Role, RoleGroup


def check_keys(actor: Actor, keys: Collection[str]) -> list[str]:
    """The keys in the order of the catalogue. Refused where the actor lacks one."""
    if unknown := set(keys) - catalogue().keys():
        raise Refusal(Code.BAD_INPUT, "keys", reason="key_unknown", permission=min(unknown))
    if beyond := set(keys) - actor.keys:
        raise Refusal(Code.FORBIDDEN, "keys", reason="grant_beyond", permission=min(beyond))
    return [key for key in catalogue() if key in keys]


async def check_roles(db: AsyncSession, actor: Actor, ids: Sequence[int]) -> list[int]:
    roles_by_id = {role.id: role for role in await db.scalars(shared.select(Role).where(Role.id.in_(ids)))}
    if len(roles_by_id) < len(set(ids)):
        raise Refusal(Code.BAD_INPUT, "role", reason="role_unknown")
    for role in roles_by_id.values():
        check_keys(actor, role.keys)
    if actor.level != 1 and set(roles_by_id) & set(STAFF):
        raise Refusal(Code.FORBIDDEN, "role", reason="role_of_staff")
    return sorted(roles_by_id)


async def check_groups(db: AsyncSession, actor: Actor, ids: Sequence[int]) -> list[int]:
    """The ids of groups, each made within the actor's branch; else refused."""
    query = actor.scope.select(RoleGroup).where(RoleGroup.id.in_(ids))
    groups_by_id = {group.id: group for group in await db.scalars(query)}
    if len(groups_by_id) < len(set(ids)):
        raise Refusal(Code.BAD_INPUT, "groupId", reason="group_unknown")
    for group in groups_by_id.values():
        check_keys(actor, group.keys)
        await check_roles(db, actor, group.role_ids)
    return sorted(groups_by_id)


def demand_key(ctx: Ctx, key: str) -> None:
    """Refuses an actor without a key that a call needs for some accounts only."""
    if key not in ctx.actor.keys:
        raise Refusal(Code.FORBIDDEN)
