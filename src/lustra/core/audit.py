"""The audit: one row for each change and each denied try, chained by hashes in the background.

Rows are written in the transaction of the change (a denied try: in its own) and never touched again, but for one thing:
what says who somebody was goes when that person is erased. The chain is a table of its own, so that writes never wait
for each other: the sealer takes what is committed, in its own order. Each link covers the row's open fields themselves
and a salted digest of its personal ones, so that these can go, salt and all, and the chain still holds.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, LargeBinary, Text, cast, func, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, aliased, mapped_column

from lustra.core.context import Actor
from lustra.core.db import Base, Owned, Table

LONGEST = 4096  # characters of a detail
LOCK = 7_104_001  # advisory lock of the one sealer
SALT = 16  # bytes
ERASED = "audit.erased"


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
    """`hash` covers the row and the hash before it: a changed, missing or moved row breaks the chain.

    Without `salt` the personal fields were erased; `erased_by` is the row that says so.
    """

    __tablename__ = "audit_seal"
    root = Owned("account")

    audit_id: Mapped[int] = mapped_column(ForeignKey("audit.id"), unique=True)
    hash: Mapped[bytes] = mapped_column(LargeBinary)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    salt: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
    erased_by: Mapped[int | None] = mapped_column(ForeignKey("audit.id"), default=None)
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


def personal(salt: bytes, row: Audit) -> bytes:
    told = [row.name, row.session_id, row.address, row.detail]
    return hashlib.sha256(salt + json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).digest()


def chained(before: bytes, row: Audit, digest: bytes) -> bytes:
    told = [row.id, row.created_at.isoformat(), row.account_id, row.acting_id, row.action, row.code, row.device_id]
    return hashlib.sha256(before + json.dumps(told).encode() + digest).digest()


async def seal(db: AsyncSession, most: int = 1000) -> int:
    """Chains what is not chained yet; answers how many rows. One sealer at a time, whoever asks."""
    if not await db.scalar(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": LOCK}):
        return 0
    before = await db.scalar(select(Seal.hash).order_by(Seal.position.desc()).limit(1)) or b""
    unsealed = select(Audit).where(~select(Seal.position).where(Seal.audit_id == Audit.id).exists())
    rows = list(await db.scalars(unsealed.order_by(Audit.id).limit(most)))
    for row in rows:
        salt = secrets.token_bytes(SALT)
        digest = personal(salt, row)
        before = chained(before, row, digest)
        db.add(Seal(audit_id=row.id, hash=before, digest=digest, salt=salt))
        await db.flush()  # positions in the order of the chain
    return len(rows)


async def broken(db: AsyncSession) -> int | None:
    """The first position at which the chain does not hold; None when it is whole."""
    before, eraser = b"", aliased(Audit)
    links = select(Seal, Audit, eraser.action).join(Audit, Audit.id == Seal.audit_id)
    links = links.outerjoin(eraser, eraser.id == Seal.erased_by).order_by(Seal.position)
    async for link, row, said in await db.stream(links):
        true = said == ERASED if link.salt is None else link.digest == personal(link.salt, row)
        if not true or link.hash != chained(before, row, link.digest):
            return int(link.position)
        before = link.hash
    return None


async def erase(db: AsyncSession, account_id: int, values: Sequence[str], label: str) -> int:
    """A person's values out of every row, for `label`; a row of its own says so. Answers how many rows.

    The sealer waits meanwhile: a row is sealed as it was, or as it is now.
    """
    await db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    said = Audit(
        account_id=0, acting_id=0, name="", session_id="", address="", action=ERASED, code=0,
        detail={"person": account_id},
    )  # fmt: skip
    db.add(said)
    await db.flush()
    told = [func.strpos(cast(Audit.detail, Text), json.dumps(value, ensure_ascii=False)) > 0 for value in values]
    rows = list(await db.scalars(select(Audit).where(or_(Audit.account_id == account_id, *told))))
    for row in rows:
        if row.account_id == account_id:
            row.name, row.session_id, row.address = label, "", ""
        row.detail = scrubbed(row.detail, set(values), label)
    await db.flush()
    ids = [row.id for row in rows]
    await db.execute(update(Seal).where(Seal.audit_id.in_(ids)).values(salt=None, erased_by=said.id))
    return len(rows)


def scrubbed(told: Any, values: set[str], label: str) -> Any:
    """Where a whole text is one of the values, the label."""
    if isinstance(told, dict):
        return {key: scrubbed(value, values, label) for key, value in told.items()}
    if isinstance(told, list):
        return [scrubbed(value, values, label) for value in told]
    return label if isinstance(told, str) and told in values else told


async def unsealed_since(db: AsyncSession) -> datetime | None:
    """When the oldest row was written that no hash covers yet: what the health page watches."""
    open_rows = select(Audit.created_at).where(~select(Seal.position).where(Seal.audit_id == Audit.id).exists())
    return await db.scalar(open_rows.order_by(Audit.id).limit(1))
