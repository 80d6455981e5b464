"""Whose token is this? A session's, or an API key. Both are kept hashed; a look-up is remembered for seconds and
forgotten at once when revoked. Calls that come with one token at the same time share one look-up.

Revocation reaches every server and relay through the bus (bucket `revoked`). While the bus is away nothing is
remembered or shared: each call asks the database.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from cachetools import FIFOCache, TTLCache
from sqlalchemy import or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.bus import Bus
from lustra.core.context import Actor, Ctx, Services, Session
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import shared, system
from lustra.core.settings import Settings
from lustra.domains.account import queries
from lustra.domains.account.credentials import attempts
from lustra.domains.account.keys import ALWAYS, STAFF
from lustra.domains.account.tables import Account, ApiKey, Attempt, Login

if TYPE_CHECKING:
    import asyncpg

REMEMBER_S = 5.0  # bounds what a lost revocation or a change of roles can do
MOST = 50_000
TOUCH_S = 60
SHOWN = timedelta(days=30)  # an API key that is over, so that its owner sees why a program stopped
CHANGED = "account."
CALLING = system("the session that calls")


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class Logins:
    """`most`: sessions that are remembered at a time; the one that was used longest ago gives way."""

    def __init__(self, pool: "asyncpg.Pool", bus: Bus, settings: Settings, most: int = MOST) -> None:
        self.pool, self.bus = pool, bus
        self.idle, self.longest = timedelta(hours=settings.idle_expiry_h), timedelta(days=settings.session_days)
        self.cache: TTLCache[bytes, Session] = TTLCache(most, REMEMBER_S)
        self.look_ups: dict[tuple[bytes, bool], asyncio.Task[Session | None]] = {}  # under way
        self.revoked: FIFOCache[str, bool] = FIFOCache(MOST)  # of the oldest the database knows nothing either
        self.changes = 0  # how often somebody may see or do other things: sockets look anew

    async def of(self, token: str, *, touch: bool = True) -> Session | None:
        """`touch`: somebody called. A socket that only stays open does not keep a session from growing old."""
        key = digest(token)
        if not self.bus.up:
            return await self._look_up(key, touch=touch)
        if session := self.cache.get(key):
            return session
        under_way = self.look_ups.get((key, touch))
        session = await asyncio.shield(under_way or self._begin_look_up(key, touch=touch))
        if under_way and session and session.must_change:  # the password may be changed since it began
            return await self._look_up(key, touch=touch)
        return session

    def _begin_look_up(self, key: bytes, *, touch: bool) -> "asyncio.Task[Session | None]":
        def forget(task: "asyncio.Task[Session | None]") -> None:
            if not task.cancelled():
                task.exception()  # whoever waits gets it, if anybody still does
            if self.look_ups.get((key, touch)) is task:
                del self.look_ups[key, touch]

        task = self.look_ups[key, touch] = asyncio.create_task(self._look_up(key, touch=touch), name="session")
        task.add_done_callback(forget)
        return task

    async def _look_up(self, key: bytes, *, touch: bool) -> Session | None:
        changes = self.changes
        look_up = system("the token says who acts").sql(queries.LOOK_UP)
        row = await self.pool.fetchrow(look_up, key, self.idle, list(STAFF), timedelta(seconds=TOUCH_S), self.longest)
        if row is None or row["id"] in self.revoked:
            self.cache.pop(key, None)
            return None
        if touch and row["untouched"]:
            touch_row = queries.TOUCH if row["chosen"] is None else queries.TOUCH_KEY
            await self.pool.execute(CALLING.sql(touch_row), row["id"])
        session = _session_of(row)
        # A first password is looked at each time: the moment after the change everything is open, on every server.
        if not session.must_change and changes == self.changes and row["id"] not in self.revoked:
            self.cache[key] = session
        return session

    def on_revoked(self, session_id: str, at: Any) -> None:
        """The bus says that a session is revoked, or that an account (0: anyone) may see or do other things now."""
        if session_id.startswith(CHANGED):
            self.forget_account(int(session_id.removeprefix(CHANGED)))
        elif at is not None:
            self.revoked[session_id] = True
            self.forget(session_id)

    def is_revoked(self, session_id: str) -> bool:
        """Whether the bus has said that the session ended. Sockets ask each time they send a sign of life."""
        return session_id in self.revoked

    def forget(self, session_id: str) -> None:
        self._drop(lambda actor: actor.session_id == session_id)

    def forget_account(self, account_id: int) -> None:
        self.changes += 1
        self._drop(lambda actor: account_id in (0, actor.real_id, actor.acting_id))

    def _drop(self, which: Callable[[Actor], bool]) -> None:
        """What is under way began before: whoever comes now looks anew."""
        self.look_ups.clear()
        for key in list(self.cache):
            if (session := self.cache.get(key)) and which(session.actor):
                self.cache.pop(key, None)


def _session_of(row: Any) -> Session:
    chosen = row["chosen"]
    actor = _actor_of(row, row["id"], None if chosen is None else frozenset(chosen))
    return Session(actor, row["language"], row["must_change"], api=chosen is not None)


def _actor_of(row: Any, session_id: str, chosen: frozenset[str] | None = None) -> Actor:
    """The actor of a session's row. `chosen`: the keys of an API key, of which it has no more than its account."""
    keys = frozenset(row["keys"]) | ALWAYS
    return Actor(
        row["acting_id"],
        row["real_id"],
        row["path"],
        row["level"],
        keys if chosen is None else keys & chosen,
        session_id,
        name=row["account"],
        support=row["support"],
    )


async def find_actor(db: AsyncSession, account_id: int) -> Actor | None:
    """An account as it may act now, for what the server does in its name; None: it may not any more."""
    statement = system("an account that has asked for it").text(queries.ACTOR)
    row = (await db.execute(statement, {"id": account_id, "staff": list(STAFF)})).mappings().first()
    return _actor_of(row, "") if row else None


def create_session(
    db: AsyncSession, account: Account, language: str, address: str, id_token: bytes | None = None
) -> tuple[str, str]:
    """A new session: its id, and the token, which is given once."""
    token, session_id, at = secrets.token_urlsafe(32), str(uuid4()), now()
    db.add(
        Login(
            id=session_id,
            account_id=account.id,
            token=digest(token),
            language=language,
            address=address,
            seen_at=at,
            began_at=at,
            id_token=id_token,
        )
    )
    return session_id, token


async def end_sessions(ctx: Ctx, *ids: str) -> None:
    """Revoke sessions and API keys: gone from the database with this transaction, from every process a moment after."""
    ended = system("the caller chose them from what it may end")
    for table in (Login, ApiKey):
        await ctx.db.execute(ended.delete(table).where(table.id.in_(ids)))

    async def announce() -> None:
        for session_id in ids:
            ctx.app.logins.forget(session_id)
            await ctx.app.bus.put("revoked", session_id, int(time.time() * 1000))

    ctx.after_commit(announce)


async def end_session_now(app: Services, session_id: str) -> None:
    """In a transaction of its own: the call that found the reason is refused."""
    async with app.sessions.begin() as db:
        await db.execute(CALLING.delete(Login).where(Login.id == session_id))
    app.logins.forget(session_id)
    await app.bus.put("revoked", session_id, int(time.time() * 1000))


def is_expired(settings: Settings) -> Any:
    """The condition: not used for long, or begun too long ago."""
    idle, longest = timedelta(hours=settings.idle_expiry_h), timedelta(days=settings.session_days)
    return or_(Login.seen_at < now() - idle, Login.began_at < now() - longest)


async def list_sessions(ctx: Ctx) -> Sequence[Login]:
    """Those of the real account that still hold, the newest use first."""
    query = ctx.scope.select(Login).where(~is_expired(ctx.app.settings))
    return (await ctx.db.scalars(query.order_by(Login.seen_at.desc(), Login.id))).all()


async def end_own_session(ctx: Ctx, session_id: str) -> None:
    """The present one too: that is a log-out."""
    if await ctx.db.scalar(ctx.scope.select(Login.id).where(Login.id == session_id)) is None:
        raise Refusal(Code.NOT_FOUND, "uuid")
    await end_sessions(ctx, session_id)


async def purge(app: Services) -> None:
    """Sessions that nobody can use any more, and tries that count no more. A nightly job."""
    over = system("nobody can use them any more")
    async with app.sessions.begin() as db:
        await db.execute(over.delete(Login).where(is_expired(app.settings)))
        await db.execute(over.delete(ApiKey).where(ApiKey.expires_at < now() - SHOWN))
        unknown = or_(Attempt.known_at.is_(None), Attempt.known_at < now() - attempts.KNOWN)
        await db.execute(shared.delete(Attempt).where(Attempt.at < now() - attempts.FORGOTTEN, unknown))
