"""Whoever is next above the owner is notified of an alarm that nobody takes.

Rules: an account says after how many minutes, and how far up, of the robots that it owns. Reminders are not escalated,
nor what is put off. It ends as the alarm, or its group, is taken or over; given back, it begins again. Each step is a
row of the queue with its time, so that no restart loses one.
"""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import Account
from lustra.domains.alarm import recipients
from lustra.domains.alarm.hours import ALARM
from lustra.domains.alarm.service import RESOLVED, every, snoozed
from lustra.domains.alarm.tables import Alarm, AlarmEscalation, Steps

ESCALATE = "alarm.escalate"


async def load_own(ctx: Ctx) -> AlarmEscalation | None:
    """Of the account that one acts for."""
    rows = ctx.scope.select(AlarmEscalation).where(AlarmEscalation.account_id == ctx.actor.acting_id)
    return await ctx.db.scalar(rows)


async def edit(ctx: Ctx, minutes: int | None, steps: Steps) -> None:
    """None: no more. Refused where a step would notify nobody."""
    row = await load_own(ctx)
    if minutes is None:
        if row is not None:
            await ctx.db.delete(row)
        return
    owner = (await ctx.db.scalars(ctx.scope.select(Account).where(Account.id == ctx.actor.acting_id))).one()
    for step in range(1, steps + 1):
        if not await recipients.load_above(ctx.db, owner.path, step):
            raise Refusal(Code.BAD_INPUT, "steps", reason="escalates_to_nobody", number=step)
    if row is None:
        ctx.db.add(AlarmEscalation(account_id=owner.id, minutes=minutes, steps=steps))
    else:
        row.minutes, row.steps = minutes, steps


async def schedule(db: AsyncSession, alarm: Alarm, step: int = 1) -> None:
    rows = every.select(AlarmEscalation).where(AlarmEscalation.account_id == alarm.owner_id)
    escalation = await db.scalar(rows)
    if escalation is None or step > escalation.steps or alarm.type != ALARM:
        return
    at = now() + timedelta(minutes=escalation.minutes)
    await jobs.later(db, ESCALATE, at=at, alarm=alarm.id, round=alarm.round, step=step)


async def is_due(db: AsyncSession, alarm: Alarm) -> bool:
    """Whether nobody is on it, or on another of its group, and it is neither over nor put off."""
    if await db.scalar(every.select(Alarm.id).where(Alarm.id == alarm.id, snoozed())):
        return False
    of_cause = Alarm.id == alarm.id if alarm.group_id is None else Alarm.group_id == alarm.group_id
    open_ones = (await db.scalars(every.select(Alarm.taken_by).where(of_cause, Alarm.state < RESOLVED))).all()
    return bool(open_ones) and not any(open_ones)
