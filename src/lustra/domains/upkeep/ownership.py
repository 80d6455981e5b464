"""A robot goes to another owner: its parts go with it as they are; what its former owner planned goes only along with
all else. What was done stays with whom it was done for."""

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.device.api import OwnerChanged
from lustra.domains.upkeep.tables import Upkeep


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """Unscoped: who may give a robot away is asked where that is done."""
    if event.things != "hand_over":
        planned = Upkeep.kind == "maintenance"
        await db.execute(delete(Upkeep).where(Upkeep.device_id == event.device_id, planned))
