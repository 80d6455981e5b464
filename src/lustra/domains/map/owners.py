"""A robot goes to another owner: what becomes of the mirrors of its maps (ownership/handover).

Rules: kept, they stay with the former owner as they are; handed over, the new owner has them as they are now and the
former one only behind its reports; erased, nobody lists them any more. What was on its way to the robot does not come.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.device.api import OwnerChanged
from lustra.domains.map import queries
from lustra.domains.ownership.api import hand_over_mirrors


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    given = system("who gave the robot away was allowed to")
    await hand_over_mirrors(db, event, given.text(queries.COPY_MAPS), given.text(queries.FORGET_MAPS))
    await db.execute(given.text(queries.STOP_SYNCS), {"robot": event.device_id})
