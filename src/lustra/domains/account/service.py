"""Accounts: who sees what, logging in and out, an account's own settings."""

import json
from typing import Any

from sqlalchemy import Select, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query, texts
from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.permission import within
from lustra.core.settings import VERSION
from lustra.domains.account import attempts, passwords, sessions
from lustra.domains.account.keys import ALWAYS, catalogue
from lustra.domains.account.tables import Account, Login

LARGEST_PREFERENCES = 64 * 1024


def visible(actor: Actor) -> Select[int]:
    """Ids of the accounts that the actor may see. Every query of rows that accounts own narrows by this."""
    return select(Account.id).where(within(actor, Account.path), Account.deleted_at.is_(None))


def readable(actor: Actor) -> Select[Account]:
    return select(Account).where(within(actor, Account.path), Account.deleted_at.is_(None))


async def narrowed(db: AsyncSession, actor: Actor, user_id: int | None) -> str:
    """The path that a list is about: a payload's userId may only narrow the scope."""
    if user_id is None or user_id in (actor.acting_id, actor.real_id):
        return actor.path
    return (await query.one(db, readable(actor).where(Account.id == user_id))).path


async def own(db: AsyncSession, actor: Actor, *, lock: bool = False) -> Account:
    """The real account's own row."""
    mine = select(Account).where(Account.id == actor.real_id)  # unscoped: the session's own row
    return await query.one(db, mine.with_for_update() if lock else mine)


async def log_in(ctx: Ctx, name: str, password: str, language: str) -> tuple[Account, str]:
    """The account and the new session's token. An unknown name takes as long and says the same as a wrong password."""
    await attempts.count(ctx.app.sessions, name, ctx.address)
    known = select(Account).where(func.lower(Account.account) == name.lower(), Account.deleted_at.is_(None))
    account = await ctx.db.scalar(known)  # unscoped: nobody acts yet
    fits = await passwords.matches(account.password if account else passwords.NOBODYS, password)
    if account is None or not fits:
        raise Refusal(Code.LOGIN_REFUSED)
    await attempts.succeeded(ctx.db, name, ctx.address)
    return account, admit(ctx, account, language)


def admit(ctx: Ctx, account: Account, language: str) -> str:
    """The token of a new session; from here on the account acts. The caller knows who it is."""
    language = language or account.language or ctx.language
    session_id, token = sessions.begin(ctx.db, account, language, ctx.address)
    ctx.language = language
    ctx.actor = Actor(account.id, account.id, account.path, account.level, frozenset(), session_id, account.account)
    return token


async def log_out(ctx: Ctx) -> None:
    await sessions.end(ctx, ctx.actor.session_id)


async def keys_of(db: AsyncSession, account: Account) -> list[str]:
    """In the order of the catalogue."""
    mine = set(await db.scalar(text("select held_keys(a) from account a where a.id = :id"), {"id": account.id}) or [])
    return [key for key in catalogue() if key in mine or key in ALWAYS]


async def speak(ctx: Ctx, language: str) -> None:
    """The session's language, and the account's for its next sessions."""
    if language not in texts.LANGUAGES:
        raise Refusal(Code.BAD_INPUT, "language", reason="choice")
    account = await own(ctx.db, ctx.actor, lock=True)
    account.language = language
    mine = select(Login).where(Login.id == ctx.actor.session_id)  # unscoped: the session itself
    if login := await ctx.db.scalar(mine):
        login.language = language
    ctx.language = language

    async def anew() -> None:
        ctx.app.logins.forget(ctx.actor.session_id)

    ctx.after_commit(anew)


async def preferences(ctx: Ctx, changed: dict[str, Any] | None) -> dict[str, Any]:
    """What the account prefers in this version of the console; `changed` is merged by key, null takes a key away."""
    account = await own(ctx.db, ctx.actor, lock=bool(changed))
    mine: dict[str, Any] = account.preferences.get(VERSION, {})
    if changed:
        mine = {key: value for key, value in (mine | changed).items() if value is not None}
        if len(json.dumps(mine)) > LARGEST_PREFERENCES:
            raise Refusal(Code.BAD_INPUT, "set", reason="preferences_large")
        account.preferences = account.preferences | {VERSION: mine}
    return mine


async def change_password(ctx: Ctx, old: str, new: str) -> None:
    """Every other session of the account ends."""
    account = await own(ctx.db, ctx.actor, lock=True)
    if not await passwords.matches(account.password, old):
        raise Refusal(Code.BAD_INPUT, "password", reason="password_wrong")
    if old == new:
        raise Refusal(Code.BAD_INPUT, "newPassword", reason="password_same")
    account.password, account.must_change, account.updated_at = await passwords.hashed(new), False, now()
    others = select(Login.id).where(Login.account_id == account.id, Login.id != ctx.actor.session_id)
    await sessions.end(ctx, *await ctx.db.scalars(others))  # unscoped: the account's own sessions
