"""Whoever is erased steers nothing any more, and asks for nothing."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import PersonErased
from lustra.domains.control.tables import ControlLock


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    """The lock ends; its number grows, so that what was sent under it is refused."""
    locks = system("the person's own").update(ControlLock)
    held = locks.where(ControlLock.holder_id == event.account_id)
    await db.execute(held.values(holder_id=None, holder="", until=None, reason="", number=ControlLock.number + 1))
    requests = locks.where(ControlLock.asker_id == event.account_id)
    await db.execute(requests.values(asker_id=None, asker="", asked_at=None))
