"""Whether the chain of the audit holds: looked after by jobs, so that nobody waits for it.

Rules: every ten minutes what is new is checked, from where the last check ended; every night all of it. What a check
found is kept with its keyed digest, so that nobody can write a better result. What was found whole is anchored outside
the database: its end goes to the object store as audit/anchors/<day>.json and to the log. A chain that does not reach
its anchors was cut off. Once broken it stays broken until a whole check finds it whole.
"""

import hmac
import json
from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any, Literal

import msgspec
import structlog
from sqlalchemy import LargeBinary
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, aliased, mapped_column

from lustra.core.audit_trail.audit import Audit
from lustra.core.audit_trail.chain import (
    ERASED,
    EVERY,
    Seal,
    digest_of,
    erasure_of,
    hash_of,
    key_of,
    unkeyed_digest,
    unkeyed_hash,
)
from lustra.core.context import Services
from lustra.core.db import Base, Shared, now
from lustra.core.errors import Code, Refusal
from lustra.core.files.objects import Objects
from lustra.core.jobs import job
from lustra.core.scope import shared

log = structlog.get_logger(__name__)

AT_ONCE = 500  # links of one query
ANCHORS_DAYS = 40  # back to where anchors are looked for
CHECK = "audit.check"  # the job
Reason = Literal["", "row", "anchor"]


class Result(msgspec.Struct, kw_only=True, frozen=True):
    """Of a check up to `position`, whose hash is `hash` (hex). `broken`: the first position that does not hold, null:
    all do; `reason`: a row or seal was changed or is missing, or an anchor is not reached. Times are ISO 8601."""

    position: int = 0
    hash: str = ""
    keyed: bool = False
    rows: int = 0
    at: str
    whole_at: str = ""
    anchored_at: str = ""
    broken: int | None = None
    reason: Reason = ""


class ChainCheck(Base, kw_only=True):
    """The result of the last check: one row."""

    __tablename__ = "audit_check"
    root = Shared

    id: Mapped[int] = mapped_column(primary_key=True, default=1)
    result: Mapped[dict[str, Any]]
    mac: Mapped[bytes] = mapped_column(LargeBinary)


def mac_of(key: bytes, content: object) -> bytes:
    return hmac.digest(key, json.dumps(content, sort_keys=True).encode(), "sha256")


async def last_result(db: AsyncSession, key: bytes) -> Result | None:
    """None when there was no check yet, or what stands there is not ours."""
    row = await db.get(ChainCheck, 1, populate_existing=True)
    if row is None or not hmac.compare_digest(row.mac, mac_of(key, row.result)):
        return None
    return msgspec.convert(row.result, Result)


async def store(db: AsyncSession, key: bytes, result: Result) -> None:
    content = msgspec.to_builtins(result)
    fields = {"result": content, "mac": mac_of(key, content)}
    await db.execute(
        shared.insert(ChainCheck).values(id=1, **fields).on_conflict_do_update(index_elements=["id"], set_=fields)
    )


@job(CHECK, cron="*/10 * * * *")
async def check_new(services: Services) -> None:
    await check(services)


@job("audit.check_whole", cron="41 2 * * *")
async def check_whole(services: Services) -> None:
    await check(services, whole=True)


async def check(services: Services, *, whole: bool = False) -> Result:
    """Checks what is new, or all; anchors it if it holds; answers and stores the result."""
    key = key_of(services.settings)
    async with services.sessions() as db:
        last = await last_result(db, key)
    if last and last.broken is not None and not whole:
        return last
    at = now().isoformat()
    start = Result(at=at, anchored_at=last.anchored_at if last else "") if whole or last is None else last
    result = msgspec.structs.replace(await walk(services, key, start), at=at)
    if result.broken is None:
        result = await compare(services, key, result, days=ANCHORS_DAYS if whole else 1)
    if result.broken is None and (whole or last is None):
        result = msgspec.structs.replace(result, whole_at=at)
    if result.broken is None and result.keyed:
        result = await anchor(services, key, result)
    async with services.sessions.begin() as db:
        await store(db, key, result)
    if result.broken is not None:
        log.error("audit.broken", position=result.broken, reason=result.reason)
    return result


async def walk(services: Services, key: bytes, start: Result) -> Result:
    """From where a check ended to the end, or to the first link that does not hold."""
    at = start
    if at.position and await hash_at(services, at.position) != at.hash:
        return msgspec.structs.replace(at, broken=at.position, reason="row")
    async for link, row, eraser in links(services, at.position):
        if not holds(key, at, link, row, eraser):
            return msgspec.structs.replace(at, broken=link.position, reason="row")
        at = msgspec.structs.replace(
            at, position=link.position, hash=link.hash.hex(), keyed=link.keyed, rows=at.rows + 1
        )
    return at


async def links(services: Services, after: int) -> AsyncIterator[tuple[Seal, Audit, str | None]]:
    """Seal, row and the action of what erased it, some at a time: nothing is held meanwhile."""
    eraser = aliased(Audit)
    rows = EVERY.select(Seal, Audit, eraser.action).join(Audit, Audit.id == Seal.audit_id)
    rows = rows.outerjoin(eraser, eraser.id == Seal.erased_by).order_by(Seal.position).limit(AT_ONCE)
    while True:
        async with services.sessions() as db:
            part = [(link, row, action) for link, row, action in await db.execute(rows.where(Seal.position > after))]
        for each in part:
            yield each
        if len(part) < AT_ONCE:
            return
        after = part[-1][0].position


def holds(key: bytes, before: Result, link: Seal, row: Audit, eraser: str | None) -> bool:
    """Whether this link follows that place of the chain. After the first keyed one all are."""
    if not personal_holds(key, link, row, eraser):
        return False
    previous = bytes.fromhex(before.hash)
    if not link.keyed:
        return not before.keyed and link.hash == unkeyed_hash(previous, row, link.digest)
    follows = link.position == before.position + 1
    return follows and hmac.compare_digest(link.hash, hash_of(key, link.position, previous, row, link.digest))


def personal_holds(key: bytes, link: Seal, row: Audit, eraser: str | None) -> bool:
    """Whether an entry's personal part is as it was sealed, or as an erasure of a person left it."""
    if link.salt is not None:
        digest = digest_of(key, link.salt, row) if link.keyed else unkeyed_digest(link.salt, row)
        return hmac.compare_digest(link.digest, digest)
    if link.erasure is None or link.erased_by is None or eraser != ERASED:
        return False
    return hmac.compare_digest(link.erasure, erasure_of(key, link.hash, link.erased_by, row))


async def hash_at(services: Services, position: int) -> str:
    async with services.sessions() as db:
        stored = await db.scalar(EVERY.select(Seal.hash).where(Seal.position == position))
    return stored.hex() if stored else ""


def place_of(day: date) -> str:
    return f"audit/anchors/{day.isoformat()}.json"


async def compare(services: Services, key: bytes, result: Result, *, days: int) -> Result:
    """With the anchors of so many days, counted from the newest that there is."""
    today, compared = now().date(), 0
    for back in range(ANCHORS_DAYS):
        if compared >= days:
            break
        anchor = await read_anchor(services.objects, today - timedelta(days=back))
        if anchor is None:
            continue
        compared += 1
        genuine = hmac.compare_digest(str(anchor.pop("mac", "")), mac_of(key, anchor).hex())
        if not genuine or await hash_at(services, anchor["position"]) != anchor["hash"]:
            position = anchor["position"] if genuine else result.position
            return msgspec.structs.replace(result, broken=position, reason="anchor")
    return result


async def read_anchor(objects: Objects, day: date) -> dict[str, Any] | None:
    try:
        content = msgspec.json.decode(await objects.get(place_of(day)))
    except Refusal as refusal:
        if refusal.code is Code.NOT_FOUND:
            return None
        raise
    except msgspec.DecodeError:
        return {"position": 0, "hash": ""}
    return content if isinstance(content, dict) else {"position": 0, "hash": ""}


async def anchor(services: Services, key: bytes, result: Result) -> Result:
    """The end of a whole chain, where the database does not reach."""
    content: dict[str, Any] = {"position": result.position, "hash": result.hash, "rows": result.rows, "at": result.at}
    signed = content | {"mac": mac_of(key, content).hex()}
    await services.objects.put_bytes(place_of(now().date()), msgspec.json.encode(signed))
    log.info("audit.anchor", **content)
    return msgspec.structs.replace(result, anchored_at=result.at)
