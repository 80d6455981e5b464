"""Commands that wait until a robot has carried them out, however long it is away (enrolment/command_delivery sends
them).

Rule: a command is queued in the transaction of its cause; a robot carries out the same one once, by its number.
"""

from typing import Literal

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.domains.device.api import Device
from lustra.domains.enrolment.tables import PendingCommand

Kind = Literal["erase", "password"]
JOB = "device.errand"


async def queue(ctx: Ctx, robot: Device, kind: Kind) -> None:
    command = PendingCommand(device_id=robot.id, kind=kind)
    ctx.db.add(command)
    await ctx.db.flush()
    await jobs.later(ctx.db, JOB, errand=command.id)


async def is_waiting(db: AsyncSession, robot: Device, kind: Kind) -> bool:
    rows = rows_of(robot).select(func.count(PendingCommand.id))
    rows = rows.where(PendingCommand.kind == kind, PendingCommand.done_at.is_(None))
    return bool(await db.scalar(rows))


async def refuse_while_erasing(db: AsyncSession, robot: Device) -> None:
    """Whoever would reach the robot waits until it has nothing of its former owner's any more."""
    if await is_waiting(db, robot, "erase"):
        raise Refusal(Code.ERASING, "deviceId")
