"""Where robots were and what they had, minute by minute, goes when its time is over."""

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import OldData
from lustra.domains.device.api import Device
from lustra.domains.telemetry.tables import Chunk


async def purge(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, tracks of robots that these accounts own."""
    if (before := request.before.get("track")) is None:
        return
    old = system("the event says whose")
    robots = old.select(Device.id).where(request.within(Device.owner_path))
    conditions = (Chunk.robot.in_(robots), Chunk.minute < int(before.timestamp() // 60))
    request.counts["track"] = await db.scalar(old.select(func.count(Chunk.robot)).where(*conditions)) or 0
    if request.remove:
        await db.execute(old.delete(Chunk).where(*conditions))
