"""The chain of the audit: a seal for each row, a keyed hash over the row and over the seal before it.

Rules: the key comes from a secret that the database does not hold, so who can write into the database cannot make a
seal. Positions follow one another without a gap. Rows and seals are only added, a trigger refuses anything else; but
what says who somebody was goes when that person is erased (function audit_erase), and a keyed digest of what is left
then takes the place of the salt. Seals of before there was a key are not `keyed`: the first keyed one covers the last.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, Text, cast, func, or_, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.audit_trail.audit import Audit
from lustra.core.db import Base, Owned
from lustra.core.scope import system
from lustra.core.settings import Settings

EVERY = system("the one chain of all")
LOCK = 7_104_001  # advisory lock of the one sealer
SALT = 16  # bytes
ERASED = "audit.erased"
BEGUN = "audit.chain"
AT_ONCE = 1000  # rows of an erasure in one statement
_ERASE = text("SELECT audit_erase(:eraser, CAST(:rows AS jsonb))")


class Seal(Base, kw_only=True):
    """`hash` covers the row and the hash before it: a changed, missing or moved row breaks the chain.

    Without `salt` the personal fields were erased: `erased_by` is the row that says so, and `erasure` covers what is
    left of them.
    """

    __tablename__ = "audit_seal"
    root = Owned()

    position: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    audit_id: Mapped[int] = mapped_column(ForeignKey("audit.id"), unique=True)
    hash: Mapped[bytes] = mapped_column(LargeBinary)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    salt: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
    erased_by: Mapped[int | None] = mapped_column(ForeignKey("audit.id"), default=None)
    erasure: Mapped[bytes | None] = mapped_column(LargeBinary, default=None)
    keyed: Mapped[bool] = mapped_column(default=True)


class Sealed(Protocol):
    """The fields of an audit row, from the mapper or from a plain query."""

    id: Any
    created_at: Any
    account_id: Any
    acting_id: Any
    name: Any
    session_id: Any
    address: Any
    action: Any
    code: Any
    detail: Any
    device_id: Any


def key_of(settings: Settings) -> bytes:
    return _mac((settings.audit_key or settings.secret).encode(), b"chain of the audit")


def _mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.digest(key, b"".join(parts), "sha256")


def _open(row: Sealed) -> bytes:
    fields = [row.id, row.created_at.isoformat(), row.account_id, row.acting_id, row.action, row.code, row.device_id]
    return json.dumps(fields).encode()


def _personal(row: Sealed) -> bytes:
    fields = [row.name, row.session_id, row.address, row.detail]
    return json.dumps(fields, sort_keys=True, ensure_ascii=False).encode()


def digest_of(key: bytes, salt: bytes, row: Sealed) -> bytes:
    """Of the personal fields; without the salt nobody can try out what they were."""
    return _mac(key, salt, _personal(row))


def hash_of(key: bytes, position: int, before: bytes, row: Sealed, digest: bytes) -> bytes:
    return _mac(key, b"%d\n" % position, before, _open(row), digest)


def erasure_of(key: bytes, seal_hash: bytes, erased_by: int, row: Sealed) -> bytes:
    """What the personal fields of this row became by that erasure."""
    return _mac(key, b"erased\n%d\n" % erased_by, seal_hash, _personal(row))


def unkeyed_digest(salt: bytes, row: Sealed) -> bytes:
    return hashlib.sha256(salt + _personal(row)).digest()


def unkeyed_hash(before: bytes, row: Sealed, digest: bytes) -> bytes:
    return hashlib.sha256(before + _open(row) + digest).digest()


async def seal(db: AsyncSession, key: bytes, most: int = 1000) -> int:
    """Chains what is not chained yet; answers how many rows. One sealer at a time, whoever asks."""
    if not await db.scalar(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": LOCK}):
        return 0
    last = (await db.scalars(EVERY.select(Seal).order_by(Seal.position.desc()).limit(1))).first()
    if last is not None and not last.keyed:
        await begin_keyed(db, key, last)
    position, before = (last.position, last.hash) if last else (0, b"")
    sealed = EVERY.select(Seal.position).where(Seal.audit_id == Audit.id).correlate(Audit)
    unsealed = EVERY.select(Audit).where(~sealed.exists())
    rows = list(await db.scalars(unsealed.order_by(Audit.id).limit(most)))
    for row in rows:
        salt = secrets.token_bytes(SALT)
        digest, position = digest_of(key, salt, row), position + 1
        before = hash_of(key, position, before, row, digest)
        db.add(Seal(position=position, audit_id=row.id, hash=before, digest=digest, salt=salt))
    return len(rows)


async def begin_keyed(db: AsyncSession, key: bytes, last: Seal) -> None:
    """Closes a chain without a key. A row says so; what was erased from it by now is covered as it stands."""
    db.add(_row(BEGUN, {"position": last.position, "hash": last.hash.hex()}))
    erased = EVERY.select(Audit, Seal).join(Seal, Seal.audit_id == Audit.id).where(Seal.salt.is_(None))
    pairs = [(row, link) for row, link in await db.execute(erased)]
    if pairs:
        eraser = _row(ERASED, {"rows": len(pairs)})
        db.add(eraser)
        await db.flush()
        await _store(db, eraser.id, [_left(key, row, link, link.erased_by or eraser.id) for row, link in pairs])


async def erase(db: AsyncSession, key: bytes, account_id: int, values: Sequence[str], label: str) -> int:
    """A person's values out of every row, for `label`; a row of its own says so. Answers how many rows.

    The sealer waits meanwhile: a row is sealed as it was, or as it is now.
    """
    await db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    eraser = _row(ERASED, {"person": account_id})
    db.add(eraser)
    await db.flush()
    naming = [func.strpos(cast(Audit.detail, Text), json.dumps(value, ensure_ascii=False)) > 0 for value in values]
    spoken = EVERY.select(Audit, Seal).outerjoin(Seal, Seal.audit_id == Audit.id).execution_options(yield_per=AT_ONCE)
    result = await db.stream(spoken.where(or_(Audit.account_id == account_id, *naming)))
    count = 0
    async for part in result.partitions():
        changes: list[dict[str, Any]] = []
        for row, link in part:
            db.expunge(row)
            if row.account_id == account_id:
                row.name, row.session_id, row.address = label, "", ""
            row.detail = scrubbed(row.detail, set(values), label)
            changes.append(_left(key, row, link, eraser.id))
        await _store(db, eraser.id, changes)
        count += len(changes)
    return count


def _row(action: str, detail: dict[str, Any]) -> Audit:
    """An entry that the installation itself writes, in nobody's name."""
    return Audit(account_id=0, acting_id=0, name="", session_id="", address="", action=action, code=0, detail=detail)


def _left(key: bytes, row: Audit, link: Seal | None, erased_by: int) -> dict[str, Any]:
    """What stands in a row from now on, as audit_erase takes it; not sealed yet: it will be as it is now."""
    erasure = erasure_of(key, link.hash, erased_by, row).hex() if link else None
    return {
        "id": row.id,
        "name": row.name,
        "session_id": row.session_id,
        "address": row.address,
        "detail": row.detail,
        "erased_by": erased_by,
        "erasure": erasure,
    }


async def _store(db: AsyncSession, eraser: int, rows: list[dict[str, Any]]) -> None:
    await db.execute(_ERASE, {"eraser": eraser, "rows": json.dumps(rows)})


def scrubbed(part: Any, values: set[str], label: str) -> Any:
    """A copy of `part` in which the label stands for each text that is one of the values."""
    if isinstance(part, dict):
        return {key: scrubbed(value, values, label) for key, value in part.items()}
    if isinstance(part, list):
        return [scrubbed(value, values, label) for value in part]
    return label if isinstance(part, str) and part in values else part
