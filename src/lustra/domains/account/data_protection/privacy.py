"""One person's right to a copy of what is kept about them: the person, and whoever administers the account, gets
everything of it.
"""

import asyncio
import json
import tempfile
import zipfile
from collections.abc import AsyncIterator, Collection
from typing import IO, Any, cast

from sqlalchemy import Select

from lustra.core import events
from lustra.core.audit_trail.audit import Audit
from lustra.core.context import Ctx
from lustra.core.scope import rows_of, system
from lustra.domains.account import avatars, granting, users
from lustra.domains.account.events import PersonalDataRequested
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account, AccountSubject, ApiKey, Login

PART = 256 << 10
IN_MEMORY = 8 << 20
MOST_ROWS = 100_000  # of the audit, the newest


async def load_person(ctx: Ctx, user_id: int | None, key: str, *, lock: bool = False) -> Account:
    if user_id in (None, ctx.actor.real_id):
        return await own(ctx.db, ctx.actor, lock=lock)
    granting.demand_key(ctx, key)
    return await users.find_other(ctx, user_id, lock=lock)


def select_entries(account: Account, *columns: Any) -> Select[*tuple[Any, ...]]:
    """The entries of the audit about what the account did itself."""
    return system("of an account in scope").select(*columns).where(Audit.account_id == account.id)


async def export(ctx: Ctx, user_id: int | None) -> tuple[str, AsyncIterator[bytes]]:
    """File name and bytes of a zip with everything that is kept of a person."""
    account = await load_person(ctx, user_id, "user/index/edit")
    request = PersonalDataRequested(account.id, {"profile": _profile(account)}, [])
    for name, table in (("sessions", Login), ("apiKeys", ApiKey), ("signOn", AccountSubject)):
        rows = await ctx.db.scalars(rows_of(account).select(table))
        request.rows[name] = [_row_fields(row, without={"token", "id_token"}) for row in rows]
    newest = select_entries(account, Audit).order_by(Audit.id.desc()).limit(MOST_ROWS)
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
