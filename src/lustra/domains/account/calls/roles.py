"""/user/role and /user/role/group."""

from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import (
    ById,
    Change,
    Commas,
    Id,
    doc,
)
from lustra.domains.account.access import roles
from lustra.domains.account.keys import PRESETS, catalogue
from lustra.domains.account.rules import Keys, Name
from lustra.domains.account.tables import Role, RoleGroup

ROLE = "user/role"
GROUP = "user/index/role_group"


class UserRef(Wire):
    user_id: Annotated[Id | None, doc("The account; null: one's own.")] = None


class RoleFilter(Wire):
    user_id: Annotated[
        Id | None, doc("Only presets and roles that this account or one below it made; null or one's own: all.")
    ] = None


class RoleView(Wire):
    id: Annotated[int, doc("Number of the role.")]
    name: Annotated[str, doc("Name of the role. A preset's name is shown in the reader's language instead.")]
    user_id: Annotated[int | None, doc("Account that made the role; null: a preset.")]
    preset: Annotated[bool, doc("Whether it came with the installation; it cannot be deleted then.")]
    page_keys: Annotated[list[str], doc("Keys of the pages that it opens; catalogue in /login's `permissionBeans`.")]
    button_keys: Annotated[list[str], doc("Keys of the buttons that it opens.")]


class RoleList(Wire):
    list: Annotated[list[RoleView], doc("The roles.")]


class NewRole(Wire):
    name: Annotated[Name, doc("Name of the role, 1 to 100 characters.")]
    page_keys: Annotated[Keys, doc("Keys of pages, of those that one holds.")] = Field(default=[])
    button_keys: Annotated[Keys, doc("Keys of buttons, of those that one holds.")] = Field(default=[])


class RoleChange(Change):
    id: Annotated[Id, doc("Number of the role.")]
    name: Annotated[Name | None, doc("New name, 1 to 100 characters; null: stays.")] = None
    keys: Annotated[Keys | None, doc("All keys of the role, of those that one holds; null: they stay.")] = None
    page_keys: Annotated[Keys | None, doc("All keys of pages, of those that one holds; null: they stay.")] = None
    button_keys: Annotated[Keys | None, doc("All keys of buttons, of those that one holds; null: they stay.")] = None


class RoleGroupView(Wire):
    id: Annotated[int, doc("Number of the role group.")]
    user_id: Annotated[int, doc("Account that made it.")]
    name: Annotated[str, doc("Name of the role group.")]
    role_ids: Annotated[list[int], doc("Roles in it.")]
    permission_keys: Annotated[list[str], doc("Keys that it gives beside those of its roles.")]


class RoleGroupList(Wire):
    list: Annotated[list[RoleGroupView], doc("The role groups, by name.")]


class NewRoleGroup(Wire):
    name: Annotated[Name, doc("Name of the role group, 1 to 100 characters.")]
    role_ids: Annotated[Commas[Id], doc("Roles in it.")] = Field(default=[])
    permission_keys: Annotated[Commas[str], doc("Keys beside those of its roles, of those that one holds.")] = Field(
        default=[]
    )


class RoleGroupChange(Change):
    id: Annotated[Id, doc("Number of the role group.")]
    name: Annotated[Name | None, doc("New name, 1 to 100 characters; null: stays.")] = None
    role_ids: Annotated[Commas[Id] | None, doc("All roles in it; null: they stay.")] = None
    permission_keys: Annotated[Commas[str] | None, doc("All keys beside those of its roles; null: they stay.")] = None


def _role_view(role: Role) -> RoleView:
    kinds = {key: catalogue()[key].kind for key in role.keys if key in catalogue()}
    return RoleView(
        id=role.id,
        name=role.name,
        user_id=role.account_id,
        preset=role.id in PRESETS,
        page_keys=[key for key, kind in kinds.items() if kind == "page"],
        button_keys=[key for key, kind in kinds.items() if kind == "button"],
    )


def _group_view(group: RoleGroup) -> RoleGroupView:
    return RoleGroupView(
        id=group.id, user_id=group.account_id, name=group.name, role_ids=group.role_ids, permission_keys=group.keys
    )


@call("/user/role/list", needs=(ROLE, GROUP, "user/index/permission", "user/index/add"), reads=("role",))
async def list_roles(ctx: Ctx, filters: RoleFilter) -> RoleList:
    """List all roles for whoever edits them, else those that one may grant."""
    makers = await roles.list_makers(ctx, filters.user_id)
    shown_roles = await roles.list_roles(ctx) if ROLE in ctx.actor.keys else await roles.list_grantable_roles(ctx)
    if makers is not None:
        shown_roles = [role for role in shown_roles if role.account_id is None or role.account_id in makers]
    return RoleList(list=[_role_view(role) for role in shown_roles])


@call("/user/role/insert", needs=ROLE, person=True, changes=("role",), audit="role.insert")
async def create_role(ctx: Ctx, payload: NewRole) -> ById:
    """Create a role with at most the keys that one holds."""
    return ById(id=(await roles.create_role(ctx, payload.name, [*payload.page_keys, *payload.button_keys])).id)


@call("/user/role/update", needs=ROLE, person=True, changes=("role", "user"), audit="role.update")
async def change_role(ctx: Ctx, payload: RoleChange) -> Nothing:
    """Change a role's name or keys, from the next call on of whoever has it."""
    keys = roles.RoleKeys(payload.keys, payload.page_keys, payload.button_keys)
    await roles.change_role(ctx, payload.id, payload.name, keys)
    return Nothing()


@call("/user/role/delete", needs=ROLE, person=True, changes=("role",), audit="role.delete")
async def delete_role(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a role. Refused for presets and while somebody has it."""
    await roles.delete_role(ctx, payload.id)
    return Nothing()


@call("/user/role/group/list", needs=(GROUP, "user/index/permission"), reads=("role",))
async def list_groups(ctx: Ctx, payload: UserRef) -> RoleGroupList:
    """List the role groups that the account, or accounts below, made."""
    return RoleGroupList(list=[_group_view(group) for group in await roles.list_groups(ctx, payload.user_id)])


@call("/user/role/group/insert", needs=GROUP, person=True, changes=("role",), audit="role_group.insert")
async def create_group(ctx: Ctx, payload: NewRoleGroup) -> ById:
    """Create a group of roles and keys."""
    return ById(id=(await roles.create_group(ctx, payload.name, payload.role_ids, payload.permission_keys)).id)


@call("/user/role/group/update", needs=GROUP, person=True, changes=("role", "user"), audit="role_group.update")
async def change_group(ctx: Ctx, payload: RoleGroupChange) -> Nothing:
    """Change a role group's name, roles or keys."""
    await roles.change_group(ctx, payload.id, payload.name, payload.role_ids, payload.permission_keys)
    return Nothing()


@call("/user/role/group/delete", needs=GROUP, person=True, changes=("role", "user"), audit="role_group.delete")
async def delete_group(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a role group: whoever has it loses what it gave."""
    await roles.delete_group(ctx, payload.id)
    return Nothing()


@call("/user/role_group", needs=GROUP, reads=("role",))
async def list_granted_groups(ctx: Ctx, payload: UserRef) -> RoleGroupList:
    """List the role groups that an account was given."""
    return RoleGroupList(list=[_group_view(group) for group in await roles.list_groups_of(ctx, payload.user_id)])
