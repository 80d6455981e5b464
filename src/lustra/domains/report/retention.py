"""Old reports go when somebody clears old data, and when their time is over."""

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import OldData
from lustra.domains.report.tables import TaskReport


async def purge(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, reports of runs that ended before then. Unscoped: the event says whose."""
    if (before := request.before.get("report")) is None:
        return
    conditions = (request.within(TaskReport.owner_path), TaskReport.ended < before)
    request.counts["report"] = await db.scalar(select(func.count()).select_from(TaskReport).where(*conditions)) or 0
    if request.remove:
        await db.execute(delete(TaskReport).where(*conditions))
