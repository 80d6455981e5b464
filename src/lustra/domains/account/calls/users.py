"""/user: the accounts below one's own."""

from datetime import datetime
from typing import Literal

from pydantic import Field, SecretStr
from sqlalchemy import Select

from lustra.core.query import pages, paginate
from lustra.core.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import Commas, Id, Json, Page, PageOf
from lustra.domains.account import subjects, users
from lustra.domains.account.rules import SHORTEST_PASSWORD, LoginName, Mailboxes, Name, Phone
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account

Flag = Literal[0, 1]


class TargetUser(Wire):
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


class NewUserResult(Wire):
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


class PermissionChange(TargetUser):
    """`keys`: exactly these; null: what `role` and `groupIds` bring."""

    keys: Commas[str] | None = None
    role: Json[list[Id]] | None = Field(None, min_length=1)
    group_ids: Commas[Id] | None = None


class InitialPassword(Wire):
    """Told this once."""

    password: str


class SessionsTarget(Wire):
    target_user_id: Id | None = None


class EndedSessions(Wire):
    sessions: int


async def _page(ctx: Ctx, rows: Select[Account], page: PageOf) -> Page[UserRow]:
    accounts, total = await paginate(ctx.db, rows, page)
    return Page(list=await _rows(ctx, list(accounts)), page_num=pages(total, page), total=total)


async def _rows(ctx: Ctx, accounts: list[Account]) -> list[UserRow]:
    relations = await users.parents_and_child_counts(ctx.db, ctx.actor, [account.id for account in accounts])
    connected = await subjects.connected_since(ctx.db, ctx.actor, [account.id for account in accounts])
    return [
        UserRow(
            user_id=account.id,
            account=account.account,
            name=account.name,
            phone=account.phone,
            email=account.email,
            url=account.url,
            email_to_task=account.email_to_task,
            email_to_warn=account.email_to_warn,
            email_to_task_report=account.email_to_task_report,
            level_depth=account.level,
            role=str(account.roles),
            groups=account.groups,
            keys=account.keys,
            parent_user=account.parent_id,
            parent_name=relations[account.id][0],
            shadow_id=account.shadow_of,
            must_change=account.must_change,
            sso_time=connected.get(account.id),
            child_count=relations[account.id][1],
            create_time=account.created_at,
        )
        for account in accounts
    ]


@call("/user/me", needs=SESSION)
async def show_own_account(ctx: Ctx) -> UserRow:
    """Show one's own data: those of the real account, also when it acts for another."""
    [row] = await _rows(ctx, [await own(ctx.db, ctx.actor)])
    return row


@call("/user/selectUserList", needs="user/index")
async def list_users(ctx: Ctx, filters: UserFilter) -> Page[UserRow]:
    """List the accounts below, however deep, or their shadows."""
    rows = users.select_accounts(ctx.actor, filters.keyword, filters.levels, shadows=bool(filters.is_shadow))
    return await _page(ctx, rows, filters)


@call("/user/selectUserInfo", needs="user/index")
async def list_children(ctx: Ctx, filters: TreeFilter) -> Page[UserRow]:
    """List one level of the tree of accounts; the console opens the next when somebody unfolds it."""
    root = filters.user_id or ctx.actor.acting_id
    rows = users.select_accounts(
        ctx.actor, filters.keyword, [], shadows=False, parent=None if filters.keyword.strip() else root
    )
    page_of = filters if filters.paging else filters.model_copy(update={"current_page": 1, "page_size": 1_000_000})
    page = await _page(ctx, rows, page_of)
    if filters.show_child:
        for row in page.list:
            below = users.select_accounts(ctx.actor, "", [], shadows=False, parent=row.user_id)
            row.childs = await _rows(ctx, list(await ctx.db.scalars(below)))
    return page


@call("/user/insertUser", needs="user/index/add", person=True, changes=("user",), audit="user.insert")
async def create_user(ctx: Ctx, payload: NewUser) -> NewUserResult:
    """Create an account of the next level, or a shadow of one's own."""
    password = payload.password.get_secret_value() if payload.password else ""
    account, first_password = await users.create_account(
        ctx,
        users.NewAccount(
            payload.account,
            payload.name,
            payload.phone,
            payload.email,
            payload.role,
            payload.parent_id,
            bool(payload.is_shadow),
            password,
        ),
    )
    ctx.note(userId=account.id)
    return NewUserResult(user_id=account.id, password=first_password)


@call("/user/updateUserInfo", needs=SESSION, changes=("user",), audit="user.update")
async def change_user(ctx: Ctx, payload: UserChange) -> Nothing:
    """Change one's own data, or those of an account below."""
    fields = payload.model_dump(exclude={"target_user_id", "parent_id"}, exclude_none=True)
    for flag in ("email_to_task", "email_to_warn", "email_to_task_report"):
        if flag in fields:
            fields[flag] = bool(fields[flag])
    await users.change_account(ctx, payload.target_user_id, fields, payload.parent_id)
    return Nothing()


@call(
    "/user/updateUserPermission", needs="user/index/permission", person=True, changes=("user",), audit="user.permission"
)
async def set_permissions(ctx: Ctx, payload: PermissionChange) -> Nothing:
    """Set what an account below may do, from its next call on."""
    await users.set_permissions(
        ctx, payload.target_user_id, keys=payload.keys, roles=payload.role, groups=payload.group_ids
    )
    return Nothing()


@call("/user/deleteUserInfo", needs="user/index/delete", changes=("user", "device"), audit="user.delete")
async def delete_user(ctx: Ctx, payload: TargetUser) -> Nothing:
    """Delete an account: its robots go to the one above, its sessions end. Refused while accounts stand below it."""
    await users.delete_account(ctx, payload.target_user_id)
    return Nothing()


@call(
    "/user/updateInitialPassword",
    needs="user/index/init_password",
    person=True,
    changes=("user",),
    audit="user.init_password",
)
async def reset_password(ctx: Ctx, payload: TargetUser) -> InitialPassword:
    """Give an account a new first password, which must be changed at the next log-in."""
    return InitialPassword(password=await users.reset_password(ctx, payload.target_user_id))


@call("/user/cleanToken", needs="index/clear_token", person=True, changes=("user",), audit="user.clean_token")
async def end_sessions(ctx: Ctx, payload: SessionsTarget) -> EndedSessions:
    """End all sessions of an account below, or all others of one's own."""
    return EndedSessions(sessions=await users.clean_tokens(ctx, payload.target_user_id))
