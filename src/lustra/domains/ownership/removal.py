"""A robot is deleted: it is gone from bus and relays at once, and for good 30 days later, unless a former owner still
has reports of it.
"""

from datetime import timedelta

from lustra.core import events
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.scope import system
from lustra.domains.control.api import free_control
from lustra.domains.device.api import Device, DeviceDeleted, load_owned
from lustra.domains.ownership import queries
from lustra.domains.ownership.tables import FormerOwner

KEEP_DELETED = timedelta(days=30)


async def remove(ctx: Ctx, device_id: int) -> None:
    robot = await load_owned(ctx, device_id)
    robot.deleted_at = now()
    await free_control(ctx, robot)
    await ctx.db.flush()
    await events.emit(ctx.db, DeviceDeleted(robot.id, robot.serial_number, ctx.actor))

    async def forget() -> None:
        await ctx.app.bus.drop("devices", robot.serial_number)

    ctx.after_commit(forget)


async def purge(app: Services) -> None:
    """Delete for good what was deleted 30 days ago, and its log-in in any case."""
    every = system("deleted robots of all accounts")
    async with app.sessions.begin() as db:
        deleted = list(await db.scalars(every.select(Device.id).where(Device.deleted_at < now() - KEEP_DELETED)))
        await db.execute(every.text(queries.PURGE_CREDENTIALS), {"ids": deleted})
        former = every.select(FormerOwner.device_id).where(FormerOwner.device_id.in_(deleted))
        formerly_owned = set(await db.scalars(former))
        await db.execute(
            every.text(queries.PURGE_DEVICES),
            {"ids": [device_id for device_id in deleted if device_id not in formerly_owned]},
        )
