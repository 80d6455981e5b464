"""Accounts: who sees what, logging in and out, an account's own settings."""

import json
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query, texts
from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.permission import within
from lustra.core.settings import VERSION, Settings
from lustra.domains.account import attempts, passwords, sessions
from lustra.domains.account.keys import ALWAYS, catalogue
from lustra.domains.account.tables import Account, Login

LARGEST_PREFERENCES = 64 * 1024
OWN_FREE, OWN_MOST = 5, 10  # wrong own passwords in a row: then each next one waits; then the session ends


def visible(actor: Actor) -> Select[int]:
    """Ids of the accounts that the actor may see. Every query of rows that accounts own narrows by this."""
    return select(Account.id).where(within(actor, Account.path), Account.deleted_at.is_(None))


def readable(actor: Actor) -> Select[Account]:
    return select(Account).where(within(actor, Account.path), Account.deleted_at.is_(None))


async def narrowed(db: AsyncSession, actor: Actor, user_id: int | None) -> str:
    """The path that a list is about: a payload's userId may only narrow the scope."""
    if user_id is None or user_id in (actor.acting_id, actor.real_id):
        return actor.path
    return (await query.fetch_one(db, readable(actor).where(Account.id == user_id))).path


async def own(db: AsyncSession, actor: Actor, *, lock: bool = False) -> Account:
    """The real account's own row."""
    mine = select(Account).where(Account.id == actor.real_id)  # unscoped: the session's own row
    return await query.fetch_one(db, mine.with_for_update() if lock else mine)


async def log_in(ctx: Ctx, name: str, password: str, language: str) -> tuple[Account, str]:
    """The account and the new session's token. An unknown name takes as long and says the same as a wrong password."""
    async with ctx.app.sessions() as db:
        known = await _by_name(db, name)
    try:
        account = await _proven(ctx, name, known, password)
    except Refusal as refusal:
        raise refusal.note(account=recorded_name(ctx.app.settings, name, known)) from None
    ctx.note(account=account.account)
    return account, admit(ctx, account, language)


async def _by_name(db: AsyncSession, name: str) -> Account | None:
    """Unscoped: nobody acts yet."""
    known = select(Account).where(func.lower(Account.account) == name.lower(), Account.deleted_at.is_(None))
    return await db.scalar(known)


async def _proven(ctx: Ctx, name: str, known: Account | None, password: str) -> Account:
    """The account of that name, by its password. No connection is held while the password waits to be hashed."""
    tried = attempts.keys_of(ctx.app.settings, name, ctx.address)
    async with ctx.app.sessions() as db:
        await attempts.refuse_waiting(db, tried)
    fits = await passwords.matches(known.password if known else passwords.NOBODYS, password, ctx.address)
    async with ctx.app.sessions.begin() as db:
        await attempts.judge(db, tried, right=known is not None and fits)
    account = await _by_name(ctx.db, name)
    if not fits or known is None or account is None or account.password != known.password:
        raise Refusal(Code.LOGIN_REFUSED)
    if first_password_over(ctx.app.settings, account):
        raise Refusal(Code.FIRST_PASSWORD_OVER)
    return account


def recorded_name(settings: Settings, name: str, known: Account | None) -> str:
    """What a record of a refused log-in calls the account: a name that is none may be a password, typed one field too
    early, so a digest stands for it that is the same for the same text."""
    return known.account if known else f"#{attempts.digest(settings, name)}"


def first_password_over(settings: Settings, account: Account) -> bool:
    """The first administrator's stays: nobody could give it a new one."""
    days = timedelta(days=settings.first_password_days)
    return account.must_change and account.parent_id is not None and account.password_at < now() - days


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


async def prove_own_password(ctx: Ctx, password: str, reason: str) -> Account:
    """The own row, where this is its password. A session that guesses must wait as a log-in must, and ends in the end:
    a stolen token is to become no password. Holds no connection while the password waits to be hashed."""
    key = f"own:{ctx.actor.real_id}"
    async with ctx.app.sessions() as db:
        account = await own(db, ctx.actor)
        await attempts.refuse_waiting_for(db, key, OWN_FREE)
    fits = await passwords.matches(account.password, password, ctx.address)
    async with ctx.app.sessions.begin() as db:
        if fits:
            await attempts.refuse_waiting_for(db, key, OWN_FREE)
            await attempts.forget(db, key)
            return account
        failures = await attempts.failed(db, key, OWN_FREE)
    if failures < OWN_MOST:
        raise Refusal(Code.BAD_INPUT, "password", reason=reason)
    await sessions.end_now(ctx.app, ctx.actor.session_id)
    raise Refusal(Code.SESSION_INVALID)


async def change_password(ctx: Ctx, old: str, new: str) -> None:
    """Every other session of the account ends."""
    proven = await prove_own_password(ctx, old, "password_wrong")
    if old == new:
        raise Refusal(Code.BAD_INPUT, "newPassword", reason="password_same")
    passwords.judge_new("newPassword", new, proven.account)
    fresh = await passwords.hashed(new, ctx.address)
    account = await own(ctx.db, ctx.actor, lock=True)
    if account.password != proven.password:  # changed meanwhile
        raise Refusal(Code.BAD_INPUT, "password", reason="password_wrong")
    account.password, account.must_change, account.updated_at = fresh, False, now()
    account.password_at = now()
    others = select(Login.id).where(Login.account_id == account.id, Login.id != ctx.actor.session_id)
    await sessions.end(ctx, *await ctx.db.scalars(others))  # unscoped: the account's own sessions
