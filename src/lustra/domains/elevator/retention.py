"""Old rides go when their time is over, with the reports of their time."""

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import Account, OldData
from lustra.domains.elevator.tables import ElevatorRide


async def purge(db: AsyncSession, request: OldData) -> None:
    """Unscoped: the event says whose."""
    if (before := request.before.get("report")) and request.remove:
        accounts = select(Account.id).where(request.within(Account.path))
        await db.execute(
            delete(ElevatorRide).where(ElevatorRide.account_id.in_(accounts), ElevatorRide.ended_at < before)
        )
