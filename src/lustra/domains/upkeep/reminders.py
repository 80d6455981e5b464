"""People are notified before a consumable's life ends and when it has, and likewise of maintenance: once each.

Rules: at 90 and at 100 percent of the hours, and on a maintenance's date; the robot's owner and whoever is bound to it
are told. An hourly job looks at what has new reports since it looked last, or was changed; a missed hour loses nothing.
"""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Select, and_, cast, func, or_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.types import Date

from lustra.core.context import NOBODY, Services
from lustra.core.db import now
from lustra.core.scope import rows_of, system
from lustra.domains.device.api import Device, DeviceAccount
from lustra.domains.message.api import notify
from lustra.domains.report.api import TaskReport
from lustra.domains.upkeep import maintenance, rules, service
from lustra.domains.upkeep.tables import NEVER, Upkeep

AT_ONCE = 200
BACK = timedelta(minutes=5)  # a report may be written for so long before others see it
KINDS = {
    ("consumable", rules.SOON): "consumable_soon",
    ("consumable", rules.DUE): "consumable_due",
    ("maintenance", rules.SOON): "maintenance_soon",
    ("maintenance", rules.DUE): "maintenance_due",
}


async def remind_all(app: Services) -> None:
    last: int | None = 0
    while last is not None:
        async with app.sessions.begin() as db:
            last = await _remind_batch(db, last)


def _select_due(after: int) -> Select[Upkeep, Device, float]:
    every = system("of all robots")
    reports = every.select(TaskReport.id).where(TaskReport.device_id == Upkeep.device_id)
    fresh = reports.where(TaskReport.updated_at > Upkeep.checked_at).correlate(Upkeep).exists()
    here = cast(func.timezone(Device.zone, func.now()), Date)
    by_date = and_(Upkeep.due_on <= here, Upkeep.warned_level < rules.DUE)
    due = Upkeep.hours.is_not(None) & or_(Upkeep.checked_at <= NEVER, fresh, by_date)
    rows = every.select(Upkeep, Device, service.used_hours()).join(Device, Device.id == Upkeep.device_id)
    rows = rows.where(Upkeep.id > after, Device.deleted_at.is_(None), due).order_by(Upkeep.id).limit(AT_ONCE)
    return rows.with_for_update(of=Upkeep, skip_locked=True)


async def _remind_batch(db: AsyncSession, after: int) -> int | None:
    """Reminds of one batch of robots; the last id that it looked at, None after the last batch."""
    rows = (await db.execute(_select_due(after))).all()
    at = now()
    for row, robot, used in rows:
        reached = _level_reached(row, used, at.astimezone(ZoneInfo(robot.zone)).date())
        if reached > row.warned_level:
            await _notify(db, row, robot, used, reached)
        row.warned_level, row.checked_at = reached, at - BACK
    return rows[-1][0].id if len(rows) == AT_ONCE else None


def _level_reached(row: Upkeep, used: float, today: date) -> int:
    return rules.level(used, row.hours) if row.kind == "consumable" else maintenance.level(row, used, today)


async def _notify(db: AsyncSession, row: Upkeep, robot: Device, used: float, reached: int) -> None:
    bound = await db.scalars(rows_of(robot).select(DeviceAccount.account_id))
    name_value = {"consumable": row.name} if row.kind == "consumable" else {"name": row.name}
    notify(
        db,
        [robot.owner_id, *bound],
        KINDS[row.kind, reached],
        NOBODY,
        robot=robot.name,
        used=round(used),
        hours=round(row.hours or 0),
        **name_value,
    )
