"""What robots have to do, whenever they are there: kept until they say that it is done (device/messenger tells them).

Rule: an errand is asked for in the transaction of its cause; a robot does the same one once, by its number.
"""

from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.context import Ctx
from lustra.domains.device.tables import Device, RobotErrand

Kind = Literal["erase", "password"]
JOB = "device.errand"


async def ask(ctx: Ctx, robot: Device, kind: Kind) -> None:
    errand = RobotErrand(device_id=robot.id, kind=kind)
    ctx.db.add(errand)
    await ctx.db.flush()
    await jobs.later(ctx.db, JOB, errand=errand.id)


async def waiting(db: AsyncSession, robot: Device, kind: Kind) -> bool:
    mine = select(func.count()).where(
        RobotErrand.device_id == robot.id, RobotErrand.kind == kind, RobotErrand.done_at.is_(None)
    )
    return bool(await db.scalar(mine))
