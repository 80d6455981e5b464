"""Who is on an alarm.

Rules: who takes it is on it, in place of whoever was, and on those of its group that nobody is on; given back, it is
escalated as if it were new.
"""

from sqlalchemy import and_, or_

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.domains.alarm import escalation
from lustra.domains.alarm.service import RESOLVED
from lustra.domains.alarm.tables import Alarm
from lustra.domains.device.api import Device


async def take(ctx: Ctx, serial_number: str, alarm_id: int, *, on: bool) -> None:
    """Raises NOT_FOUND where it is not open, or not in scope."""
    device = await query.fetch_one(
        ctx.db,
        ctx.scope.select(Device).where(Device.serial_number == serial_number, Device.deleted_at.is_(None)),
    )
    rows = ctx.scope.select(Alarm).where(Alarm.device_id == device.id, Alarm.state < RESOLVED)
    alarm = await query.fetch_one(ctx.db, rows.where(Alarm.id == alarm_id))
    before, after = (None, ctx.actor.real_id) if on else (ctx.actor.real_id, None)
    grouped = and_(Alarm.group_id.is_not(None), Alarm.group_id == alarm.group_id)
    same = and_(grouped, Alarm.taken_by.is_not_distinct_from(before), Alarm.state < RESOLVED)
    members = ctx.scope.select(Alarm).where(or_(Alarm.id == alarm.id, same)).order_by(Alarm.id)
    for member in await ctx.db.scalars(members.with_for_update(of=Alarm)):
        member.taken_by, member.taken_at = after, now() if on else None
    if not on:
        await escalation.schedule(ctx.db, alarm)
