"""Old reports go when somebody clears old data, and when their time is over. Their sums stay, and say so."""

from sqlalchemy import func, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import OldData
from lustra.domains.report.queries import EVERY
from lustra.domains.report.tables import TaskReport

KEEP_SUMS = text("select set_config('lustra.keep_sums', 'on', true)")
SUM_AGAIN = text("select set_config('lustra.keep_sums', '', true)")


async def purge(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, reports of runs that ended before then."""
    if (before := request.before.get("report")) is None:
        return
    conditions = (request.within(TaskReport.owner_path), TaskReport.ended < before)
    request.counts["report"] = await db.scalar(EVERY.select(func.count(TaskReport.id)).where(*conditions)) or 0
    if request.remove:
        await db.execute(KEEP_SUMS)
        await db.execute(EVERY.delete(TaskReport).where(*conditions))
        await db.execute(SUM_AGAIN)
