"""Where robots were and what they had goes when its time is over, by whole ten minutes, which may lie in one chunk."""

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import OldData
from lustra.domains.device.api import Device
from lustra.domains.telemetry.tables import Chunk

MINUTE_S = 60
TEN_S = 600


async def purge(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, tracks of robots that these accounts own."""
    if (before := request.before.get("track")) is None:
        return
    old = system("the event says whose")
    robots = old.select(Device.id).where(request.within(Device.owner_path))
    ten = int(before.timestamp() // TEN_S) * TEN_S
    conditions = (Chunk.robot.in_(robots), Chunk.minute < ten // MINUTE_S)
    request.counts["track"] = await db.scalar(old.select(func.count(Chunk.robot)).where(*conditions)) or 0
    if request.remove:
        await db.execute(old.delete(Chunk).where(*conditions))
