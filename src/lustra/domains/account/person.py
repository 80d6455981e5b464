"""One person's right to a copy of what is kept about them, and to be forgotten.

Rules: the person, and whoever administers the account, gets everything of it; erasing wants the key that deletes
accounts and the login name typed, keeps the rules of deletion, and is refused to the last administrator. Personal
values go at once, also from the audit, whose rows and chain stay (core/chain).
"""

import asyncio
import json
import tempfile
import zipfile
from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from typing import IO, Any, cast

from sqlalchemy import delete, func, select

from lustra.core import anonymous, chain, events
from lustra.core.audit import Audit
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.account import avatars, granting, users
from lustra.domains.account.events import PersonAsked, PersonErased
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account, AccountSubject, ApiKey, Login

PART = 256 << 10
IN_MEMORY = 8 << 20
MOST_ROWS = 100_000  # of the audit, the newest


async def _who(ctx: Ctx, user_id: int | None, key: str, *, lock: bool = False) -> Account:
    if user_id in (None, ctx.actor.real_id):
        return await own(ctx.db, ctx.actor, lock=lock)
    granting.demand(ctx, key)
    return await users.other(ctx, user_id, lock=lock)


async def export(ctx: Ctx, user_id: int | None) -> tuple[str, AsyncIterator[bytes]]:
    """Name and bytes of a zip. Unscoped: of an account that was found in scope."""
    account = await _who(ctx, user_id, "user/index/edit")
    asked = PersonAsked(account.id, {"profile": _profile(account)}, [])
    for name, table in (("sessions", Login), ("apiKeys", ApiKey), ("signOn", AccountSubject)):
        rows = await ctx.db.scalars(select(table).where(table.account_id == account.id))
        asked.rows[name] = [_plain(row, without={"token"}) for row in rows]
    own_rows = select(Audit).where(Audit.account_id == account.id).order_by(Audit.id.desc()).limit(MOST_ROWS)
    asked.rows["log"] = [_plain(row) for row in await ctx.db.scalars(own_rows)]
    if found := avatars.URL.fullmatch(account.url):
        asked.files.append(("avatar.png", avatars.place(found[1], avatars.SIZES[-1])))
    await events.emit(ctx.db, asked)
    file = await _zip(ctx, asked)
    return f"{account.account}.zip", _parts(file)


def _plain(row: Any, without: Collection[str] = ()) -> dict[str, Any]:
    return {c.key: getattr(row, c.key) for c in row.__table__.columns if c.key not in without}


def _profile(account: Account) -> dict[str, Any]:
    return _plain(account, without={"password", "path"})


async def _zip(ctx: Ctx, asked: PersonAsked) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed when it was sent

    def put(name: str, data: bytes) -> None:
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as made:
            made.writestr(name, data)

    for name, rows in asked.rows.items():
        await asyncio.to_thread(
            put, f"{name}.json", json.dumps(rows, default=str, ensure_ascii=False, indent=1).encode()
        )
    for name, place in asked.files:
        await asyncio.to_thread(put, name, await ctx.app.objects.get(place))
    file.seek(0)
    return cast("IO[bytes]", file)


async def _parts(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while part := await asyncio.to_thread(file.read, PART):
            yield part


async def erase(ctx: Ctx, user_id: int | None, typed: str) -> int:
    """Answers how many rows of the audit spoke of the person. Unscoped: of an account that was found in scope."""
    granting.demand(ctx, "user/index/delete")
    account = await _who(ctx, user_id, "user/index/delete", lock=True)
    if typed.strip() != account.account:
        raise Refusal(Code.BAD_INPUT, "account", reason="name_typed")
    await _last(ctx, account)
    values = sorted(await _values(ctx, account))
    await users.leave(ctx, account)
    label = f"#{account.id}"
    await ctx.db.execute(delete(AccountSubject).where(AccountSubject.account_id == account.id))
    account.account, account.name, account.phone, account.email, account.url = f"erased{account.id}", label, "", "", ""
    account.password, account.preferences, account.language = "", {}, ""
    account.updated_at = now()
    await ctx.db.flush()
    await events.emit(ctx.db, PersonErased(account.id, values, label))
    if account.id == ctx.actor.real_id:  # what is recorded of this very call
        ctx.actor, ctx.address = replace(ctx.actor, name=label, session_id=""), ""
    await anonymous.erase(ctx.db, typed.strip())
    return await chain.erase(ctx.db, chain.key_of(ctx.app.settings), account.id, values, label)


async def _values(ctx: Ctx, account: Account) -> set[str]:
    """What names the person: also at single sign-on, now and before."""
    subject = Audit.detail["subject"].astext
    told = await ctx.db.scalars(select(subject).where(Audit.account_id == account.id, subject.is_not(None)).distinct())
    bound = await ctx.db.scalars(select(AccountSubject.subject).where(AccountSubject.account_id == account.id))
    return {one for one in (account.account, account.name, account.phone, account.email, *told, *bound) if one}


async def _last(ctx: Ctx, account: Account) -> None:
    admins = select(func.count()).select_from(Account).where(
        Account.level == 1, Account.deleted_at.is_(None), Account.shadow_of.is_(None)
    )  # fmt: skip
    if account.level == 1 and account.shadow_of is None and (await ctx.db.scalar(admins) or 0) <= 1:
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="last_admin")
