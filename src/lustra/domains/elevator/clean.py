"""Old rides go when their time is over, with the reports of their time."""

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.events import OldData
from lustra.domains.account.tables import Account
from lustra.domains.elevator.tables import LiftRide


async def old(db: AsyncSession, wanted: OldData) -> None:
    """Unscoped: the event says whose."""
    if (before := wanted.before.get("report")) and wanted.remove:
        whose = select(Account.id).where(wanted.within(Account.path))
        await db.execute(delete(LiftRide).where(LiftRide.account_id.in_(whose), LiftRide.ended_at < before))
