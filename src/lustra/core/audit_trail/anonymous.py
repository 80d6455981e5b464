"""What nobody who was logged in tried, for the log: refused log-ins, calls without a session, calls to relays.

Anybody may cause such rows, so they are none of the audit's chain: their texts are short, an address has few of its own
in an hour, and so have all together; what comes above that is counted in one row for each action. They go after
`LUSTRA_ANONYMOUS_DAYS`.
"""

import json
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Identity, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.context import Services
from lustra.core.db import Base, Owned, now
from lustra.core.scope import system

LONGEST = 512  # characters of a detail
LONGEST_TEXT = 64  # of an address, an action, a value
# Rows of their own.
MOST_OF_ADDRESS = 20
MOST_OF_HOUR = 2000

# The SQL function counts and decides (migration "anonymous tries"); ingest calls it too.
RECORD = "select record_anonymous($1, $2, $3, $4, $5::text::jsonb, $6, $7)"
_RECORD = text("select record_anonymous(:at, :address, :action, :code, cast(:detail as jsonb), :of_address, :of_hour)")


class AnonymousTry(Base, kw_only=True):
    """`tries`: how many it stands for; above 1 only where `summed`."""

    __tablename__ = "anonymous_try"
    root = Owned()

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True, init=False)
    hour: Mapped[datetime]
    created_at: Mapped[datetime]
    address: Mapped[str]
    action: Mapped[str]
    code: Mapped[int]
    detail: Mapped[dict[str, Any]]
    summed: Mapped[bool]
    tries: Mapped[int]


def shortened(detail: dict[str, Any]) -> dict[str, Any]:
    """Without the signs that the database has no place for."""
    if len(json.dumps(detail, default=str)) > LONGEST:
        detail = {name: str(value)[:LONGEST_TEXT] for name, value in list(detail.items())[:4]}
    return json.loads(json.dumps(detail, default=str).replace("\\u0000", ""))


_ROWS = system("nobody's rows")


def values(at: datetime, address: str, action: str, code: int, detail: dict[str, Any]) -> list[Any]:
    """What the SQL function takes, in its order; the detail as JSON text."""
    words = [word.replace("\0", "")[:LONGEST_TEXT] for word in (address, action)]
    return [at, *words, code, json.dumps(shortened(detail)), MOST_OF_ADDRESS, MOST_OF_HOUR]


async def record(db: AsyncSession, action: str, address: str, code: int, detail: dict[str, Any]) -> None:
    names = ("at", "address", "action", "code", "detail", "of_address", "of_hour")
    await db.execute(_RECORD, dict(zip(names, values(now(), address, action, code, detail), strict=True)))


async def erase(db: AsyncSession, account: str) -> None:
    """The login name of a person who is erased; it stands in `account` alone."""
    rows = _ROWS.update(AnonymousTry).where(AnonymousTry.detail["account"].astext == account)
    await db.execute(rows.values(detail={}))


async def purge(app: Services) -> None:
    """The nightly job that deletes tries without an account once they are old enough."""
    oldest = now() - timedelta(days=app.settings.anonymous_days)
    async with app.sessions.begin() as db:
        await db.execute(_ROWS.delete(AnonymousTry).where(AnonymousTry.created_at < oldest))
