"""Orders of backups on their way to robots, and the archives that come.

Rules: the database enqueues an order in the transaction that decides on it; one that is outdated meanwhile is not sent.
A robot that does not answer, or says nothing more for SILENT_AFTER, has failed: nothing waits for ever. An archive
counts once it lies here with the size and the checksum that the robot said when it had packed it.
"""

from datetime import timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, quota
from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.files.addresses import fetch_url
from lustra.core.files.objects import Objects
from lustra.core.scope import rows_of
from lustra.domains.backup import queries, rules
from lustra.domains.backup.queries import EVERY
from lustra.domains.backup.tables import BackupPlan, DataBackup, DataRestore
from lustra.domains.device.api import Device
from lustra.domains.storage.api import RobotFileStored, folder_of, upload_url
from lustra.protocol.backups import Backup, Restore

FOLDER = folder_of("backup")
PRUNE = "backup.prune"
ANSWERS_IN_S = 10.0
LINK_S = 30 * 60.0  # that a URL opens an archive: as long as a restore may take
SILENT_AFTER = timedelta(minutes=3)
LATE_AFTER = timedelta(minutes=2)  # beyond the end that a robot knows
UNUSED = timedelta(days=1)

log = structlog.get_logger(__name__)


def build_order(app: Services, row: DataBackup) -> Backup:
    if row.status == "packing":
        return Backup(number=row.id, attempt=row.attempt, action="pack")
    if row.status == "uploading":
        url = upload_url(app, "backup", row.id)
        return Backup(number=row.id, attempt=row.attempt, action="upload", url=url, sha256=row.sha256)
    return Backup(number=row.id, attempt=row.attempt, action="drop")


async def send_order(app: Services, backup: int, attempt: int, status: str) -> None:
    """One try; a robot that is away fails the backup, and a person begins it again."""
    async with app.sessions() as db:
        rows = EVERY.select(DataBackup).where(DataBackup.id == backup, DataBackup.attempt == attempt)
        row = await db.scalar(rows.where(DataBackup.status == status))
        if row is None:
            return
        robot = (await db.scalars(rows_of(row).select(Device))).one()
        sn, order = robot.serial_number, build_order(app, row)
    reason = await _ask(app, sn, "backup", order)
    if reason and status != "cancelled":
        failed = EVERY.update(DataBackup).where(DataBackup.id == backup, DataBackup.attempt == attempt)
        async with app.sessions.begin() as db:
            await db.execute(
                failed.where(DataBackup.status == status).values(status="failed", reason=reason, updated_at=now())
            )


async def send_restore(app: Services, restore: int, state: str) -> None:
    async with app.sessions() as db:
        row = await db.scalar(EVERY.select(DataRestore).where(DataRestore.id == restore, DataRestore.state == state))
        if row is None:
            return
        robot = (await db.scalars(rows_of(row).select(Device))).one()
        backup = (await db.scalars(rows_of(row).select(DataBackup))).one()
        sn, order = robot.serial_number, build_restore(app, row, backup)
    reason = await _ask(app, sn, "restore", order)
    if reason and state == "sending":
        failed = EVERY.update(DataRestore).where(DataRestore.id == restore, DataRestore.state == state)
        async with app.sessions.begin() as db:
            await db.execute(failed.values(state="failed", reason=reason, updated_at=now()))


def build_restore(app: Services, row: DataRestore, backup: DataBackup) -> Restore:
    if row.state == "cancelled":
        return Restore(number=row.id, drop=True)
    return Restore(
        number=row.id,
        url=fetch_url(app.settings, app.objects, backup.place, LINK_S),
        size=backup.size,
        sha256=backup.sha256,
        until=round(row.until.timestamp() * 1000),
    )


async def _ask(app: Services, sn: str, name: str, order: Backup | Restore) -> str:
    """Why the robot does not obey; empty: it does."""
    try:
        answer = await app.bus.ask(sn, name, order, ANSWERS_IN_S)
    except Silent:
        return "robot_silent"
    if answer.get("code"):
        log.warning("backup.refused", sn=sn, reason=answer.get("reason"))
        return str(answer.get("reason") or "robot_failed")[:64]
    return ""


async def on_file_stored(db: AsyncSession, file: RobotFileStored) -> None:
    """The archive of an upload that is still waited for, as the robot said when it had packed it."""
    if file.kind != "backup":
        return
    rows = EVERY.select(DataBackup).where(DataBackup.id == file.number, DataBackup.status == "uploading")
    row = await db.scalar(rows.with_for_update())
    stored = file.stored
    if row is None or (stored.size, stored.sha256) != (row.size, row.sha256):
        return
    file.owner_id = row.owner_id
    row.place, row.sent, row.reason = stored.path, stored.size, ""
    row.status = rules.next_status("uploading", "stored")
    row.finished_at = row.updated_at = now()
    if row.planned:
        await jobs.later(db, PRUNE, device=row.device_id, owner=row.owner_id)


async def prune(app: Services, device: int, owner: int) -> None:
    """Of those that the plan made, the newest so many stay."""
    async with app.sessions.begin() as db:
        plan = await db.scalar(EVERY.select(BackupPlan).where(BackupPlan.device_id == device))
        if plan is None:
            return
        planned = EVERY.select(DataBackup).where(
            DataBackup.device_id == device, DataBackup.owner_id == owner, DataBackup.planned
        )
        rows = planned.where(DataBackup.status == "finished").order_by(DataBackup.id.desc())
        for row in await db.scalars(rows.offset(plan.most)):
            await delete_archive(db, app.objects, row)


async def delete_archive(db: AsyncSession, objects: Objects, row: DataBackup) -> None:
    """The row first: what a failure leaves of the bytes goes at night."""
    await quota.release(db, [row.place])
    await db.delete(row)
    await db.flush()
    if row.place:
        await objects.delete(row.place)


async def end_silent(app: Services) -> None:
    """Each minute."""
    await app.pool.execute(EVERY.sql(queries.END_SILENT), list(rules.OPEN), SILENT_AFTER)
    await app.pool.execute(EVERY.sql(queries.END_LATE), LATE_AFTER)


async def begin_planned(app: Services) -> None:
    """Each hour, of robots that are online; one that was away is backed up when it is back."""
    for due in await app.pool.fetch(EVERY.sql(queries.DUE_PLANS), list(rules.OPEN)):
        async with app.sessions.begin() as db:  # of each alone: somebody may begin one himself
            robots = await db.scalars(EVERY.select(Device).where(Device.id == due["device_id"]))
            db.add_all([new_backup(robot, planned=True) for robot in robots])


def new_backup(robot: Device, *, planned: bool = False) -> DataBackup:
    return DataBackup(
        device_id=robot.id,
        owner_id=robot.owner_id,
        owner_path=robot.owner_path,
        file_name=f"{robot.serial_number}-{now():%Y%m%d-%H%M%S}.zip",
        planned=planned,
    )


async def purge(app: Services) -> None:
    """Each night: archives whose row is gone."""
    async for places in app.objects.older(FOLDER, now() - UNUSED):
        used = {row["place"] for row in await app.pool.fetch(EVERY.sql(queries.PLACES_IN_USE), places)}
        for place in set(places) - used:
            await app.objects.delete(place)
        async with app.sessions.begin() as db:
            await quota.release(db, set(places) - used)
