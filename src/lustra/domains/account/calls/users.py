"""/user: the accounts below one's own."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, SecretStr
from sqlalchemy import Select

from lustra.core.calls.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.query import pages, paginate
from lustra.core.wire import (
    Change,
    Commas,
    CreateTime,
    Id,
    Json,
    Page,
    PageOf,
    doc,
)
from lustra.domains.account import subjects, users
from lustra.domains.account.rules import SHORTEST_PASSWORD, Keys, LoginName, Mailboxes, Name, PasswordAgain, Phone
from lustra.domains.account.service import narrow_scope, own
from lustra.domains.account.tables import Account

Flag = Literal[0, 1]
MAIL_FLAGS = ("email_to_task", "email_to_warn", "email_to_task_report")


class TargetUser(Wire):
    user_id: Annotated[Id | None, doc("Ignored: the session says who acts. Sent by the specification's console.")] = (
        None
    )
    target_user_id: Annotated[Id, doc("Account that the call is about.")]


class UserRow(Wire):
    user_id: Annotated[int, doc("Number of the account.")]
    account: Annotated[str, doc("Login name.")]
    name: Annotated[str, doc("Name of the person or company.")]
    phone: Annotated[str, doc("Telephone number, 11 digits or + and E.164; empty: none.")]
    email: Annotated[str, doc("Mailboxes separated by commas; empty: none.")]
    url: Annotated[str, doc("Address of the profile picture; empty: none.")]
    email_to_task: Annotated[int, doc("1: mails about tasks that did not finish are sent; 0: not.")]
    email_to_warn: Annotated[int, doc("1: mails about alarms are sent; 0: not.")]
    email_to_task_report: Annotated[int, doc("1: a mail with the sealed report of each run is sent; 0: not.")]
    level_depth: Annotated[int, doc("Level: 1 administrator, 2 dealer, 3 user, 4 sub-user, 5 sub-sub-user.")]
    type: Annotated[
        Literal["user", "shadow"], doc("`shadow`: it acts in the name of another account; `user`: in its own.")
    ]
    role: Annotated[str, doc('Numbers of its roles as a JSON array in text, as "[16]".')]
    groups: Annotated[list[int], doc("Role groups that it was given.")]
    keys: Annotated[list[str] | None, doc("Exactly the keys that it holds; null: those of its roles and role groups.")]
    parent_user: Annotated[int | None, doc("Account directly above; null: none.")]
    parent_name: Annotated[str, doc("Name of the account directly above; empty: it is not in the asker's scope.")]
    shadow_id: Annotated[int | None, doc("Account in whose name it acts, for a shadow; null: it acts in its own.")]
    must_change: Annotated[bool, doc("Whether its first password must still be changed.")]
    sso_time: Annotated[datetime | None, doc("When it was connected for single sign-on; null: it is not.")]
    child_count: Annotated[int, doc("Number of accounts directly below, in the asker's scope.")]
    create_time: CreateTime
    childs: Annotated[
        list["UserRow"], doc("Accounts directly below, with `showChild` 1; else empty. Spelt as in the specification.")
    ] = Field(default=[])


class UserFilter(PageOf):
    user_id: Annotated[Id | None, doc("Only accounts below this one; null: below one's own.")] = None
    keyword: Annotated[
        str, doc("Part of name, login name, telephone number or mailbox, at most 100 characters; empty: all.")
    ] = Field("", max_length=100)
    levels: Annotated[Commas[Id], doc("Only accounts of these levels, as far as one's own may search; empty: all.")] = (
        Field(default=[])
    )
    is_shadow: Annotated[Flag, doc("1: only shadow accounts; 0: only accounts that act in their own name.")] = 0


class TreeFilter(PageOf):
    user_id: Annotated[Id | None, doc("Account whose next level is listed; null: one's own.")] = None
    show_child: Annotated[Flag, doc("1: each row has the accounts below it in `childs`; 0: not.")] = 0
    paging: Annotated[Flag, doc("1: page by page; 0: all rows at once.")] = 1
    keyword: Annotated[str, doc("As in the list of users, on any level below; empty: only the next level.")] = Field(
        "", max_length=100
    )


class NewUser(Wire):
    account: Annotated[LoginName, doc("Login name, letters and digits, at most 64; once in the installation.")]
    name: Annotated[Name, doc("Name of the person or company, 1 to 100 characters.")]
    phone: Annotated[Phone, doc("Telephone number, 11 digits or + and E.164; empty: none.")] = ""
    email: Annotated[Mailboxes, doc("Mailboxes separated by commas, at most 500 characters; empty: none.")] = ""
    role: Annotated[Json[list[Id]] | None, doc("Roles, also as JSON in text; null: the preset of its level.")] = None
    parent_id: Annotated[Id | None, doc("Account directly above it; null: one's own.")] = None
    is_shadow: Annotated[Flag, doc("1: a shadow, which acts in one's own name; 0: an account of the next level.")] = 0
    email_to_task: Annotated[Flag, doc("1: mails about tasks that did not finish are sent; 0: not.")] = 0
    email_to_warn: Annotated[Flag, doc("1: mails about alarms are sent; 0: not.")] = 0
    email_to_task_report: Annotated[Flag, doc("1: a mail with the sealed report of each run is sent; 0: not.")] = 0
    password: Annotated[SecretStr | None, doc("First password, 8 to 256 characters; null: a random one is made.")] = (
        Field(None, min_length=SHORTEST_PASSWORD, max_length=256)
    )


class NewUserResult(Wire):
    user_id: Annotated[int, doc("Number of the new account.")]
    password: Annotated[str, doc("Its first password; shown this once.")]


class UserChange(Change):
    """`password`: where one's own mailboxes or telephone number change."""

    identity = Change.identity | {"password"}

    user_id: Annotated[Id | None, doc("Account to change where `targetUserId` names none; null: one's own.")] = None
    target_user_id: Annotated[Id | None, doc("Account to change; null: that of `userId`.")] = None
    name: Annotated[Name | None, doc("New name, 1 to 100 characters; null: stays.")] = None
    phone: Annotated[Phone | None, doc("New telephone number, 11 digits or + and E.164, or empty; null: stays.")] = None
    email: Annotated[Mailboxes | None, doc("New mailboxes, separated by commas; null: they stay.")] = None
    email_to_task: Annotated[
        Flag | None, doc("1: mails about tasks that did not finish are sent; 0: not; null: stays.")
    ] = None
    email_to_warn: Annotated[Flag | None, doc("1: mails about alarms are sent; 0: not; null: stays.")] = None
    email_to_task_report: Annotated[
        Flag | None, doc("1: a mail with the sealed report of each run is sent; 0: not; null: stays.")
    ] = None
    parent_id: Annotated[Id | None, doc("Account that it moves below; null: it stays.")] = None
    password: PasswordAgain = None


class PermissionChange(TargetUser, Change):
    nullable = frozenset({"keys"})

    keys: Annotated[Keys | None, doc("Exactly these keys; null: those of `role` and `groupIds`.")] = None
    permission_keys: Annotated[
        Keys | None, doc("The same as `keys`, also as a map of key to true; null: `keys` counts.")
    ] = None
    role: Annotated[Json[list[Id]] | None, doc("Roles, at least one, also as JSON in text; null: they stay.")] = Field(
        None, min_length=1
    )
    group_ids: Annotated[Commas[Id] | None, doc("Role groups; null: they stay.")] = None

    @property
    def given_keys(self) -> list[str] | None:
        return self.permission_keys if self.keys is None else self.keys


class InitialPassword(Wire):
    password: Annotated[str, doc("The new first password; shown this once.")]


class SessionsTarget(Wire):
    """`password`: for one's own sessions."""

    target_user_id: Annotated[Id | None, doc("Account below whose sessions end; null: all others of one's own.")] = None
    password: PasswordAgain = None


class EndedSessions(Wire):
    sessions: Annotated[int, doc("Number of sessions that were ended.")]


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
            type="shadow" if account.shadow_of else "user",
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
    scope = await narrow_scope(ctx, filters.user_id)
    rows = users.select_accounts(
        ctx.actor, filters.keyword, filters.levels, shadows=bool(filters.is_shadow), scope=scope
    ).where(Account.id.is_distinct_from(filters.user_id))
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
            account=payload.account,
            name=payload.name,
            phone=payload.phone,
            email=payload.email,
            roles=payload.role,
            parent_id=payload.parent_id,
            shadow=bool(payload.is_shadow),
            password=password,
            email_to_task=bool(payload.email_to_task),
            email_to_warn=bool(payload.email_to_warn),
            email_to_task_report=bool(payload.email_to_task_report),
        ),
    )
    ctx.note(userId=account.id)
    return NewUserResult(user_id=account.id, password=first_password)


@call("/user/updateUserInfo", needs=SESSION, changes=("user",), audit="user.update")
async def change_user(ctx: Ctx, payload: UserChange) -> Nothing:
    """Change one's own data, or those of an account below."""
    fields = payload.model_dump(exclude={"user_id", "target_user_id", "parent_id", "password"}, exclude_none=True)
    for flag in MAIL_FLAGS:
        if flag in fields:
            fields[flag] = bool(fields[flag])
    user_id = payload.target_user_id or payload.user_id
    await users.change_account(ctx, user_id, fields, payload.parent_id, payload.password)
    return Nothing()


@call(
    "/user/updateUserPermission", needs="user/index/permission", person=True, changes=("user",), audit="user.permission"
)
async def set_permissions(ctx: Ctx, payload: PermissionChange) -> Nothing:
    """Set what an account below may do, from its next call on."""
    await users.set_permissions(
        ctx, payload.target_user_id, keys=payload.given_keys, roles=payload.role, groups=payload.group_ids
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
    return EndedSessions(sessions=await users.clean_tokens(ctx, payload.target_user_id, payload.password))
