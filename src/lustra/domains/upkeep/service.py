"""Hours of work of a robot's parts and maintenances, and what was done about them.

Rules: hours come from the robot's reports since the part was replaced (or the maintenance done), so a late report
counts where it belongs and none counts twice; a report that is cleared away leaves its hours behind (a trigger); they
go with the robot, whoever owns it. What was done is its owner's of that time.
"""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Literal
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.scope import rows_of
from lustra.domains.device.api import Device
from lustra.domains.upkeep.tables import NEVER, Upkeep, UpkeepDone

Kind = Literal["consumable", "maintenance"]
HOUR_S = 3600.0
SHOWN = 50  # of what was done, the newest


def used_hours() -> ColumnElement[float]:
    """SQL for the hours that a part has worked since it was fitted."""
    return (Upkeep.used_before + func.worked(Upkeep.device_id, Upkeep.since)) / HOUR_S


async def worked_hours(ctx: Ctx, robot: Device) -> float:
    """Hours that the robot has worked, by all of its reports."""
    return (await ctx.db.scalar(func.worked(robot.id, NEVER)) or 0.0) / HOUR_S


async def find_device(ctx: Ctx, serial: str) -> Device:
    rows = ctx.scope.select(Device).where(Device.serial_number == serial)
    return await query.fetch_one(ctx.db, rows)


async def lock_device(ctx: Ctx, serial: str) -> Device:
    """One that the actor may change; its upkeep is changed by one at a time."""
    rows = ctx.scope.changeable.select(Device).where(Device.serial_number == serial)
    return await query.fetch_one(ctx.db, rows.with_for_update())


async def load_rows(ctx: Ctx, robot: Device, kind: Kind) -> list[tuple[Upkeep, float]]:
    rows = rows_of(robot).select(Upkeep, used_hours()).where(Upkeep.kind == kind).order_by(Upkeep.id)
    return [(row, hours) for row, hours in await ctx.db.execute(rows)]


async def list_done(ctx: Ctx, robot: Device, kind: Kind) -> Sequence[UpkeepDone]:
    """The newest first, under the present owner: what was done before is another's."""
    rows = rows_of(robot).select(UpkeepDone).where(UpkeepDone.kind == kind, UpkeepDone.owner_id == robot.owner_id)
    return (await ctx.db.scalars(rows.order_by(UpkeepDone.done_at.desc(), UpkeepDone.id.desc()).limit(SHOWN))).all()


async def restart(ctx: Ctx, robot: Device, row: Upkeep, at: datetime, before: float = 0.0) -> None:
    """From then on its hours count anew, beginning with `before`; what they were is kept."""
    query = rows_of(row).select(used_hours(), func.worked(Upkeep.device_id, at) / HOUR_S)
    worked, later = (await ctx.db.execute(query)).one()
    ctx.db.add(
        UpkeepDone(
            device_id=robot.id,
            owner_id=robot.owner_id,
            owner_path=robot.owner_path,
            kind=row.kind,
            name=row.name,
            done_at=at,
            used=max(0.0, worked - later),
            hours=row.hours,
            by_id=ctx.actor.real_id,
            by_name=ctx.actor.name,
        )
    )
    row.since, row.used_before = at, before * HOUR_S
    row.warned_level, row.checked_at = 0, NEVER


def local_today(robot: Device) -> date:
    """Today's date at the robot's site."""
    return datetime.now(ZoneInfo(robot.zone)).date()


def local_day(robot: Device, at: datetime) -> date | None:
    return None if at <= NEVER else at.astimezone(ZoneInfo(robot.zone)).date()


def period_start(robot: Device, day: date) -> datetime:
    """Of that day where it stands; of today, this moment: what it worked in the morning, it did before."""
    return now() if day == local_today(robot) else datetime.combine(day, time(), ZoneInfo(robot.zone))


def latest_update(robot: Device, rows: Sequence[tuple[Upkeep, float]]) -> datetime:
    """The `updateTime` of them all."""
    return max((row.updated_at for row, _ in rows), default=robot.created_at)
