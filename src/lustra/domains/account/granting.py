"""What one account may grant to another: never more than its own keys, and the roles of staff only as an admin."""

from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Actor, Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account.keys import STAFF, catalogue
from lustra.domains.account.service import visible
from lustra.domains.account.tables import Role, RoleGroup


def grantable(actor: Actor, keys: Collection[str]) -> list[str]:
    """In the order of the catalogue."""
    if unknown := set(keys) - catalogue().keys():
        raise Refusal(Code.BAD_INPUT, "keys", reason="key_unknown", permission=min(unknown))
    if beyond := set(keys) - actor.keys:
        raise Refusal(Code.FORBIDDEN, "keys", reason="grant_beyond", permission=min(beyond))
    return [key for key in catalogue() if key in keys]


async def roles(db: AsyncSession, actor: Actor, ids: Sequence[int]) -> list[int]:
    found = {role.id: role for role in await db.scalars(select(Role).where(Role.id.in_(ids)))}
    if len(found) < len(set(ids)):
        raise Refusal(Code.BAD_INPUT, "role", reason="role_unknown")
    for role in found.values():
        grantable(actor, role.keys)
    if actor.level != 1 and set(found) & set(STAFF):
        raise Refusal(Code.FORBIDDEN, "role", reason="role_of_staff")
    return sorted(found)


async def groups(db: AsyncSession, actor: Actor, ids: Sequence[int]) -> list[int]:
    """Of those that accounts within the actor's scope made."""
    seen = select(RoleGroup).where(RoleGroup.id.in_(ids), RoleGroup.account_id.in_(visible(actor)))
    found = {group.id: group for group in await db.scalars(seen)}
    if len(found) < len(set(ids)):
        raise Refusal(Code.BAD_INPUT, "groupId", reason="group_unknown")
    for group in found.values():
        grantable(actor, group.keys)
        await roles(db, actor, group.role_ids)
    return sorted(found)


def demand(ctx: Ctx, key: str) -> None:
    """A right that depends on whom a call is about."""
    if key not in ctx.actor.keys:
        raise Refusal(Code.FORBIDDEN)
