"""A robot goes to another owner: what becomes of its logs (ownership/handover); and old ones.

Rules: kept, the former owner has the copies that were sent up, and the rest is erased on the robot; handed over, all
goes along; erased, nothing is left. The bytes of what goes follow at night.
"""

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import OldData
from lustra.domains.device.api import OwnerChanged
from lustra.domains.device_log import queries
from lustra.domains.device_log.tables import DeviceLog

OF_EVENT = system("the event says whose")


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    values = {"robot": event.device_id, "old": event.before}
    if event.things == "hand_over":
        for statement in (queries.MAKE_WAY, queries.MOVE_PLACES, queries.MOVE):
            await db.execute(OF_EVENT.text(statement), values | {"new": event.to})
        return
    await db.execute(OF_EVENT.text(queries.LEAVE), values)
    await db.execute(OF_EVENT.text(queries.FORGET), values | {"all": event.things == "erase"})


async def purge(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, logs from before then."""
    if (before := request.before.get("log")) is None:
        return
    conditions = (request.within(DeviceLog.owner_path), DeviceLog.time < before)
    request.counts["log"] = await db.scalar(OF_EVENT.select(func.count(DeviceLog.id)).where(*conditions)) or 0
    if request.remove:
        await db.execute(OF_EVENT.delete(DeviceLog).where(*conditions))
