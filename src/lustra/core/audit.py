"""The audit: one row for each change and each denied try, chained by hashes in the background.

Rows are written in the transaction of the change (a denied try: in its own) and never touched again. The chain is a
table of its own, so that writes never wait for each other: the sealer takes what is committed, in its own order.
"""

import hashlib
import json
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, LargeBinary, select, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.context import Actor
from lustra.core.db import Base, Owned, Table

LONGEST = 4096  # characters of a detail
LOCK = 7_104_001  # advisory lock of the one sealer


class Audit(Table):
    """`account_id` is the real account; `code` is 0 for what was done, else the refusal's."""

    __tablename__ = "audit"
    root = Owned("account")

    account_id: Mapped[int] = mapped_column(index=True)
    acting_id: Mapped[int]
    name: Mapped[str]
    session_id: Mapped[str]
    address: Mapped[str]
    action: Mapped[str] = mapped_column(index=True)
    code: Mapped[int]
    detail: Mapped[dict[str, Any]]
    device_id: Mapped[int | None] = mapped_column(default=None, index=True)


class Seal(Base, kw_only=True):
    """`hash` covers the row and the hash before it: a changed, missing or moved row breaks the chain."""

    __tablename__ = "audit_seal"
    root = Owned("account")

    audit_id: Mapped[int] = mapped_column(ForeignKey("audit.id"), unique=True)
    hash: Mapped[bytes] = mapped_column(LargeBinary)
    position: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True, init=False)


def write(
    db: AsyncSession,
    actor: Actor,
    action: str,
    *,
    address: str = "",
    code: int = 0,
    detail: dict[str, Any] | None = None,
    device_id: int | None = None,
) -> None:
    told = detail or {}
    if len(json.dumps(told, default=str)) > LONGEST:
        told = {"cut": json.dumps(told, default=str)[:LONGEST]}
    db.add(
        Audit(
            account_id=actor.real_id, acting_id=actor.acting_id, name=actor.name, session_id=actor.session_id,
            address=address, action=action, code=code, detail=told, device_id=device_id,
        )
    )  # fmt: skip


def digest(before: bytes, row: Audit) -> bytes:
    told = [row.id, row.created_at.isoformat(), row.account_id, row.acting_id, row.name, row.session_id, row.address,
            row.action, row.code, row.detail, row.device_id]  # fmt: skip
    return hashlib.sha256(before + json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).digest()


async def seal(db: AsyncSession, most: int = 1000) -> int:
    """Chains what is not chained yet; answers how many rows. One sealer at a time, whoever asks."""
    if not await db.scalar(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": LOCK}):
        return 0
    before = await db.scalar(select(Seal.hash).order_by(Seal.position.desc()).limit(1)) or b""
    unsealed = select(Audit).where(~select(Seal.position).where(Seal.audit_id == Audit.id).exists())
    rows = list(await db.scalars(unsealed.order_by(Audit.id).limit(most)))
    for row in rows:
        before = digest(before, row)
        db.add(Seal(audit_id=row.id, hash=before))
        await db.flush()  # positions in the order of the chain
    return len(rows)


async def broken(db: AsyncSession) -> int | None:
    """The first position at which the chain does not hold; None when it is whole."""
    before = b""
    chained = await db.stream(select(Seal, Audit).join(Audit, Audit.id == Seal.audit_id).order_by(Seal.position))
    async for link, row in chained:
        if link.hash != digest(before, row):
            return int(link.position)
        before = link.hash
    return None


async def unsealed_since(db: AsyncSession) -> datetime | None:
    """When the oldest row was written that no hash covers yet: what the health page watches."""
    open_rows = select(Audit.created_at).where(~select(Seal.position).where(Seal.audit_id == Audit.id).exists())
    return await db.scalar(open_rows.order_by(Audit.id).limit(1))
