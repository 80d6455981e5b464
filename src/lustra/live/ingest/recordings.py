"""What a robot's states have left, when it goes to another owner (ownership/handover).

Rules: points and packed minutes carry no owner; whose they are says the time, by `former_owner`. Erased, they go. What
was not stored of the former owner's messages is no matter of the next one's.
"""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.device.api import OwnerChanged

FORGET = (text("delete from point where robot = :robot"), text("delete from chunk where robot = :robot"))


FORGET_REFUSAL = text("delete from robot_refusal where robot = :robot")


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    await db.execute(FORGET_REFUSAL, {"robot": event.device_id})
    if event.things == "erase":
        for statement in FORGET:
            await db.execute(statement, {"robot": event.device_id})
