"""Recordings of sensors of all robots, by what they were made for and where.

Rule: a place is one of a map's, so many metres around it; a code is that of an alarm that was raised in the recording
or open as it began. Days are those of the robots' sites, both included.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.wire import PageOf
from lustra.domains.account.api import narrow_scope
from lustra.domains.device.api import Device, load_device
from lustra.domains.device_log.service import LogView, day_of_log
from lustra.domains.device_log.tables import DeviceLog


@dataclass(frozen=True, slots=True)
class RecordingQuery:
    """`x`, `y`: within so many metres of there, on `map_name`. `triggered`: only what an alarm or an order made."""

    user_id: int | None
    device_id: int | None
    code: str
    building: str
    map_name: str
    x: float | None
    y: float | None
    within: float
    triggered: bool
    since: date | None
    until: date | None


async def load_recordings(ctx: Ctx, filters: RecordingQuery, paging: PageOf) -> tuple[Sequence[LogView], int]:
    """The newest first."""
    if (filters.x is None) != (filters.y is None) or (filters.x is not None and not filters.map_name):
        raise Refusal(Code.BAD_INPUT, "mapName" if filters.map_name == "" else "y", reason="required")
    scope = await narrow_scope(ctx, filters.user_id)
    rows = scope.select(DeviceLog).join(Device, Device.id == DeviceLog.device_id).where(DeviceLog.kind == "rosbag")
    if filters.device_id is not None:
        await load_device(ctx, filters.device_id)
        rows = rows.where(DeviceLog.device_id == filters.device_id)
    if filters.building:
        rows = rows.where(Device.address == filters.building)
    if filters.triggered:
        rows = rows.where(DeviceLog.trigger.is_not(None))
    if filters.code:
        rows = rows.where(DeviceLog.trigger.contains({"alarms": [{"code": filters.code}]}))
    if filters.map_name:
        rows = rows.where(DeviceLog.trigger.contains({"map": filters.map_name}))
    if filters.x is not None and filters.y is not None:
        away = [DeviceLog.trigger[name].as_float() - value for name, value in (("x", filters.x), ("y", filters.y))]
        rows = rows.where(func.sqrt(away[0] * away[0] + away[1] * away[1]) <= filters.within)
    if filters.since:
        rows = rows.where(day_of_log() >= filters.since)
    if filters.until:
        rows = rows.where(day_of_log() <= filters.until)
    logs, total = await query.paginate(ctx.db, rows.order_by(DeviceLog.time.desc(), DeviceLog.id.desc()), paging)
    robots = {robot.id: robot for robot in await ctx.db.scalars(rows_of(*logs).select(Device))}
    return [LogView(log, robots[log.device_id]) for log in logs], total
