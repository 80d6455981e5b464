"""How often one may try a password: by account and address together, by address, and by account.

Each try is counted before the password is looked at, in a transaction of its own, so that parallel tries count too.
Past the free ones the wait doubles with each failure, up to 15 minutes; a success forgets all three.
"""

from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from lustra.core.errors import Code, Refusal

FREE = {"pair": 5, "address": 20, "account": 50}
LONGEST_S = 900
FORGOTTEN = timedelta(days=1)
FORGET = f"interval '{FORGOTTEN.days} day'"

_TRY = text(
    f"""INSERT INTO login_attempt AS kept (key, failures, at) VALUES (:key, 1, now())
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN kept.at < now() - {FORGET} THEN 1 ELSE kept.failures + 1 END, at = now()
    WHERE kept.at < now() - {FORGET} OR kept.failures < :free
       OR kept.at + least(:longest, power(2, least(kept.failures - :free, 20))) * interval '1 second' <= now()
    RETURNING failures"""  # noqa: S608  # FORGET is ours
)
_WAIT = text(
    """SELECT extract(epoch FROM at + least(:longest, power(2, least(failures - :free, 20))) * interval '1 second'
       - now()) FROM login_attempt WHERE key = :key"""
)
_FORGET = text("DELETE FROM login_attempt WHERE key = ANY(:keys)")


def _keys(account: str, address: str) -> dict[str, str]:
    account = account.lower()
    return {"pair": f"pair:{account}@{address}", "address": f"address:{address}", "account": f"account:{account}"}


async def allow(sessions: async_sessionmaker[AsyncSession], key: str, free: int) -> None:
    """Count one use of something that costs others. Refused while a wait runs."""
    async with sessions.begin() as db:
        await _count(db, key, free)


async def count(sessions: async_sessionmaker[AsyncSession], account: str, address: str) -> None:
    """Count one try. Refused while a wait runs; the refused try itself does not lengthen it."""
    async with sessions.begin() as db:
        for kind, key in _keys(account, address).items():
            await _count(db, key, FREE[kind])


async def _count(db: AsyncSession, key: str, free: int) -> None:
    limits = {"key": key, "free": free, "longest": LONGEST_S}
    if await db.scalar(_TRY, limits) is None:
        wait = await db.scalar(_WAIT, limits)
        raise Refusal(Code.TOO_MANY_TRIES, seconds=max(1, round(float(wait or 1))))


async def succeeded(db: AsyncSession, account: str, address: str) -> None:
    await forget(db, *_keys(account, address).values())


async def forget(db: AsyncSession, *keys: str) -> None:
    await db.execute(_FORGET, {"keys": list(keys)})
