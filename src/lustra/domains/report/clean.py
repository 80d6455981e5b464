"""Old reports go when somebody clears old data."""

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.permission import within
from lustra.domains.account.events import OldData
from lustra.domains.report.tables import TaskReport


async def old(db: AsyncSession, wanted: OldData) -> None:
    """Of runs that ended before then, stamped with an owner in scope."""
    mine = (within(wanted.actor, TaskReport.owner_path), TaskReport.ended < wanted.before)
    wanted.counts["report"] = await db.scalar(select(func.count()).select_from(TaskReport).where(*mine)) or 0
    if wanted.remove:
        await db.execute(delete(TaskReport).where(*mine))
