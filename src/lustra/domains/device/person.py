"""Whoever is erased steers nothing any more, and asks for nothing."""

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.events import PersonErased
from lustra.domains.device.tables import ControlLock


async def erased(db: AsyncSession, who: PersonErased) -> None:
    """The lock ends; its number grows, so that what was sent under it is refused. Unscoped: the person's own."""
    mine = update(ControlLock).where(ControlLock.holder_id == who.account_id)
    await db.execute(mine.values(holder_id=None, holder="", until=None, reason="", number=ControlLock.number + 1))
    asked = update(ControlLock).where(ControlLock.asker_id == who.account_id)
    await db.execute(asked.values(asker_id=None, asker="", asked_at=None))
