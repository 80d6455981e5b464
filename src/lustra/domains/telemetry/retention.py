"""Where robots were and what they had, minute by minute, goes when its time is over."""

from sqlalchemy import column, delete, func, select, table
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import OldData
from lustra.domains.device.api import Device

CHUNK = table("chunk", column("robot"), column("minute"))


async def purge(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, tracks of robots that these accounts own. Unscoped: the event says whose."""
    if (before := request.before.get("track")) is None:
        return
    robots = select(Device.id).where(request.within(Device.owner_path))
    conditions = (CHUNK.c.robot.in_(robots), CHUNK.c.minute < int(before.timestamp() // 60))
    request.counts["track"] = await db.scalar(select(func.count()).select_from(CHUNK).where(*conditions)) or 0
    if request.remove:
        await db.execute(delete(CHUNK).where(*conditions))
