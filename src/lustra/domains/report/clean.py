"""Old reports go when somebody clears old data, and when their time is over."""

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.events import OldData
from lustra.domains.report.tables import TaskReport


async def old(db: AsyncSession, wanted: OldData) -> None:
    """Of runs that ended before then, stamped with an owner in scope. Unscoped: the event says whose."""
    if (before := wanted.before.get("report")) is None:
        return
    mine = (wanted.within(TaskReport.owner_path), TaskReport.ended < before)
    wanted.counts["report"] = await db.scalar(select(func.count()).select_from(TaskReport).where(*mine)) or 0
    if wanted.remove:
        await db.execute(delete(TaskReport).where(*mine))
