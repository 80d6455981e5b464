"""A robot goes to another owner: its parts go with it as they are; what its former owner planned goes only along with
all else. What was done stays with whom it was done for."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.device.api import OwnerChanged
from lustra.domains.upkeep.tables import Upkeep


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    if event.things != "hand_over":
        rows = system("who gave the robot away was allowed to").delete(Upkeep)
        await db.execute(rows.where(Upkeep.device_id == event.device_id, Upkeep.kind == "maintenance"))
