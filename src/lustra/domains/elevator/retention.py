"""Old rides go when their time is over, with the reports of their time."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import Account, OldData
from lustra.domains.elevator.tables import ElevatorRide


async def purge(db: AsyncSession, request: OldData) -> None:
    if (before := request.before.get("report")) and request.remove:
        old = system("the event says whose")
        accounts = old.select(Account.id).where(request.within(Account.path))
        await db.execute(
            old.delete(ElevatorRide).where(ElevatorRide.account_id.in_(accounts), ElevatorRide.ended_at < before)
        )
