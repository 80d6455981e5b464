"""When a person is notified: quiet hours in the own zone, and a digest by mail at a time of the day.

Rules: the message centre knows no quiet hours; alarms, not reminders, pass them where the person lets them. What is
held back stands in the person's next digest; without one it is sent as the hours end, unless the alarm is over. A
digest that no mailbox would get, and hours of the whole day, are refused.
"""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import own
from lustra.domains.alarm.service import RESOLVED, every
from lustra.domains.alarm.tables import Alarm, AlarmNotification, NotificationHours

SEND = "alarm.send"  # the job of notify.py
ALARM = 2  # type of those that are no reminders


async def load_own(ctx: Ctx) -> NotificationHours | None:
    rows = ctx.scope.select(NotificationHours).where(NotificationHours.account_id == ctx.actor.real_id)
    return await ctx.db.scalar(rows)


def next_at(clock: time, zone: str, after: datetime) -> datetime:
    """The next moment at which the clocks of a zone show a time of the day."""
    place = ZoneInfo(zone)
    today = after.astimezone(place).date()
    first, second = (datetime.combine(day, clock, place).astimezone(UTC) for day in (today, today + timedelta(days=1)))
    return first if first > after else second


def next_digest(hours: NotificationHours) -> datetime | None:
    return next_at(hours.digest, hours.zone, now()) if hours.digest else None


def hold_until(hours: NotificationHours | None, kind: int, at: datetime) -> datetime | None:
    """Until when an alarm of a type is held back; None: it is not."""
    if hours is None or hours.quiet_from is None or hours.quiet_until is None:
        return None
    if kind == ALARM and hours.alarms_pass:
        return None
    end = next_at(hours.quiet_until, hours.zone, at)
    if next_at(hours.quiet_from, hours.zone, at) < end:
        return None  # they begin before they end: it is not quiet yet
    return hours.digest_at or end


async def edit(ctx: Ctx, values: dict[str, time | str | bool | None]) -> None:
    """In place of those before; what is held back by those is judged anew."""
    account = await own(ctx.db, ctx.actor, lock=True)
    if values["quiet_from"] == values["quiet_until"] is not None:
        raise Refusal(Code.BAD_INPUT, "quietUntil", reason="hours_empty")
    if (values["quiet_from"] is None) != (values["quiet_until"] is None):
        raise Refusal(Code.BAD_INPUT, "quietUntil", reason="required")
    if values["digest"] is not None and not account.email:
        raise Refusal(Code.BAD_INPUT, "digest", reason="digest_no_mailbox")
    hours = await load_own(ctx)
    if hours is None:
        hours = NotificationHours(account_id=account.id, zone="UTC")
        ctx.db.add(hours)
    for name, value in values.items():
        setattr(hours, name, value)
    hours.digest_at = next_digest(hours)
    await _judge_held(ctx.db, hours)


async def _judge_held(db: AsyncSession, hours: NotificationHours) -> None:
    held = every.select(AlarmNotification, Alarm).join(Alarm, Alarm.id == AlarmNotification.alarm_id)
    held = held.where(AlarmNotification.account_id == hours.account_id, AlarmNotification.state == "held")
    for row, alarm in await db.execute(held.order_by(AlarmNotification.id).with_for_update(of=AlarmNotification)):
        if is_over(row, alarm):
            row.state, row.reason, row.next_at = "failed", "alarm_over", None
        else:
            await enqueue(db, row, hours, hold_until(hours, alarm.type, now()))


def is_over(row: AlarmNotification, alarm: Alarm) -> bool:
    """Whether there is nothing to notify of any more: of what was held back, or went to who is above the owner."""
    return alarm.state == RESOLVED or (row.step > 0 and alarm.taken_by is not None)


async def enqueue(
    db: AsyncSession, row: AlarmNotification, hours: NotificationHours | None, until: datetime | None
) -> None:
    """Now, as it is held no longer, or by the digest, which needs no job of its own."""
    row.state, row.next_at = ("held", until) if until else ("waiting", None)
    if until is None or hours is None or hours.digest_at is None:
        await jobs.later(db, SEND, at=until, notification=row.id)
