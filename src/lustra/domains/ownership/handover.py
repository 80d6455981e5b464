"""A robot goes to another owner: what becomes of what it did for the former one.

Rules: maps, tasks and recordings, and the password, are kept with the former owner and erased on the robot (`keep`),
or go along (`hand_over`, which support may only with the former owner's access), or are erased in both places
(`erase`); reports and readings of the password stay with whom they were made for, always. Nobody is bound to it any
longer, nobody holds its control, and unless all is handed over its place and customer are no longer told. Until the
robot has erased, nobody reaches it, and what it tells is its former owner's. Who did it, and how, is kept.
"""

import time
from typing import Any

from sqlalchemy import TextClause
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import events
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.scope import rows_of, system
from lustra.domains.account.api import Account, refresh_sessions, support
from lustra.domains.control.api import free_control
from lustra.domains.device.api import Device, DeviceAccount, DeviceCredential, OwnerChanged, Things
from lustra.domains.enrolment.api import CommandDone, queue_command, renew_password
from lustra.domains.message.api import notify
from lustra.domains.ownership import queries
from lustra.domains.ownership.tables import FormerOwner

# Where it stands and for whom: the former owner's affairs.
SITE: dict[str, Any] = {
    "customer_name": "",
    "customer_address": "",
    "address": "",
    "address1": "",
    "area": "",
    "province": "",
    "latitude": None,
    "longitude": None,
    "elevator_id": None,
}


async def change_owner(ctx: Ctx, robot: Device, to: Account, things: Things) -> None:
    """`robot`: found in the actor's scope and locked; `to`: an account that may own it (device/edit.load_owner)."""
    if to.id == robot.owner_id:
        return
    if things == "hand_over":
        look = support.Look("maps", robot.id, robot.name, robot.id)
        await support.demand_access(ctx, look, robot.owner_path, "things")
    before = robot.owner_id
    enrolled = await ctx.db.scalar(rows_of(robot).select(DeviceCredential)) is not None
    erases = enrolled and things != "hand_over"
    ctx.note(before={"ownerUserId": before}, things=things)
    ctx.db.add(
        FormerOwner(
            device_id=robot.id,
            owner_id=before,
            to_id=to.id,
            things=things,
            by_id=ctx.actor.real_id,
            until=None if erases else int(time.time() * 1000),
        )
    )
    if things != "hand_over":  # before the list knows of the new owner: ingest locks in this order too
        await ctx.db.execute(rows_of(robot).text(queries.CLEAR_STATE), {"robot": robot.id})
    robot.owner_id, robot.owner_path = to.id, to.path
    edits.stamp(robot, "ownerUserId")
    await ctx.db.execute(rows_of(robot).delete(DeviceAccount))
    await free_control(ctx, robot)
    if things != "hand_over":
        edits.apply(robot, SITE, None)
        await renew_password(ctx, robot, forget=True)
    if erases:
        await queue_command(ctx, robot, "erase")
    await ctx.db.flush()
    await events.emit(ctx.db, OwnerChanged(robot.id, robot.serial_number, before, to.id, things, ctx.actor))
    await refresh_sessions(ctx, [before, to.id])  # open sockets show it to its new owner alone
    notify(ctx.db, [before], "device_left", ctx.actor, robot=robot.name)
    notify(ctx.db, [to.id], "device_came", ctx.actor, robot=robot.name)


async def hand_over_mirrors(db: AsyncSession, event: OwnerChanged, copy: TextClause, forget: TextClause) -> None:
    """Mirrors of what the robot has, in a higher domain: `copy` makes the new owner's of `:old`'s, `forget` takes them
    from `:old`."""
    values = {"robot": event.device_id, "old": event.before}
    if event.things == "hand_over":
        await db.execute(copy, {**values, "new": event.to})
    if event.things != "keep":
        await db.execute(forget, values)


async def on_command_done(db: AsyncSession, event: CommandDone) -> None:
    """Once the robot has erased, all is the new owner's, from that moment of its clock on."""
    if event.kind != "erase":
        return
    at = event.answer.get("at")
    until = at if isinstance(at, int) else int(time.time() * 1000)
    former = system("whoever had it before").update(FormerOwner)
    open_rows = former.where(FormerOwner.device_id == event.device_id, FormerOwner.until.is_(None))
    await db.execute(open_rows.values(until=until))
