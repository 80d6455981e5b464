"""Logs on their way from a robot to the server.

Rules: what lies on a robot is sent up when somebody asks for it, while the robot is connected and there is room for it;
it is uploading, then synchronised or failed, and failed it may be asked for again. Who gives no sign for so long has
failed. What was cancelled, or failed, is not taken when it comes after all.
"""

from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.bus import Silent
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.domains.account.api import support
from lustra.domains.device.api import Device
from lustra.domains.device_log import queries
from lustra.domains.device_log.mirror import AS_ROBOTS, KINDS
from lustra.domains.device_log.recordings import convert_later
from lustra.domains.device_log.rules import LARGEST
from lustra.domains.device_log.tables import DeviceLog
from lustra.domains.storage.api import RobotFileStored, upload_url
from lustra.protocol.files import LogKind, SendFile

ANSWERS_IN_S = 8.0
SILENT_AFTER = timedelta(minutes=3)
EVERY = system("of all robots")


async def find_robot(ctx: Ctx, serial_number: str) -> Device:
    """A robot that the actor sees."""
    robots = ctx.scope.select(Device).where(Device.serial_number == serial_number)
    return await query.fetch_one(ctx.db, robots, "device_unknown")


async def demand_connection(ctx: Ctx, robot: Device) -> None:
    if await ctx.db.scalar(rows_of(robot).text(queries.ONLINE), {"robot": robot.id}) is None:
        raise Refusal(Code.OFFLINE)


async def start(ctx: Ctx, serial_number: str, kind: LogKind, name: str) -> int:
    """Ask the robot for the file; the number of the log."""
    robot = await find_robot(ctx, serial_number)
    rows = ctx.scope.select(DeviceLog).where(
        DeviceLog.device_id == robot.id, DeviceLog.kind == kind, DeviceLog.name == name, DeviceLog.on_robot
    )
    row = await query.fetch_one(ctx.db, rows.with_for_update(), "log_unknown")
    await support.demand_access(ctx, support.Look("log", row.id, row.name, row.device_id), row.owner_path)
    if row.upload_state == "uploading":
        raise Refusal(Code.BAD_INPUT, "name", reason="upload_uploading")
    if row.upload_state == "synchronised":
        raise Refusal(Code.BAD_INPUT, "name", reason="upload_synchronised")
    if row.size > LARGEST:
        raise Refusal(Code.TOO_LARGE, "name", limit=f"{LARGEST >> 20} MB")
    ctx.app.objects.demand_space(row.size)
    await demand_connection(ctx, robot)
    row.upload_state, row.reason, row.have, row.upload_size, row.active_at = "uploading", "", 0, row.size, now()
    ctx.note(deviceId=robot.id)
    ctx.after_commit(partial(order, ctx.app, robot.serial_number, kind, row.id, name))
    return row.id


async def order(app: Services, sn: str, kind: LogKind, number: int, name: str) -> None:
    """The robot may begin at once, so the row stands before it hears of it."""
    command = SendFile(kind=kind, number=number, name=name, url=upload_url(app, kind, number), largest=LARGEST)
    try:
        answer = await app.bus.ask(sn, "sendfile", command, ANSWERS_IN_S)
    except Silent:
        await app.pool.execute(AS_ROBOTS.sql(queries.FAIL), number, "upload_silent")
        return
    if answer.get("code"):
        await app.pool.execute(AS_ROBOTS.sql(queries.FAIL), number, str(answer.get("reason") or "robot_failed")[:64])
        return
    at = answer.get("at")
    await app.pool.execute(AS_ROBOTS.sql(queries.START), number, at if isinstance(at, int) else 0)


async def cancel(ctx: Ctx, log_id: int) -> None:
    rows = ctx.scope.select(DeviceLog).where(DeviceLog.id == log_id)
    row = await query.fetch_one(ctx.db, rows.with_for_update(), "log_unknown")
    if row.upload_state != "uploading":
        raise Refusal(Code.BAD_INPUT, "id", reason="upload_over")
    row.upload_state, row.reason = "failed", "upload_cancelled"
    robot = await query.fetch_one(ctx.db, rows_of(row).select(Device))
    ctx.note(deviceId=robot.id, name=row.name)
    ctx.after_commit(partial(_drop, ctx.app, robot.serial_number, row.kind, row.id))


async def _drop(app: Services, sn: str, kind: Any, number: int) -> None:
    """A robot that does not hear it sends what nobody takes."""
    try:
        await app.bus.ask(sn, "sendfile", SendFile(kind=kind, number=number, drop=True), ANSWERS_IN_S)
    except Silent:
        return


async def on_file_stored(db: AsyncSession, file: RobotFileStored) -> None:
    """The bytes of an upload are there, whole."""
    if file.kind not in KINDS:
        return
    rows = AS_ROBOTS.select(DeviceLog).where(DeviceLog.id == file.number)
    row = await db.scalar(rows.where(DeviceLog.upload_state == "uploading").with_for_update())
    if row is None:
        return
    file.owner_id, file.former = row.owner_id, row.place
    stored = file.stored
    row.place, row.stored_size, row.sha256, row.stored_at = stored.path, stored.size, stored.sha256, now()
    row.upload_state, row.reason, row.have, row.upload_size = "synchronised", "", stored.size, stored.size
    row.size = stored.size
    if row.kind == "rosbag":
        await convert_later(db, row)


async def end_silent(app: Services) -> None:
    """Each minute."""
    await app.pool.execute(EVERY.sql(queries.FAIL_SILENT), SILENT_AFTER)
