"""Lists and sums of alarms, and their release; names of rows are the wire's.

Rules: an alarm is seen by who owned the robot when it was raised. Who releases a robot resolves what is open of it, or
one alarm of it; what still is wrong is not raised again for that. What is gone is resolved once it has stayed away as
long as its code wants (`off_delay_s`): the database enqueues `alarm.settle` for then, with the end of its last cause.
What is open is never deleted.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query, texts
from lustra.core.context import Ctx, Services
from lustra.core.db import Connection, now
from lustra.core.jobs import job
from lustra.core.scope import Scope, system
from lustra.domains.account.api import OldData
from lustra.domains.alarm import queries
from lustra.domains.alarm.tables import Alarm, AlarmSetting, AlarmSnooze
from lustra.domains.device.api import Device, OwnerChanged, Where

LISTS = ("warn/index/warn", "device/warn", "index/realWarn")  # keys, any of which shows alarms
UNRESOLVED = 1
RESOLVED = 2
CHART_DAYS = 7
MOST_OPEN = 100  # that are listed at once; all are counted
MOST_NEW = 100
MOST_DEVICES = 100

every = system("what the server does of itself about alarms, whosever they are")


def snoozed() -> ColumnElement[bool]:
    """Whether an alarm is put off."""
    rows = every.select(AlarmSnooze.id).where(AlarmSnooze.device_id == Alarm.device_id, AlarmSnooze.until > now())
    rows = rows.where(AlarmSnooze.since <= now())
    return rows.where(AlarmSnooze.code.in_(["", Alarm.code])).exists()


def render(row: Any, language: str) -> dict[str, Any]:
    """A row as it is read: with its text in the reader's language."""
    return {**row, "content": texts.name_alarm(row["code"], language)}


def build_where(
    scope: Scope,
    *,
    alarm_id: int | None = None,
    device_ids: Sequence[int] | None = None,
    code: str = "",
    level: int | None = None,
    type_: int | None = None,
    state: int | None = None,
    run: str = "",
    group: int | None = None,
    since: date | None = None,
    until: date | None = None,
) -> Where:
    """Dates are whole days in the zone of the robot's site, both included."""
    where = Where.of_stamped(scope, "r")
    if device_ids is not None:
        where.add("r.device_id = any({}::bigint[])", list(device_ids))
    alike = {"id": alarm_id, "code": code or None, "level": level, "type": type_, "state": state, "run": run or None}
    for column, value in (alike | {"group_id": group}).items():
        if value is not None:
            where.add(f"r.{column} = {{}}", value)
    if since is not None:
        where.add("(r.raised_at at time zone d.zone)::date >= {}", since)
    if until is not None:
        where.add("(r.raised_at at time zone d.zone)::date <= {}", until)
    return where


async def count_alarms(db: Connection, where: Where) -> int:
    return await db.fetchval(where.sql(queries.COUNT), *where.values) or 0


async def load_page(db: Connection, where: Where, size: int, number: int) -> list[Any]:
    statement = where.sql(queries.PAGE, **where.page(size, number))
    return await db.fetch(statement, *where.values)


async def load_open(db: Connection, scope: Scope, device_id: int | None) -> dict[str, Any]:
    """The gravest and newest of those that are open, how many there are, and the newest of all of them. What is put off
    is not among those of a fleet."""
    where = Where.of_stamped(scope, "r")
    if device_id is not None:
        where.add("r.device_id = {}", device_id)
    else:
        where.add(queries.AWAKE)
    (sums,) = await db.fetch(where.sql(queries.COUNT_OPEN), *where.values)
    return {"list": await db.fetch(where.sql(queries.OPEN, limit=where.value(MOST_OPEN)), *where.values), **sums}


async def load_new(db: Connection, scope: Scope, after: int | None, since: datetime | None) -> list[Any]:
    """Those after an alarm, or those that were raised after a time, the oldest first."""
    where = Where.of_stamped(scope, "r")
    if after is not None:
        where.add("r.id > {}", after)
    elif since is not None:
        where.add("r.raised_at > {}", since)
    return await db.fetch(where.sql(queries.NEW, limit=where.value(MOST_NEW)), *where.values)


def last_days(today: date, since: date | None, until: date | None) -> tuple[date, date]:
    """The days of a chart: the last seven, where none are named."""
    last = until or today
    return since or last - timedelta(days=CHART_DAYS - 1), last


async def load_chart(db: Connection, where: Where) -> list[Any]:
    return await db.fetch(where.sql(queries.CHART), *where.values)


async def load_summary(db: Connection, where: Where) -> list[Any]:
    return await db.fetch(where.sql(queries.SUMMARY), *where.values)


async def load_summary_of_devices(db: Connection, where: Where) -> list[Any]:
    """The robots that had the most."""
    return await db.fetch(where.sql(queries.SUMMARY_OF_DEVICES, limit=where.value(MOST_DEVICES)), *where.values)


async def release(ctx: Ctx, serial_number: str, alarm_id: int | None) -> int:
    """How many are resolved by it. Raises NOT_FOUND for a robot, or an alarm of it, that is not in scope."""
    device = await query.fetch_one(
        ctx.db,
        ctx.scope.select(Device).where(Device.serial_number == serial_number, Device.deleted_at.is_(None)),
    )
    rows = ctx.scope.select(Alarm).where(Alarm.device_id == device.id).order_by(Alarm.id).with_for_update(of=Alarm)
    if alarm_id is not None:
        alarms = [await query.fetch_one(ctx.db, rows.where(Alarm.id == alarm_id))]
    else:
        alarms = list(await ctx.db.scalars(rows.where(Alarm.state < RESOLVED)))
    released = [alarm for alarm in alarms if alarm.state != RESOLVED]
    for alarm in released:
        alarm.state, alarm.resolved_at, alarm.resolved_by = RESOLVED, now(), ctx.actor.real_id
    return len(released)


@job("alarm.settle", queue="alarms")
async def settle(app: Services, *, alarms: list[int]) -> None:
    """What has come back meanwhile is as if it had never been gone."""
    over = Alarm.cleared_at + func.make_interval(0, 0, 0, 0, 0, 0, AlarmSetting.off_delay_s)
    async with app.sessions.begin() as db:
        rows = every.update(Alarm).where(Alarm.id.in_(alarms), Alarm.state == UNRESOLVED, over <= now())
        rows = rows.where(AlarmSetting.code == Alarm.code)
        await db.execute(rows.values(state=RESOLVED, resolved_at=over))


async def delete_before(ctx: Ctx, device_id: int, before: datetime) -> int:
    """How many were deleted: resolved ones of a robot that were raised before then."""
    device = await query.fetch_one(ctx.db, ctx.scope.select(Device).where(Device.id == device_id))
    old = ctx.scope.delete(Alarm).where(Alarm.device_id == device.id, Alarm.raised_at < before, Alarm.state == RESOLVED)
    return len((await ctx.db.scalars(old.returning(Alarm.id))).all())


async def on_old_data(db: AsyncSession, request: OldData) -> None:
    """Count, and where asked delete, alarms that were raised before then."""
    if (before := request.before.get("warn")) is None:
        return
    conditions = (request.within(Alarm.owner_path), Alarm.raised_at < before, Alarm.state == RESOLVED)
    request.counts["warn"] = await db.scalar(every.select(func.count(Alarm.id)).where(*conditions)) or 0
    if request.remove:
        await db.execute(every.delete(Alarm).where(*conditions))


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """What is open stays the former owner's, who can do nothing about it any more."""
    await db.execute(
        every.update(Alarm)
        .where(Alarm.device_id == event.device_id, Alarm.owner_id == event.before, Alarm.state < RESOLVED)
        .values(state=RESOLVED, resolved_at=datetime.now(UTC))
    )
