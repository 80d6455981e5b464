"""Lists of logs, and how they are deleted.

Rules: dates are whole days at the robot's site, the first within the last seven; a log is deleted here alone, a
recording or a navigation log on its robot and here. What is on its way is not deleted. Nothing is deleted that nobody
named: one log, files of a robot by name, or what is older than a day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import get_args

from sqlalchemy import ColumnElement, Date, cast, func

from lustra.core import query, quota
from lustra.core.bus import Silent
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.wire import PageOf
from lustra.domains.account.api import narrow_scope
from lustra.domains.device.api import Device, Where, load_device
from lustra.domains.device_log import queries
from lustra.domains.device_log.recordings import FOLDER as RECORDINGS
from lustra.domains.device_log.rules import refuse_start
from lustra.domains.device_log.tables import DeviceLog
from lustra.domains.device_log.upload import ANSWERS_IN_S, EVERY, demand_connection, find_robot
from lustra.domains.storage.api import folder_of
from lustra.protocol.files import DeleteFiles, LogKind

UNUSED = timedelta(days=1)  # far longer than a transaction that enters a copy takes


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Both days are included."""

    kind: LogKind
    user_id: int | None = None
    device_id: int | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class LogView:
    log: DeviceLog
    robot: Device


def day_of_log() -> ColumnElement[date]:
    """Of a log at its robot's site."""
    return cast(func.timezone(Device.zone, DeviceLog.time), Date)


async def load_todays(ctx: Ctx, device_id: int | None = None) -> tuple[date, date]:
    """The days that it is at the robots' sites: the first and the last."""
    where = Where.of_robots(ctx.scope)
    if device_id is not None:
        where.add("d.id = {}", device_id)
    row = await ctx.app.pool.fetchrow(where.sql(queries.TODAYS), *where.values)
    utc = now().date()
    return (row["first"] or utc, row["last"] or utc)


async def load_page(ctx: Ctx, filters: LogQuery, paging: PageOf) -> tuple[Sequence[LogView], int]:
    """The newest first."""
    scope = await narrow_scope(ctx, filters.user_id)
    if filters.device_id is not None:
        await load_device(ctx, filters.device_id)
    refuse_start(filters.since, await load_todays(ctx, filters.device_id))
    rows = scope.select(DeviceLog).where(DeviceLog.kind == filters.kind)
    if filters.device_id is not None:
        rows = rows.where(DeviceLog.device_id == filters.device_id)
    if filters.since or filters.until:
        rows = rows.join(Device, Device.id == DeviceLog.device_id)
        rows = rows.where(day_of_log() >= filters.since) if filters.since else rows
        rows = rows.where(day_of_log() <= filters.until) if filters.until else rows
    logs, total = await query.paginate(ctx.db, rows.order_by(DeviceLog.time.desc(), DeviceLog.id.desc()), paging)
    robots = {robot.id: robot for robot in await ctx.db.scalars(rows_of(*logs).select(Device))}
    return [LogView(log, robots[log.device_id]) for log in logs], total


async def list_files(ctx: Ctx, serial_number: str, kind: LogKind) -> list[LogView]:
    """Of a robot, the newest first."""
    robot = await find_robot(ctx, serial_number)
    rows = ctx.scope.select(DeviceLog).where(DeviceLog.device_id == robot.id, DeviceLog.kind == kind)
    logs = await ctx.db.scalars(rows.order_by(DeviceLog.time.desc(), DeviceLog.id.desc()))
    return [LogView(log, robot) for log in logs]


async def list_uploads(ctx: Ctx, serial_number: str) -> list[LogView]:
    """What of a robot is on its way, has come, or has failed; the newest first."""
    robot = await find_robot(ctx, serial_number)
    rows = ctx.scope.select(DeviceLog).where(DeviceLog.device_id == robot.id, DeviceLog.upload_state != "")
    logs = await ctx.db.scalars(rows.order_by(DeviceLog.active_at.desc(), DeviceLog.id.desc()))
    return [LogView(log, robot) for log in logs]


async def delete_log(ctx: Ctx, log_id: int) -> None:
    """The copy here. What its robot still has can be sent up again."""
    rows = ctx.scope.changeable.select(DeviceLog).where(DeviceLog.id == log_id)
    row = await query.fetch_one(ctx.db, rows.with_for_update(), "log_unknown")
    _refuse_running([row])
    if not row.place:
        raise Refusal(Code.BAD_INPUT, "id", reason="log_not_stored")
    ctx.note(deviceId=row.device_id, name=row.name, kind=row.kind)
    await _delete_copies(ctx, [row])


async def delete_before(ctx: Ctx, user_id: int | None, before: date, kind: LogKind | None) -> int:
    """The copies here of logs from before that day; how many there were."""
    _, today = await load_todays(ctx)
    if before > today:
        raise Refusal(Code.BAD_INPUT, "time", reason="date_future")
    scope = await narrow_scope(ctx, user_id)
    rows = scope.changeable.select(DeviceLog).join(Device, Device.id == DeviceLog.device_id)
    rows = rows.where(DeviceLog.place != "", DeviceLog.upload_state != "uploading", day_of_log() < before)
    if kind:
        rows = rows.where(DeviceLog.kind == kind)
    logs = list(await ctx.db.scalars(rows.with_for_update(of=DeviceLog)))
    await _delete_copies(ctx, logs)
    ctx.note(count=len(logs))
    return len(logs)


async def delete_files(ctx: Ctx, serial_number: str, kind: LogKind, names: list[str]) -> list[str]:
    """On the robot, and the copies here. The names of those that are gone from it: what it is writing stays."""
    robot = await find_robot(ctx, serial_number)
    rows = ctx.scope.changeable.select(DeviceLog).where(
        DeviceLog.device_id == robot.id, DeviceLog.kind == kind, DeviceLog.name.in_(names)
    )
    logs = list(await ctx.db.scalars(rows.with_for_update()))
    if {log.name for log in logs} != set(names):
        raise Refusal(Code.NOT_FOUND, "names", reason="log_unknown")
    _refuse_running(logs)
    await demand_connection(ctx, robot)
    try:
        answer = await ctx.app.bus.ask(
            robot.serial_number, "deletefiles", DeleteFiles(kind=kind, names=names), ANSWERS_IN_S
        )
    except Silent:
        raise Refusal(Code.ROBOT_SILENT) from None
    deleted = answer.get("deleted")
    if answer.get("code") or not isinstance(deleted, list):
        raise Refusal(Code.ROBOT_REFUSED, reason=str(answer.get("reason") or "robot_failed"))
    absent = [log for log in logs if log.name in deleted]
    for log in absent:
        log.on_robot = False
    await _delete_copies(ctx, absent)
    ctx.note(deviceId=robot.id, count=len(absent))
    return [log.name for log in absent]


def _refuse_running(logs: Sequence[DeviceLog]) -> None:
    if any(log.upload_state == "uploading" for log in logs):
        raise Refusal(Code.BAD_INPUT, reason="upload_uploading")


async def _delete_copies(ctx: Ctx, logs: Sequence[DeviceLog]) -> None:
    """What a robot still has stays in its list, as not sent up."""
    places = [log.place for log in logs if log.place]
    copies = [log.recording_place for log in logs if log.recording_place]
    for log in logs:
        if log.on_robot:
            log.place, log.sha256, log.stored_size, log.stored_at, log.upload_state = "", "", 0, None, ""
            log.recording_state, log.recording_reason, log.recording_place, log.recording = "", "", "", None
        else:
            await ctx.db.delete(log)
    await quota.release(ctx.db, places)
    for place in [*places, *copies]:
        ctx.after_commit(partial(ctx.app.objects.delete, place))


async def purge(app: Services) -> None:
    """Copies that no log names any more. A nightly job."""
    for folder in (*map(folder_of, get_args(LogKind)), RECORDINGS):
        async for places in app.objects.older(folder, now() - UNUSED):
            await _delete_unused(app, places)


async def _delete_unused(app: Services, places: list[str]) -> None:
    used = await app.pool.fetch(EVERY.sql(queries.PLACES_IN_USE), places)
    unused = set(places) - {row["place"] for row in used}
    for place in unused:
        await app.objects.delete(place)
    async with app.sessions.begin() as db:
        await quota.release(db, unused)
