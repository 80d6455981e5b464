"""Accounts that others make, change, move and delete, within their scope."""

import time
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr
from pydantic.alias_generators import to_camel
from sqlalchemy import Select, func, literal_column, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from lustra.core import events, query
from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import Scope, rows_of, system
from lustra.core.security.random_code import random_code
from lustra.domains.account import granting, subjects
from lustra.domains.account.credentials import attempts, passwords, sessions
from lustra.domains.account.events import BranchMoved, FirstPasswordSet, PermissionsChanged
from lustra.domains.account.keys import STAFF
from lustra.domains.account.rules import CREATES, DEFAULT_ROLE, SEARCHES
from lustra.domains.account.service import confirm_identity, own
from lustra.domains.account.tables import Account, ApiKey, Login

PASSWORD_LENGTH = 12
NAMES_FREE = 10  # taken login names that somebody may try in a row
CONTACTS = ("email", "phone")
MOST_NAMED = 100  # accounts whose sessions are forgotten by name, each by a message to all processes
# Made once: SQLAlchemy takes longer to make an alias than to run a statement.
PARENT, CHILD = aliased(Account), aliased(Account)


@dataclass(frozen=True, slots=True)
class NewAccount:
    account: str
    name: str
    phone: str
    email: str
    roles: list[int] | None
    parent_id: int | None
    shadow: bool
    password: str
    email_to_task: bool
    email_to_warn: bool
    email_to_task_report: bool


async def find_other(ctx: Ctx, user_id: int, *, lock: bool = False) -> Account:
    """An account below: never the actor's own, nor the one that a shadow acts for."""
    if user_id in (ctx.actor.real_id, ctx.actor.acting_id):
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="own_account")
    rows = ctx.scope.select(Account).where(Account.id == user_id)
    return await query.fetch_one(ctx.db, rows.with_for_update() if lock else rows)


async def find_parent(ctx: Ctx, parent_id: int | None, level: int, field: str = "parentId") -> Account:
    """The account under which one of `level` is to stand. Refused unless it is one level above."""
    chosen = ctx.scope.select(Account).where(Account.id == (parent_id or ctx.actor.acting_id)).with_for_update()
    parent = await query.fetch_one(ctx.db, chosen)
    if parent.level != level - 1 or parent.shadow_of or set(parent.roles) & set(STAFF):
        raise Refusal(Code.BAD_INPUT, field, reason="parent_level", level=level - 1)
    return parent


async def create_account(ctx: Ctx, new: NewAccount) -> tuple[Account, str]:
    """The new account, and its first password, which is shown this once and must be changed at the first log-in."""
    level = CREATES.get(ctx.actor.level)
    if level is None:
        raise Refusal(Code.FORBIDDEN, reason="level_creates_none")
    if new.password:
        passwords.check_new_password("password", new.password, new.account)
    password = new.password or random_code(PASSWORD_LENGTH)
    password_hash = await passwords.hash_password(password, ctx.address)  # before anything is asked of the database
    if new.shadow:
        granting.demand_key(ctx, "user/userShadow")
        level = ctx.actor.level
        parent = await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == ctx.actor.acting_id))
    else:
        parent = await find_parent(ctx, new.parent_id, level)
    roles = await granting.check_roles(ctx.db, ctx.actor, new.roles or [DEFAULT_ROLE[level]])
    await _refuse_taken_name(ctx, new.account)
    support = "always" if ctx.app.settings.support_default == "always" else "off"
    account = Account(
        account=new.account,
        name=new.name,
        phone=new.phone,
        email=new.email,
        level=level,
        roles=roles,
        password=password_hash,
        parent_id=parent.id,
        path=parent.path,
        must_change=True,
        shadow_of=parent.id if new.shadow else None,
        support_default=support,
        email_to_task=new.email_to_task,
        email_to_warn=new.email_to_warn,
        email_to_task_report=new.email_to_task_report,
    )
    ctx.db.add(account)
    await ctx.db.flush()
    account.path = f"{parent.path}.{account.id}"
    await ctx.db.flush()
    return account, password


async def _refuse_taken_name(ctx: Ctx, name: str) -> None:
    """Names are had once in the whole installation, so a taken one has to be refused, also where its account is out of
    sight. Who tries many to learn which there are has to wait; each try is recorded."""
    accounts = system("a login name is had once in the whole installation").select(Account.id)
    taken = accounts.where(func.lower(Account.account) == name.lower(), Account.deleted_at.is_(None))
    if await ctx.db.scalar(taken) is not None:
        await attempts.count_use(ctx.app.sessions, f"name:{ctx.actor.real_id}", NAMES_FREE)
        raise Refusal(Code.EXISTS, "account")


async def change_account(
    ctx: Ctx, user_id: int | None, fields: dict[str, Any], parent_id: int | None, password: SecretStr | None
) -> Account:
    """One's own data, or those of an account below; only another's place in the tree can be changed. `password`: one's
    own, for a change of one's own mailboxes or telephone number."""
    before: dict[str, Any] = {}
    if user_id in (None, ctx.actor.real_id):
        await _confirm_contacts(ctx, fields, password)
        account = await own(ctx.db, ctx.actor, lock=True)
        if parent_id not in (None, account.parent_id):
            raise Refusal(Code.BAD_INPUT, "parentId", reason="own_account")
    else:
        granting.demand_key(ctx, "user/index/edit")
        account = await find_other(ctx, user_id, lock=True)
        if parent_id not in (None, account.parent_id):
            before["parentId"] = account.parent_id
            await move_account(ctx, account, parent_id)
    if fields.get("email", account.email) != account.email:
        account.email_at = now() if account.id == ctx.actor.real_id else None
    ctx.note(before=before | {to_camel(name): getattr(account, name) for name in fields})
    for name, value in fields.items():
        setattr(account, name, value)
    account.updated_at = now()
    return account


async def _confirm_contacts(ctx: Ctx, fields: dict[str, Any], password: SecretStr | None) -> None:
    """A forgotten password is replaced by way of the mailbox. No connection is held while a password is hashed."""
    async with ctx.app.sessions() as db:
        account = await own(db, ctx.actor)
    if any(fields.get(name, getattr(account, name)) != getattr(account, name) for name in CONTACTS):
        await confirm_identity(ctx, password)


async def move_account(ctx: Ctx, account: Account, parent_id: int) -> None:
    """The whole branch goes along: what its accounts own follows by triggers; their sessions see it at once. A parent
    is one level above, so it is never of the branch."""
    parent = await find_parent(ctx, parent_id, account.level)
    before = func.text2ltree(account.path)
    branch = ctx.scope.update(Account).where(Account.path.op("<@")(before))
    below_parent = func.text2ltree(parent.path).op("||")(func.subpath(Account.path, func.nlevel(before) - 1))
    ids = list(
        await ctx.db.scalars(
            branch.values(path=below_parent).returning(Account.id), execution_options={"synchronize_session": False}
        )
    )
    moved = BranchMoved(account.id, account.account, account.parent_id, parent.id, parent.account, ctx.actor)
    account.parent_id = parent.id
    await ctx.db.flush()
    await ctx.db.refresh(account, ["path"])
    await events.emit(ctx.db, moved)
    await refresh_sessions(ctx, ids)


async def refresh_sessions(ctx: Ctx, ids: list[int]) -> None:
    """What processes remember of these accounts' sessions is asked for again, everywhere: of all accounts, where these
    are many."""

    async def announce() -> None:
        for account_id in ids if len(ids) <= MOST_NAMED else [0]:
            await ctx.app.bus.put("revoked", f"account.{account_id}", int(time.time() * 1000))
            ctx.app.logins.forget_account(account_id)

    ctx.after_commit(announce)


async def refresh_all_sessions(ctx: Ctx) -> None:
    """After a change of roles or groups: rare, and who has them is dear to find."""
    await refresh_sessions(ctx, [0])


async def delete_account(ctx: Ctx, user_id: int) -> None:
    """Refused while accounts stand below. Its robots go to the account above (a trigger); its sessions end."""
    await close_account(ctx, await find_other(ctx, user_id, lock=True))


async def close_account(ctx: Ctx, account: Account) -> None:
    """Marks the account deleted and ends its sessions; refused while something stands below it."""
    children = rows_of(account, through="parent_id").select(func.count(Account.id))
    if count := await ctx.db.scalar(children.where(Account.deleted_at.is_(None))):
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="has_children", count=count)
    account.deleted_at = now()
    await ctx.db.flush()
    await subjects.disconnect(ctx.db, account)
    await end_all_access(ctx, account)


async def end_sessions(ctx: Ctx, account: Account, *, excluded: str = "") -> int:
    """Ends the sessions of an account in scope but for one; how many there were."""
    ids = list(await ctx.db.scalars(rows_of(account).select(Login.id).where(Login.id != excluded)))
    await sessions.end_sessions(ctx, *ids)
    return len(ids)


async def end_all_access(ctx: Ctx, account: Account) -> int:
    """Its API keys too: who held its password may have made them. Answers how many sessions."""
    await sessions.end_sessions(ctx, *await ctx.db.scalars(rows_of(account).select(ApiKey.id)))
    return await end_sessions(ctx, account)


async def clean_tokens(ctx: Ctx, user_id: int | None, password: SecretStr | None) -> int:
    """Of one's own account the session that asks goes on, and its API keys."""
    if user_id in (None, ctx.actor.real_id):
        await confirm_identity(ctx, password)
        return await end_sessions(ctx, await own(ctx.db, ctx.actor), excluded=ctx.actor.session_id)
    return await end_all_access(ctx, await find_other(ctx, user_id))


async def reset_password(ctx: Ctx, user_id: int) -> str:
    """A new random one, shown this once. Single sign-on is cut too: who held the old one may have connected it."""
    password = random_code(PASSWORD_LENGTH)
    password_hash = await passwords.hash_password(password, ctx.address)  # before anything is asked of the database
    account = await find_other(ctx, user_id, lock=True)
    account.password, account.must_change, account.updated_at = password_hash, True, now()
    account.password_at = now()
    await subjects.disconnect(ctx.db, account)
    await end_all_access(ctx, account)
    await events.emit(ctx.db, FirstPasswordSet(account.id, ctx.actor))
    return password


async def set_permissions(
    ctx: Ctx, user_id: int, *, keys: list[str] | None, roles: list[int] | None, groups: list[int] | None
) -> None:
    """`keys`: exactly these; without them what roles and groups bring. What is left out stays."""
    account = await find_other(ctx, user_id, lock=True)
    ctx.note(before={"keys": account.keys, "role": account.roles, "groupIds": account.groups})
    account.keys = None if keys is None else granting.check_keys(ctx.actor, keys)
    if roles is not None:
        account.roles = await granting.check_roles(ctx.db, ctx.actor, roles)
    if groups is not None:
        account.groups = await granting.check_groups(ctx.db, ctx.actor, groups)
    account.updated_at = now()
    await ctx.db.flush()
    await events.emit(ctx.db, PermissionsChanged(account.id, ctx.actor))
    await refresh_sessions(ctx, [account.id])


def check_levels(actor: Actor, levels: list[int]) -> list[int]:
    """Levels that a search asks for, as far as the actor's level may."""
    if not set(levels) <= set(SEARCHES.get(actor.level, ())):
        raise Refusal(Code.FORBIDDEN, "levels", reason="level_search")
    return levels


def select_accounts(
    actor: Actor,
    words: str,
    levels: list[int],
    *,
    shadows: bool,
    parent: int | None = None,
    scope: Scope | None = None,
) -> Select[Account]:
    """Accounts below, by words in name, login name, phone or mail; `scope`: a smaller one than the actor's."""
    rows = (
        (scope or actor.scope)
        .select(Account)
        .where(
            Account.id.notin_((actor.real_id, actor.acting_id)),
            Account.shadow_of.is_not(None) if shadows else Account.shadow_of.is_(None),
        )
    )
    if parent is not None:
        rows = rows.where(Account.parent_id == parent)
    if levels:
        rows = rows.where(Account.level.in_(check_levels(actor, levels)))
    if words := words.strip():
        folded = func.lower(func.normalize(words, text("nfkc")))
        rows = rows.where(  # by the index of 1- and 2-grams; then that they stand side by side
            literal_column("account.search").op("@>")(func.grams(words)),
            func.strpos(literal_column("account.words"), folded) > 0,
        )
    return rows.order_by(Account.level, func.lower(Account.name).collate("C"), Account.id)


async def parents_and_child_counts(db: AsyncSession, actor: Actor, ids: list[int]) -> dict[int, tuple[str, int]]:
    """By account: the name of the one above, and how many stand below."""
    below = (
        system("numbers of those below accounts in scope")
        .select(func.count(CHILD.id))
        .where(CHILD.parent_id == Account.id, CHILD.deleted_at.is_(None), CHILD.shadow_of.is_(None))
        .correlate(Account)
        .scalar_subquery()
    )
    accounts = actor.scope.select(Account.id).where(Account.id.in_(ids))
    with_parents = accounts.outerjoin(PARENT, PARENT.id == Account.parent_id)
    rows = with_parents.add_columns(func.coalesce(PARENT.name, ""), below)
    return {row[0]: (row[1], row[2]) for row in await db.execute(rows)}
