"""A robot goes to another owner: what becomes of the mirrors of its tasks, groups and schedules, as of its maps
(map/owners); and old occurrences, which go with the reports."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import OldData
from lustra.domains.device.api import OwnerChanged
from lustra.domains.ownership.api import hand_over_mirrors
from lustra.domains.task import queries
from lustra.domains.task.tables import RobotOccurrence


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    given = system("who gave the robot away was allowed to")
    await hand_over_mirrors(db, event, given.text(queries.COPY_TASKS), given.text(queries.FORGET_TASKS))
    await hand_over_mirrors(db, event, given.text(queries.COPY_PLANS), given.text(queries.FORGET_PLANS))


async def purge(db: AsyncSession, request: OldData) -> None:
    before = request.before.get("report")
    if before and request.remove:
        conditions = (request.within(RobotOccurrence.owner_path), RobotOccurrence.start < before)
        await db.execute(system("the event says whose").delete(RobotOccurrence).where(*conditions))
