"""Where robots were and what they had, minute by minute, goes when its time is over."""

from sqlalchemy import column, delete, func, select, table
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.events import OldData
from lustra.domains.device.tables import Device

CHUNK = table("chunk", column("robot"), column("minute"))


async def old(db: AsyncSession, wanted: OldData) -> None:
    """Of the robots that these accounts have now. Unscoped: the event says whose."""
    if (before := wanted.before.get("track")) is None:
        return
    robots = select(Device.id).where(wanted.within(Device.owner_path))
    mine = (CHUNK.c.robot.in_(robots), CHUNK.c.minute < int(before.timestamp() // 60))
    wanted.counts["track"] = await db.scalar(select(func.count()).select_from(CHUNK).where(*mine)) or 0
    if wanted.remove:
        await db.execute(delete(CHUNK).where(*mine))
