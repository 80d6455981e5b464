"""Data backups of robots: begun, uploaded again, packed anew, cancelled, put in place, deleted, planned.

Rules: who has a robot's owner in scope does all of this; a robot has one open backup and one open restore. A backup
goes to robots of its own owner alone, and support looks into one only while its access is open. It stays with the owner
of that time, also when the robot goes to another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import msgspec

from lustra.core import query
from lustra.core.bus import Silent
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.wire import PageOf
from lustra.domains.account.api import narrow_scope, support
from lustra.domains.backup import courier, queries, rules
from lustra.domains.backup.tables import BackupPlan, DataBackup, DataBackupContent, DataRestore
from lustra.domains.device.api import Device, Where, load_owned
from lustra.protocol.backups import BackupItem, Contents

RESTORE_WITHIN = timedelta(minutes=30)
OPEN_RESTORES = ("sending", "waiting")
Change = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Difference:
    kind: str
    name: str
    change: Change


@dataclass(frozen=True, slots=True)
class Preview:
    """What a restore would change; `same`: how many items stay as they are."""

    changes: Sequence[Difference]
    same: int
    versions: Mapping[str, str]
    present: Mapping[str, str]


async def list_robots(ctx: Ctx, user_id: int | None) -> list[dict[str, Any]]:
    scope = await narrow_scope(ctx, user_id) if user_id is not None else ctx.scope
    where = Where.of_stamped(scope, "b")
    return [dict(row) for row in await ctx.app.pool.fetch(where.sql(queries.ROBOTS), *where.values)]


async def load_page(
    ctx: Ctx, user_id: int | None, device_id: int | None, paging: PageOf
) -> tuple[Sequence[DataBackup], int]:
    """The newest first."""
    rows = ctx.scope.select(DataBackup)
    if user_id is not None:
        rows = rows.where((await narrow_scope(ctx, user_id)).below(DataBackup.owner_path))
    if device_id is not None:
        rows = rows.where(DataBackup.device_id == device_id)
    return await query.paginate(ctx.db, rows.order_by(DataBackup.id.desc()), paging)


async def load_restores(ctx: Ctx, backups: Sequence[DataBackup]) -> dict[int, DataRestore]:
    """The newest of each."""
    rows = rows_of(*backups).select(DataRestore).order_by(DataRestore.id)
    return {row.backup_id: row for row in await ctx.db.scalars(rows)}


async def load_devices(ctx: Ctx, rows: Sequence[DataBackup] | Sequence[DataRestore]) -> dict[int, Device]:
    """Also those that are another's or deleted by now."""
    return {robot.id: robot for robot in await ctx.db.scalars(rows_of(*rows).select(Device))}


def may_change(ctx: Ctx, row: DataBackup) -> bool:
    return f"{row.owner_path}.".startswith(f"{ctx.actor.path}.")


async def begin(ctx: Ctx, device_id: int) -> DataBackup:
    robot = await load_owned(ctx, device_id)
    await _demand_robot(ctx, robot)
    await _refuse_second(ctx, robot)
    row = courier.new_backup(robot)
    ctx.db.add(row)
    await ctx.db.flush()
    ctx.note(id=row.id, fileName=row.file_name)
    return row


async def step(ctx: Ctx, backup_id: int, step_: Literal["upload", "restart", "cancel"]) -> DataBackup:
    row = await _lock_backup(ctx, backup_id)
    status = rules.next_status(_status(row), step_)
    if step_ != "cancel":
        robot = await load_owned(ctx, row.device_id)
        if robot.owner_id != row.owner_id:
            raise Refusal(Code.BAD_INPUT, "id", reason="backup_other_owner")
        if step_ == "upload" and not row.sha256:
            raise Refusal(Code.BAD_INPUT, "action", reason="backup_not_packed")
        await _demand_robot(ctx, robot)
        await _refuse_second(ctx, robot)
        row.attempt, row.sent = row.attempt + 1, 0
    if step_ == "restart":
        row.size, row.sha256, row.counts = 0, "", {}
    row.status, row.reason, row.updated_at = status, "", now()
    ctx.note(id=row.id, fileName=row.file_name)
    return row


def _status(row: DataBackup) -> rules.Status:
    return msgspec.convert(row.status, rules.Status)


async def _lock_backup(ctx: Ctx, backup_id: int, field: str = "id") -> DataBackup:
    rows = ctx.scope.changeable.select(DataBackup).where(DataBackup.id == backup_id)
    return await query.fetch_one(ctx.db, rows.with_for_update(), field)


async def _demand_robot(ctx: Ctx, robot: Device) -> None:
    """It is online, and has nothing of a former owner left."""
    values = {"robot": robot.id}
    if await ctx.db.scalar(rows_of(robot).text(queries.ERASING), values):
        raise Refusal(Code.ERASING, "deviceId")
    if not await ctx.db.scalar(rows_of(robot).text(queries.ONLINE), values):
        raise Refusal(Code.OFFLINE, "deviceId")


async def _refuse_second(ctx: Ctx, robot: Device) -> None:
    rows = rows_of(robot).select(DataBackup).where(DataBackup.status.in_(rules.OPEN))
    if await ctx.db.scalar(rows):
        raise Refusal(Code.BAD_INPUT, "deviceId", reason="backup_runs")


async def delete(ctx: Ctx, backup_id: int) -> None:
    row = await _lock_backup(ctx, backup_id)
    if row.status in rules.OPEN:
        raise Refusal(Code.BAD_INPUT, "id", reason="backup_runs")
    if await ctx.db.scalar(rows_of(row).select(DataRestore).where(DataRestore.state.in_(OPEN_RESTORES))):
        raise Refusal(Code.BAD_INPUT, "id", reason="backup_restoring")
    ctx.note(id=row.id, fileName=row.file_name, deviceId=row.device_id)
    await courier.delete_archive(ctx.db, ctx.app.objects, row)


# What a backup holds, and where it goes


async def load_content(ctx: Ctx, backup_id: int) -> tuple[DataBackup, DataBackupContent]:
    """Of one that is finished. Support sees it while its access is open."""
    row = await query.fetch_one(ctx.db, ctx.scope.select(DataBackup).where(DataBackup.id == backup_id))
    await support.demand_access(ctx, support.Look("robot", row.device_id, row.file_name, row.device_id), row.owner_path)
    if row.status != "finished":
        raise Refusal(Code.BAD_INPUT, "id", reason="backup_not_finished")
    return row, await query.fetch_one(ctx.db, rows_of(row).select(DataBackupContent))


async def load_target(ctx: Ctx, row: DataBackup, device_id: int) -> Device:
    """A robot that the backup may go to: of the same owner, and online."""
    robot = await load_owned(ctx, device_id)
    if robot.owner_id != row.owner_id:
        raise Refusal(Code.BAD_INPUT, "deviceId", reason="backup_other_owner")
    await _demand_robot(ctx, robot)
    return robot


async def preview(ctx: Ctx, backup_id: int, device_id: int) -> Preview:
    """The robot itself says what it holds now."""
    row, content = await load_content(ctx, backup_id)
    robot = await load_target(ctx, row, device_id)
    try:
        answer = await ctx.app.bus.ask(robot.serial_number, "contents", Contents(), courier.ANSWERS_IN_S)
    except Silent:
        raise Refusal(Code.ROBOT_SILENT, "deviceId") from None
    if answer.get("code"):
        raise Refusal(Code.ROBOT_REFUSED, "deviceId", reason=str(answer.get("reason", "robot_failed")))
    try:
        present = msgspec.convert(answer.get("items"), list[BackupItem])
        versions = msgspec.convert(answer.get("versions"), dict[str, str])
    except msgspec.ValidationError:
        raise Refusal(Code.ROBOT_REFUSED, "deviceId", reason="robot_failed") from None
    return compare(msgspec.convert(content.items, list[BackupItem]), present, content.versions, versions)


def compare(
    backup: Sequence[BackupItem],
    present: Sequence[BackupItem],
    versions: Mapping[str, str],
    present_versions: Mapping[str, str],
) -> Preview:
    new = {(item.kind, item.name): item.digest for item in backup}
    old = {(item.kind, item.name): item.digest for item in present}
    changes = [
        *(Difference(*key, "added") for key in new.keys() - old.keys()),
        *(Difference(*key, "changed") for key in new.keys() & old.keys() if new[key] != old[key]),
        *(Difference(*key, "removed") for key in old.keys() - new.keys()),
    ]
    changes.sort(key=lambda each: (each.kind, each.name))
    same = sum(old.get(key) == digest for key, digest in new.items())
    return Preview(changes, same, versions, present_versions)


async def restore(ctx: Ctx, backup_id: int, device_id: int) -> DataRestore:
    row, _ = await load_content(ctx, backup_id)
    robot = await load_target(ctx, row, device_id)
    if await ctx.db.scalar(rows_of(robot).select(DataRestore).where(DataRestore.state.in_(OPEN_RESTORES))):
        raise Refusal(Code.BAD_INPUT, "deviceId", reason="backup_restoring")
    await ctx.app.objects.demand(row.place, "id")
    fresh = DataRestore(
        backup_id=row.id,
        device_id=robot.id,
        owner_id=row.owner_id,
        owner_path=row.owner_path,
        until=now() + RESTORE_WITHIN,
    )
    ctx.db.add(fresh)
    await ctx.db.flush()
    ctx.note(id=row.id, fileName=row.file_name, to=robot.serial_number)
    return fresh


async def cancel_restore(ctx: Ctx, restore_id: int) -> None:
    """What is in place already stays; the robot says how it ended."""
    rows = ctx.scope.changeable.select(DataRestore).where(DataRestore.id == restore_id)
    row = await query.fetch_one(ctx.db, rows.with_for_update())
    if row.state not in OPEN_RESTORES:
        raise Refusal(Code.BAD_INPUT, "id", reason="restore_over")
    row.state, row.updated_at = "cancelled", now()
    ctx.note(id=row.backup_id)


# Plans


@dataclass(frozen=True, slots=True)
class Plan:
    """Each so many days, or never, and before updates or not; the newest `keep` backups of it stay."""

    every_days: int | None
    before_updates: bool
    keep: int


def _note(plan: BackupPlan | None) -> dict[str, Any] | None:
    return plan and {"everyDays": plan.every_days, "beforeUpdates": plan.before_updates, "keep": plan.most}


async def set_plan(ctx: Ctx, device_id: int, plan: Plan) -> None:
    """One that never begins a backup is none."""
    robot = await load_owned(ctx, device_id)
    row = await ctx.db.scalar(rows_of(robot).select(BackupPlan))
    ctx.note(before=_note(row))
    if plan.every_days is None and not plan.before_updates:
        if row is not None:
            await ctx.db.delete(row)
        ctx.note(after=None)
        return
    if row is None:
        row = BackupPlan(device_id=robot.id, every_days=plan.every_days, most=plan.keep)
        ctx.db.add(row)
    row.every_days, row.before_updates, row.most = plan.every_days, plan.before_updates, plan.keep
    ctx.note(after=_note(row))
