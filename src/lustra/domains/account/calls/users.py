"""/user: the accounts below one's own."""

from datetime import datetime
from typing import Literal

from pydantic import Field, SecretStr
from sqlalchemy import Select, func, select

from lustra.core.query import bounded, pages
from lustra.core.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import Commas, Id, Json, Page, PageOf
from lustra.domains.account import subjects, users
from lustra.domains.account.rules import SHORTEST_PASSWORD, LoginName, Mailboxes, Name, Phone
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account

Flag = Literal[0, 1]


class Target(Wire):
    """`userId` may repeat who acts; whom a call is about is `targetUserId`."""

    user_id: Id | None = None
    target_user_id: Id


class UserRow(Wire):
    """`parentUser` and `childCount` within the asker's scope; `keys` null: what roles and groups bring. `ssoTime`:
    since when it is connected for single sign-on."""

    user_id: int
    account: str
    name: str
    phone: str
    email: str
    url: str
    email_to_task: int
    email_to_warn: int
    email_to_task_report: int
    level_depth: int
    role: str
    groups: list[int]
    keys: list[str] | None
    parent_user: int | None
    parent_name: str
    shadow_id: int | None
    must_change: bool
    sso_time: datetime | None
    child_count: int
    create_time: datetime
    childs: list["UserRow"] = Field(default=[])


class UserFilter(PageOf):
    """`levels`: only these, as far as the asker's own level may search."""

    user_id: Id | None = None
    keyword: str = Field("", max_length=100)
    levels: Commas[Id] = Field(default=[])
    is_shadow: Flag = 0


class TreeFilter(PageOf):
    """The accounts directly below `userId` (without it: below one's own); with `keyword` all below that match."""

    user_id: Id | None = None
    show_child: Flag = 0
    paging: Flag = 1
    keyword: str = Field("", max_length=100)


class NewUser(Wire):
    """`role`: ids, else the preset of the level. Without a `password` a random one is made."""

    account: LoginName
    name: Name
    phone: Phone = ""
    email: Mailboxes = ""
    role: Json[list[Id]] | None = None
    parent_id: Id | None = None
    is_shadow: Flag = 0
    password: SecretStr | None = Field(None, min_length=SHORTEST_PASSWORD, max_length=256)


class Made(Wire):
    """`password` is told this once."""

    user_id: int
    password: str


class UserChange(Wire):
    """What is not told stays. Without `targetUserId`: the own data."""

    target_user_id: Id | None = None
    name: Name | None = None
    phone: Phone | None = None
    email: Mailboxes | None = None
    email_to_task: Flag | None = None
    email_to_warn: Flag | None = None
    email_to_task_report: Flag | None = None
    parent_id: Id | None = None


class Permission(Target):
    """`keys`: exactly these; null: what `role` and `groupIds` bring."""

    keys: Commas[str] | None = None
    role: Json[list[Id]] | None = Field(None, min_length=1)
    group_ids: Commas[Id] | None = None


class Password(Wire):
    """Told this once."""

    password: str


class CleanToken(Wire):
    target_user_id: Id | None = None


class Ended(Wire):
    sessions: int


async def _page(ctx: Ctx, rows: Select[Account], of: PageOf) -> Page[UserRow]:
    total = await ctx.db.scalar(select(func.count()).select_from(rows.order_by(None).subquery())) or 0
    bounded(total, of)
    found = await ctx.db.scalars(rows.limit(of.page_size).offset((of.current_page - 1) * of.page_size))
    return Page(list=await _rows(ctx, list(found)), page_num=pages(total, of), total=total)


async def _rows(ctx: Ctx, found: list[Account]) -> list[UserRow]:
    about = await users.about(ctx.db, ctx.actor, [one.id for one in found])
    connected = await subjects.since(ctx.db, ctx.actor, [one.id for one in found])
    return [
        UserRow(
            user_id=one.id, account=one.account, name=one.name, phone=one.phone, email=one.email, url=one.url,
            email_to_task=one.email_to_task, email_to_warn=one.email_to_warn,
            email_to_task_report=one.email_to_task_report, level_depth=one.level, role=str(one.roles),
            groups=one.groups, keys=one.keys, parent_user=one.parent_id, parent_name=about[one.id][0],
            shadow_id=one.shadow_of, must_change=one.must_change, sso_time=connected.get(one.id),
            child_count=about[one.id][1], create_time=one.created_at,
        )
        for one in found
    ]  # fmt: skip


@call("/user/me", needs=SESSION)
async def me(ctx: Ctx) -> UserRow:
    """One's own data: of the real account, also when it acts for another."""
    [row] = await _rows(ctx, [await own(ctx.db, ctx.actor)])
    return row


@call("/user/selectUserList", needs="user/index")
async def select_user_list(ctx: Ctx, wanted: UserFilter) -> Page[UserRow]:
    """The accounts below, however deep, or their shadows."""
    rows = users.found(ctx.actor, wanted.keyword, wanted.levels, shadows=bool(wanted.is_shadow))
    return await _page(ctx, rows, wanted)


@call("/user/selectUserInfo", needs="user/index")
async def select_user_info(ctx: Ctx, wanted: TreeFilter) -> Page[UserRow]:
    """One level of the tree; the console opens the next when somebody unfolds it."""
    root = wanted.user_id or ctx.actor.acting_id
    rows = users.found(ctx.actor, wanted.keyword, [], shadows=False, parent=None if wanted.keyword.strip() else root)
    of = wanted if wanted.paging else wanted.model_copy(update={"current_page": 1, "page_size": 1_000_000})
    page = await _page(ctx, rows, of)
    if wanted.show_child:
        for row in page.list:
            below = users.found(ctx.actor, "", [], shadows=False, parent=row.user_id)
            row.childs = await _rows(ctx, list(await ctx.db.scalars(below)))
    return page


@call("/user/insertUser", needs="user/index/add", person=True, changes=("user",), audit="user.insert")
async def insert_user(ctx: Ctx, told: NewUser) -> Made:
    """An account of the next level, or a shadow of one's own."""
    password = told.password.get_secret_value() if told.password else ""
    made, first = await users.make(
        ctx,
        users.New(
            told.account, told.name, told.phone, told.email, told.role, told.parent_id, bool(told.is_shadow), password
        ),
    )
    ctx.note(userId=made.id)
    return Made(user_id=made.id, password=first)


@call("/user/updateUserInfo", needs=SESSION, changes=("user",), audit="user.update")
async def update_user_info(ctx: Ctx, told: UserChange) -> Nothing:
    """One's own data, or those of an account below."""
    fields = told.model_dump(exclude={"target_user_id", "parent_id"}, exclude_none=True)
    for flag in ("email_to_task", "email_to_warn", "email_to_task_report"):
        if flag in fields:
            fields[flag] = bool(fields[flag])
    await users.change(ctx, told.target_user_id, fields, told.parent_id)
    return Nothing()


@call(
    "/user/updateUserPermission", needs="user/index/permission", person=True, changes=("user",), audit="user.permission"
)
async def update_user_permission(ctx: Ctx, told: Permission) -> Nothing:
    """What an account below may do, from its next call on."""
    await users.permit(ctx, told.target_user_id, keys=told.keys, roles=told.role, groups=told.group_ids)
    return Nothing()


@call("/user/deleteUserInfo", needs="user/index/delete", changes=("user", "device"), audit="user.delete")
async def delete_user_info(ctx: Ctx, told: Target) -> Nothing:
    """Its robots go to the account above, its sessions end; refused while accounts stand below it."""
    await users.remove(ctx, told.target_user_id)
    return Nothing()


@call(
    "/user/updateInitialPassword",
    needs="user/index/init_password",
    person=True,
    changes=("user",),
    audit="user.init_password",
)
async def update_initial_password(ctx: Ctx, told: Target) -> Password:
    """A new first password, which must be changed at the next log-in."""
    return Password(password=await users.first_password(ctx, told.target_user_id))


@call("/user/cleanToken", needs="index/clear_token", person=True, changes=("user",), audit="user.clean_token")
async def clean_token(ctx: Ctx, told: CleanToken) -> Ended:
    """Ends all sessions of an account below, or all others of one's own."""
    return Ended(sessions=await users.clean_tokens(ctx, told.target_user_id))
