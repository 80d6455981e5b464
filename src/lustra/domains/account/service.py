"""Accounts: who sees what, logging in and out, an account's own settings."""

import json
from datetime import timedelta
from typing import Any

from pydantic import SecretStr
from sqlalchemy import ColumnElement, func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query, texts
from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import Scope, rows_of, system
from lustra.core.settings import VERSION, Settings
from lustra.domains.account import queries
from lustra.domains.account.credentials import attempts, passwords, sessions
from lustra.domains.account.keys import ALWAYS, STAFF, catalogue
from lustra.domains.account.rules import FRESH_MINUTES
from lustra.domains.account.seed import DEMO_PASSWORD
from lustra.domains.account.tables import Account, Login

LARGEST_PREFERENCES = 64 * 1024
COLOURS = frozenset({"default", "green", "deep-blue", "sky-blue", "blue", "purple", "red", "yellow"})
DEALER_LEVEL = 2
OWN_FREE = 5  # wrong own passwords in a row: then each next one waits
OWN_MOST = 10  # then the session ends


async def narrow_scope(ctx: Ctx, user_id: int | None) -> Scope:
    """The scope that a list is about: a payload's userId may only narrow the actor's."""
    if user_id is None or user_id in (ctx.actor.acting_id, ctx.actor.real_id):
        return ctx.scope
    return ctx.scope.at((await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == user_id))).path)


async def own(db: AsyncSession, actor: Actor, *, lock: bool = False) -> Account:
    """The row of the account that logged in, also while it acts for another."""
    rows = actor.scope.select(Account).where(Account.id == actor.real_id)
    return await query.fetch_one(db, rows.with_for_update() if lock else rows)


async def log_in(ctx: Ctx, name: str, password: str, language: str) -> tuple[Account, str]:
    """The account and the new session's token. An unknown name takes as long and says the same as a wrong password."""
    attempt = attempts.keys_of(ctx.app.settings, name, ctx.address)
    async with ctx.app.sessions() as db:
        known = await find_by_name(db, name)
        wait = await attempts.load_wait_seconds(db, attempt)
    try:
        attempts.refuse_while_waiting(wait)
        account = await _prove_password(ctx, attempt, name, known, password)
    except Refusal as refusal:
        raise refusal.note(account=recorded_name(ctx.app.settings, name, known)) from None
    ctx.note(account=account.account)
    return account, begin_session(ctx, account, language)


def brands_tablets(account: Account) -> bool:
    """Dealers do; staff, who are of their level, have no robots of their own."""
    return account.level == DEALER_LEVEL and not set(account.roles) & set(STAFF)


async def find_by_name(db: AsyncSession, name: str) -> Account | None:
    return await find_account(db, func.lower(Account.account) == name.lower())


async def find_account(db: AsyncSession, condition: ColumnElement[bool], *, lock: bool = False) -> Account | None:
    rows = system("nobody acts yet").select(Account).where(condition, Account.deleted_at.is_(None))
    return await db.scalar(rows.with_for_update() if lock else rows)


async def _prove_password(
    ctx: Ctx, attempt: attempts.AttemptKeys, name: str, known: Account | None, password: str
) -> Account:
    """The account of that name, by its password. No connection is held while the password waits to be hashed."""
    fits = await passwords.password_matches(
        known.password if known else passwords.nobodys_hash(), password, ctx.address
    )
    fits = fits and (ctx.app.settings.demo or password != DEMO_PASSWORD)  # everybody knows it
    async with ctx.app.sessions.begin() as db:
        await attempts.record_attempt(db, attempt, right=known is not None and fits)
    account = await find_by_name(ctx.db, name)
    if not fits or known is None or account is None or account.password != known.password:
        raise Refusal(Code.LOGIN_REFUSED)
    if first_password_expired(ctx.app.settings, account):
        raise Refusal(Code.FIRST_PASSWORD_OVER)
    return account


def recorded_name(settings: Settings, name: str, known: Account | None) -> str:
    """What a record of a refused log-in calls the account: a name that is none may be a password, typed one field too
    early, so a digest stands for it that is the same for the same text."""
    return known.account if known else f"#{attempts.digest(settings, name)}"


def first_password_expired(settings: Settings, account: Account) -> bool:
    """The first administrator's stays: nobody could give it a new one."""
    days = timedelta(days=settings.first_password_days)
    return account.must_change and account.parent_id is not None and account.password_at < now() - days


def begin_session(ctx: Ctx, account: Account, language: str, id_token: bytes | None = None) -> str:
    """The token of a new session; from here on the account acts. The caller knows who it is. `id_token`: sealed, of the
    provider by which it is begun."""
    language = language or account.language or ctx.language
    session_id, token = sessions.create_session(ctx.db, account, language, ctx.address, id_token)
    ctx.language = language
    ctx.actor = Actor(account.id, account.id, account.path, account.level, frozenset(), session_id, account.account)
    return token


async def keys_of(db: AsyncSession, account: Account) -> list[str]:
    """In the order of the catalogue."""
    held = set(await db.scalar(rows_of(account).text(queries.HELD_KEYS), {"id": account.id}) or [])
    return [key for key in catalogue() if key in held or key in ALWAYS]


async def set_language(ctx: Ctx, language: str) -> None:
    """The session's language, and the account's for its next sessions."""
    if language not in texts.LANGUAGES:
        raise Refusal(Code.BAD_INPUT, "language", reason="choice")
    account = await own(ctx.db, ctx.actor, lock=True)
    account.language = language
    await ctx.db.execute(ctx.scope.update(Login).where(Login.id == ctx.actor.session_id).values(language=language))
    ctx.language = language

    async def forget_session() -> None:
        ctx.app.logins.forget(ctx.actor.session_id)

    ctx.after_commit(forget_session)


async def merge_preferences(ctx: Ctx, changed: dict[str, Any] | None) -> dict[str, Any]:
    """What the account prefers in this version of the console; `changed` is merged by key, null takes a key away."""
    account = await own(ctx.db, ctx.actor, lock=bool(changed))
    preferences: dict[str, Any] = account.preferences.get(VERSION, {})
    if changed:
        preferences = {key: value for key, value in (preferences | changed).items() if value is not None}
        if preferences.get("colour", "default") not in COLOURS:
            raise Refusal(Code.BAD_INPUT, "set", reason="choice")
        if len(json.dumps(preferences)) > LARGEST_PREFERENCES:
            raise Refusal(Code.BAD_INPUT, "set", reason="preferences_large")
        account.preferences = account.preferences | {VERSION: preferences}
    return preferences


async def prove_own_password(ctx: Ctx, password: str, reason: str) -> Account:
    """The own row, where this is its password. A session that guesses must wait as a log-in must, and ends in the end:
    a stolen token is to become no password. Holds no connection while the password waits to be hashed."""
    key = f"own:{ctx.actor.real_id}"
    async with ctx.app.sessions() as db:
        account = await own(db, ctx.actor)
        await attempts.refuse_waiting_for(db, key, OWN_FREE)
    fits = await passwords.password_matches(account.password, password, ctx.address)
    async with ctx.app.sessions.begin() as db:
        if fits:
            await attempts.refuse_waiting_for(db, key, OWN_FREE)
            await attempts.reset_failures(db, key)
            return account
        failures = await attempts.record_failure(db, key, OWN_FREE)
    if failures < OWN_MOST:
        raise Refusal(Code.BAD_INPUT, "password", reason=reason)
    await sessions.end_session_now(ctx.app, ctx.actor.session_id)
    raise Refusal(Code.SESSION_INVALID)


async def confirm_identity(ctx: Ctx, password: SecretStr | None) -> None:
    """Refuses a session that began long ago and comes without its own password. For what opens the account to somebody
    later, or shuts its owner out: a stolen or forgotten session must not make itself a way to stay."""
    if password is not None:
        await prove_own_password(ctx, password.get_secret_value(), "own_password_wrong")
        return
    fresh = Login.began_at > now() - timedelta(minutes=FRESH_MINUTES)
    async with ctx.app.sessions() as db:
        session = await db.scalar(ctx.scope.select(Login.id).where(Login.id == ctx.actor.session_id, fresh))
    if session is None:
        raise Refusal(Code.BAD_INPUT, "password", reason="password_again", minutes=FRESH_MINUTES)


async def change_password(ctx: Ctx, old: str, new: str) -> None:
    """Every other session of the account ends."""
    proven = await prove_own_password(ctx, old, "password_wrong")
    if old == new:
        raise Refusal(Code.BAD_INPUT, "newPassword", reason="password_same")
    passwords.check_new_password("newPassword", new, proven.account)
    fresh = await passwords.hash_password(new, ctx.address)
    account = await own(ctx.db, ctx.actor, lock=True)
    if account.password != proven.password:  # changed meanwhile
        raise Refusal(Code.BAD_INPUT, "password", reason="password_wrong")
    account.password, account.must_change, account.updated_at = fresh, False, now()
    account.password_at = now()
    others = ctx.scope.select(Login.id).where(Login.id != ctx.actor.session_id)
    await sessions.end_sessions(ctx, *await ctx.db.scalars(others))
