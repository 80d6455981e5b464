"""One-time codes: random, kept hashed, for one purpose, one use and a short time.

Taking one is a single DELETE: of any number at the same time exactly one gets it. `take` has a transaction of its own,
so what fails afterwards does not bring it back; `use` is part of the caller's.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.context import Services
from lustra.core.db import Base, Shared, now
from lustra.core.scope import shared


class OneTimeCode(Base, kw_only=True):
    """`kind`: what it may be used for. `payload`: what its maker tells whoever takes it, such as the id of a row."""

    __tablename__ = "one_time_code"
    root = Shared

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    kind: Mapped[str]
    payload: Mapped[dict[str, Any]] = mapped_column("told")
    expires_at: Mapped[datetime]


def new() -> str:
    return secrets.token_urlsafe(32)


def digest(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()


def keep(db: AsyncSession, kind: str, code: str, payload: dict[str, Any], lives: timedelta) -> None:
    db.add(OneTimeCode(hash=digest(code), kind=kind, payload=payload, expires_at=now() + lives))


async def take(sessions: async_sessionmaker[AsyncSession], kind: str, code: str) -> dict[str, Any] | None:
    """The payload that was stored with it; None: there is no such code, or not any more."""
    async with sessions.begin() as db:
        return await use(db, kind, code)


async def use(db: AsyncSession, kind: str, code: str) -> dict[str, Any] | None:
    """The same; a refusal of the caller's leaves the code as it was."""
    fits = (OneTimeCode.hash == digest(code), OneTimeCode.kind == kind, OneTimeCode.expires_at > now())
    return await db.scalar(shared.delete(OneTimeCode).where(*fits).returning(OneTimeCode.payload))


async def forget(db: AsyncSession, kind: str, payload: dict[str, Any]) -> None:
    """Ends secrets of a kind that were stored with these values."""
    await db.execute(shared.delete(OneTimeCode).where(OneTimeCode.kind == kind, OneTimeCode.payload.contains(payload)))


async def purge(app: Services) -> None:
    """The nightly job that deletes secrets whose time is over."""
    async with app.sessions.begin() as db:
        await db.execute(shared.delete(OneTimeCode).where(OneTimeCode.expires_at < now()))
