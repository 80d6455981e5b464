"""One person's right to a copy of what is kept about them, and to be forgotten.

Rules: the person, and whoever administers the account, gets everything of it; erasing wants the key that deletes
accounts and the login name typed, keeps the rules of deletion, and is refused to the last administrator. Personal
values go at once, also from the audit, whose rows and chain stay (core/audit_trail/chain).
"""

import asyncio
import json
import tempfile
import zipfile
from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from typing import IO, Any, cast

from sqlalchemy import func

from lustra.core import events
from lustra.core.audit_trail import anonymous, chain
from lustra.core.audit_trail.audit import Audit
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.domains.account import avatars, granting, users
from lustra.domains.account.events import PersonalDataRequested, PersonErased
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account, AccountSubject, ApiKey, Login

PART = 256 << 10
IN_MEMORY = 8 << 20
MOST_ROWS = 100_000  # of the audit, the newest


async def _load_person(ctx: Ctx, user_id: int | None, key: str, *, lock: bool = False) -> Account:
    if user_id in (None, ctx.actor.real_id):
        return await own(ctx.db, ctx.actor, lock=lock)
    granting.demand_key(ctx, key)
    return await users.find_other(ctx, user_id, lock=lock)


async def export(ctx: Ctx, user_id: int | None) -> tuple[str, AsyncIterator[bytes]]:
    """Name and bytes of a zip."""
    account = await _load_person(ctx, user_id, "user/index/edit")
    request = PersonalDataRequested(account.id, {"profile": _profile(account)}, [])
    for name, table in (("sessions", Login), ("apiKeys", ApiKey), ("signOn", AccountSubject)):
        rows = await ctx.db.scalars(rows_of(account).select(table))
        request.rows[name] = [_row_fields(row, without={"token"}) for row in rows]
    entries = system("of an account in scope").select(Audit).where(Audit.account_id == account.id)
    newest = entries.order_by(Audit.id.desc()).limit(MOST_ROWS)
    request.rows["log"] = [_row_fields(row) for row in await ctx.db.scalars(newest)]
    if match := avatars.URL.fullmatch(account.url):
        request.files.append(("avatar.png", avatars.picture_path(match[1], avatars.SIZES[-1])))
    await events.emit(ctx.db, request)
    file = await _zip(ctx, request)
    return f"{account.account}.zip", _read_parts(file)


def _row_fields(row: Any, without: Collection[str] = ()) -> dict[str, Any]:
    return {c.key: getattr(row, c.key) for c in row.__table__.columns if c.key not in without}


def _profile(account: Account) -> dict[str, Any]:
    return _row_fields(account, without={"password", "path"})


async def _zip(ctx: Ctx, request: PersonalDataRequested) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed when it was sent

    def put(name: str, data: bytes) -> None:
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, data)

    for name, rows in request.rows.items():
        await asyncio.to_thread(
            put, f"{name}.json", json.dumps(rows, default=str, ensure_ascii=False, indent=1).encode()
        )
    for name, path in request.files:
        await asyncio.to_thread(put, name, await ctx.app.objects.get(path))
    file.seek(0)
    return cast("IO[bytes]", file)


async def _read_parts(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while part := await asyncio.to_thread(file.read, PART):
            yield part


async def erase(ctx: Ctx, user_id: int | None, typed_name: str) -> int:
    """Answers how many rows of the audit spoke of the person."""
    granting.demand_key(ctx, "user/index/delete")
    account = await _load_person(ctx, user_id, "user/index/delete", lock=True)
    if typed_name.strip() != account.account:
        raise Refusal(Code.BAD_INPUT, "account", reason="name_typed")
    await _refuse_last_admin(ctx, account)
    values = sorted(await _personal_values(ctx, account))
    await users.close_account(ctx, account)
    label = f"#{account.id}"
    await ctx.db.execute(rows_of(account).delete(AccountSubject))
    account.account, account.name, account.phone, account.email, account.url = f"erased{account.id}", label, "", "", ""
    account.password, account.preferences, account.language = "", {}, ""
    account.updated_at = now()
    await ctx.db.flush()
    await events.emit(ctx.db, PersonErased(account.id, values, label))
    if account.id == ctx.actor.real_id:  # what is recorded of this very call
        ctx.actor, ctx.address = replace(ctx.actor, name=label, session_id=""), ""
    await anonymous.erase(ctx.db, typed_name.strip())
    return await chain.erase(ctx.db, chain.key_of(ctx.app.settings), account.id, values, label)


async def _personal_values(ctx: Ctx, account: Account) -> set[str]:
    """What names the person: also at single sign-on, now and before."""
    subject = Audit.detail["subject"].astext
    entries = system("of an account in scope").select(subject).where(Audit.account_id == account.id)
    former_subjects = await ctx.db.scalars(entries.where(subject.is_not(None)).distinct())
    subjects = await ctx.db.scalars(rows_of(account).select(AccountSubject.subject))
    return {
        value
        for value in (account.account, account.name, account.phone, account.email, *former_subjects, *subjects)
        if value
    }


async def _refuse_last_admin(ctx: Ctx, account: Account) -> None:
    admins = (
        system("the last one of the installation")
        .select(func.count(Account.id))
        .where(Account.level == 1, Account.deleted_at.is_(None), Account.shadow_of.is_(None))
    )
    if account.level == 1 and account.shadow_of is None and (await ctx.db.scalar(admins) or 0) <= 1:
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="last_admin")
