"""Alarms that are put off: of one code of a robot, or, while somebody works on it, all of the robot; at once, or from
when maintenance is planned.

Rules: until its end nobody is notified, and it is not among what is open of a fleet; it is listed, and on the robot's
own pages, all the same. What still is there at the end notifies at once, whoever was notified before too. It ends with
the robot's owner.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, query, texts
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.jobs import job
from lustra.core.scope import rows_of
from lustra.domains.account.api import Account
from lustra.domains.alarm.notify import NOTIFY
from lustra.domains.alarm.service import RESOLVED, every
from lustra.domains.alarm.tables import Alarm, AlarmSnooze
from lustra.domains.device.api import Device, OwnerChanged

END = "alarm.snooze_end"
FURTHEST = timedelta(days=366)  # that maintenance is planned ahead


async def snooze(
    ctx: Ctx, serial_number: str, alarm_id: int | None, minutes: int, note: str, *, since: datetime | None = None
) -> AlarmSnooze:
    """In place of an earlier one. Raises NOT_FOUND for a robot, or an alarm of it, that is not in scope."""
    begins = max(since or now(), now())
    if begins > now() + FURTHEST:
        raise Refusal(Code.BAD_INPUT, "since", reason="range_long", days=FURTHEST.days)
    device = await query.fetch_one(
        ctx.db,
        ctx.scope.select(Device).where(Device.serial_number == serial_number, Device.deleted_at.is_(None)),
    )
    code = ""
    if alarm_id is not None:
        alarms = ctx.scope.select(Alarm).where(Alarm.device_id == device.id, Alarm.id == alarm_id)
        code = (await query.fetch_one(ctx.db, alarms)).code
    until = begins + timedelta(minutes=minutes)
    values = {"since": begins, "until": until, "by_id": ctx.actor.real_id, "note": note}
    insert = rows_of(device).insert(AlarmSnooze).values(device_id=device.id, code=code, **values)
    statement = insert.on_conflict_do_update(index_elements=["device_id", "code"], set_=values)
    row = (await ctx.db.scalars(statement.returning(AlarmSnooze))).one()
    await jobs.later(ctx.db, END, at=until, snooze=row.id)
    return row


async def load(ctx: Ctx) -> list[dict[str, Any]]:
    """Those in scope that have not ended, the first to end first."""
    rows = ctx.scope.select(AlarmSnooze).where(AlarmSnooze.until > now()).order_by(AlarmSnooze.until, AlarmSnooze.id)
    snoozes = (await ctx.db.scalars(rows)).all()
    devices = {each.id: each for each in await ctx.db.scalars(rows_of(*snoozes).select(Device))}
    names = {each.id: each.name for each in await ctx.db.scalars(rows_of(*snoozes).select(Account))}
    return [
        {
            "id": row.id,
            "device_id": row.device_id,
            "device_code": devices[row.device_id].name,
            "device_serial_number": devices[row.device_id].serial_number,
            "code": row.code,
            "content": texts.name_alarm(row.code, ctx.language) if row.code else "",
            "since": row.since,
            "begun": row.since <= now(),
            "until": row.until,
            "by": names.get(row.by_id or 0, ""),
            "note": row.note,
        }
        for row in snoozes
    ]


async def end_early(ctx: Ctx, snooze_id: int) -> None:
    """Raises NOT_FOUND for one that is not in scope."""
    rows = ctx.scope.select(AlarmSnooze).where(AlarmSnooze.id == snooze_id).with_for_update(of=AlarmSnooze)
    await _end(ctx.db, await query.fetch_one(ctx.db, rows))


@job(END, queue="alarms")
async def end(app: Services, *, snooze: int) -> None:
    """One that was prolonged meanwhile ends by a job of its own."""
    async with app.sessions.begin() as db:
        rows = every.select(AlarmSnooze).where(AlarmSnooze.id == snooze, AlarmSnooze.until <= now())
        row = await db.scalar(rows.with_for_update())
        if row is not None:
            await _end(db, row)


async def _end(db: AsyncSession, row: AlarmSnooze) -> None:
    begun = row.since <= now()
    await db.delete(row)
    await db.flush()
    if not begun:
        return
    alarms = every.select(Alarm).where(Alarm.device_id == row.device_id, Alarm.state < RESOLVED)
    if row.code:
        alarms = alarms.where(Alarm.code == row.code)
    for alarm in await db.scalars(alarms.order_by(Alarm.id).with_for_update()):
        alarm.round += 1
        await jobs.later(db, NOTIFY, alarms=[alarm.id])


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    await db.execute(every.delete(AlarmSnooze).where(AlarmSnooze.device_id == event.device_id))
