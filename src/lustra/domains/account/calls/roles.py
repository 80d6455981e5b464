"""/user/role and /user/role/group."""

from pydantic import Field

from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Commas, Id
from lustra.domains.account import roles
from lustra.domains.account.keys import PRESETS, catalogue
from lustra.domains.account.rules import Name
from lustra.domains.account.tables import Role, RoleGroup

ROLE, GROUP = "user/role", "user/index/role_group"


class OfUser(Wire):
    user_id: Id | None = None


class RoleRow(Wire):
    """`preset`: its name is said in the reader's language and it cannot be deleted."""

    id: int
    name: str
    user_id: int | None
    preset: bool
    page_keys: list[str]
    button_keys: list[str]


class Roles(Wire):
    list: list[RoleRow]


class NewRole(Wire):
    name: Name
    page_keys: Commas[str] = Field(default=[])
    button_keys: Commas[str] = Field(default=[])


class RoleChange(Wire):
    """What is not told stays."""

    id: Id
    name: Name | None = None
    keys: Commas[str] | None = None


class GroupRow(Wire):
    id: int
    user_id: int
    name: str
    role_ids: list[int]
    permission_keys: list[str]


class Groups(Wire):
    list: list[GroupRow]


class NewGroup(Wire):
    name: Name
    role_ids: Commas[Id] = Field(default=[])
    permission_keys: Commas[str] = Field(default=[])


class GroupChange(Wire):
    """What is not told stays."""

    id: Id
    name: Name | None = None
    role_ids: Commas[Id] | None = None
    permission_keys: Commas[str] | None = None


def _row(role: Role) -> RoleRow:
    kinds = {key: catalogue()[key].kind for key in role.keys if key in catalogue()}
    return RoleRow(
        id=role.id, name=role.name, user_id=role.account_id, preset=role.id in PRESETS,
        page_keys=[key for key, kind in kinds.items() if kind == "page"],
        button_keys=[key for key, kind in kinds.items() if kind == "button"],
    )  # fmt: skip


def _group(group: RoleGroup) -> GroupRow:
    return GroupRow(
        id=group.id, user_id=group.account_id, name=group.name, role_ids=group.role_ids, permission_keys=group.keys
    )


@call("/user/role/list", needs=(ROLE, GROUP, "user/index/permission", "user/index/add"))
async def role_list(ctx: Ctx, _: OfUser) -> Roles:
    """All roles for whoever edits them, else those that one may grant."""
    found = await roles.listed(ctx) if ROLE in ctx.actor.keys else await roles.grantable(ctx)
    return Roles(list=[_row(role) for role in found])


@call("/user/role/insert", needs=ROLE, person=True, changes=("role",), audit="role.insert")
async def role_insert(ctx: Ctx, told: NewRole) -> ById:
    """A role of one's own making."""
    return ById(id=(await roles.make(ctx, told.name, [*told.page_keys, *told.button_keys])).id)


@call("/user/role/update", needs=ROLE, person=True, changes=("role", "user"), audit="role.update")
async def role_update(ctx: Ctx, told: RoleChange) -> Nothing:
    """Its name or keys, from the next call on of whoever has it."""
    await roles.change(ctx, told.id, told.name, told.keys)
    return Nothing()


@call("/user/role/delete", needs=ROLE, person=True, changes=("role",), audit="role.delete")
async def role_delete(ctx: Ctx, told: ById) -> Nothing:
    """Refused for presets and while somebody has it."""
    await roles.remove(ctx, told.id)
    return Nothing()


@call("/user/role/group/list", needs=(GROUP, "user/index/permission"))
async def group_list(ctx: Ctx, wanted: OfUser) -> Groups:
    """Groups that the account, or accounts below, made."""
    return Groups(list=[_group(group) for group in await roles.groups(ctx, wanted.user_id)])


@call("/user/role/group/insert", needs=GROUP, person=True, changes=("role",), audit="role_group.insert")
async def group_insert(ctx: Ctx, told: NewGroup) -> ById:
    """A group of roles and keys."""
    return ById(id=(await roles.make_group(ctx, told.name, told.role_ids, told.permission_keys)).id)


@call("/user/role/group/update", needs=GROUP, person=True, changes=("role", "user"), audit="role_group.update")
async def group_update(ctx: Ctx, told: GroupChange) -> Nothing:
    """Its name, roles or keys."""
    await roles.change_group(ctx, told.id, told.name, told.role_ids, told.permission_keys)
    return Nothing()


@call("/user/role/group/delete", needs=GROUP, person=True, changes=("role", "user"), audit="role_group.delete")
async def group_delete(ctx: Ctx, told: ById) -> Nothing:
    """Whoever has it loses what it brought."""
    await roles.remove_group(ctx, told.id)
    return Nothing()


@call("/user/role_group", needs=GROUP)
async def role_group(ctx: Ctx, wanted: OfUser) -> Groups:
    """The groups that an account was given."""
    return Groups(list=[_group(group) for group in await roles.groups_of(ctx, wanted.user_id)])
