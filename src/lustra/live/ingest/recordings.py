"""What a robot's states have left, when it goes to another owner (ownership/handover).

Rules: points and packed minutes carry no owner; whose they are says the time, by `former_owner`. Erased, they go. What
was not stored of the former owner's messages is no matter of the next one's.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.device.api import OwnerChanged
from lustra.live.ingest import queries
from lustra.live.ingest.queries import INGEST


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    await db.execute(INGEST.text(queries.FORGET_REFUSAL), {"robot": event.device_id})
    if event.things == "erase":
        for statement in (queries.FORGET_POINTS, queries.FORGET_CHUNKS):
            await db.execute(INGEST.text(statement), {"robot": event.device_id})
