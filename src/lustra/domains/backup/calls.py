"""/device: data backups of robots, what they hold, and the robots that hold them again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    CreateTime,
    DeviceId,
    DeviceName,
    Id,
    Page,
    PageOf,
    ScopeAccountId,
    SerialNumber,
    UpdateTime,
    doc,
)
from lustra.domains.backup import courier, service
from lustra.domains.backup.rules import Status
from lustra.domains.backup.tables import DataBackup

KEY = "device/dataBackup"
TOPIC = "dataBackup"

ItemKind = Literal["map", "task", "path", "group", "timetask", "elevator_timetask", "setting"]
RestoreState = Literal["sending", "waiting", "restored", "failed", "cancelled"]
Reason = Annotated[str, doc("Why it failed or waits, a key of the catalogue of reasons; empty: it did not.")]


class BackupRequest(Wire):
    """Without `id` a new backup of a robot is begun; with it `action` says what becomes of that one."""

    device_id: Annotated[Id | None, doc("The robot that is backed up; required without `id`.")] = None
    user_id: Annotated[Id | None, doc("Ignored: the robot alone says whose it is. Sent by other programs.")] = None
    id: Annotated[Id | None, doc("The backup that goes on or ends; null: a new one.")] = None
    action: Annotated[
        Literal["upload", "restart", "cancel"] | None,
        doc(
            "`upload`: upload a failed one's archive again; `restart`: pack a failed one anew; `cancel`: end an open"
            " one; required with `id`."
        ),
    ] = None


class BackupBegun(Wire):
    id: Annotated[int, doc("The backup.")]
    state: Annotated[Status, doc("Its state now.")]


class BackupRobotFilter(Wire):
    user_id: ScopeAccountId = None


class BackupRobotRow(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    online: Annotated[bool, doc("Whether it is connected now.")]
    backups: Annotated[int, doc("Number of its backups, in whatever state.")]
    last_time: Annotated[datetime | None, doc("When its newest backup was finished; null: none was.")]
    every_days: Annotated[int | None, doc("It is backed up by itself each so many days; null: it is not.")]
    before_updates: Annotated[bool, doc("Whether it is backed up before each update.")]
    keep: Annotated[int | None, doc("Of these backups the newest so many stay; null: it has no plan.")]


class BackupRobots(Wire):
    list: Annotated[list[BackupRobotRow], doc("Robots that have backups or a plan, by name.")]


class BackupFilter(PageOf):
    user_id: ScopeAccountId = None
    device_id: Annotated[Id | None, doc("Only backups of this robot; null: of all.")] = None


class RestoreRow(Wire):
    """How far a robot is that shall hold the backup."""

    id: Annotated[int, doc("The restore.")]
    device_id: DeviceId
    device_code: DeviceName
    state: Annotated[
        RestoreState,
        doc("How far it is; `waiting`: the robot has the archive, and waits for what `reason` says."),
    ]
    reason: Reason
    create_time: CreateTime
    update_time: UpdateTime


class BackupRow(Wire):
    id: Annotated[int, doc("The backup.")]
    device_id: DeviceId
    device_code: DeviceName
    device_serial_number: SerialNumber
    file_name: Annotated[str, doc("Name of the archive.")]
    size: Annotated[int, doc("Bytes of the archive; 0: it is not packed yet.")]
    sent: Annotated[int, doc("Bytes of it that have been uploaded.")]
    status: Annotated[Status, doc("How far it is.")]
    reason: Reason
    time: Annotated[datetime, doc("When it was begun.")]
    finished_time: Annotated[datetime | None, doc("When it was finished; null: it is not.")]
    planned: Annotated[bool, doc("Whether the robot's plan began it.")]
    packed: Annotated[bool, doc("Whether the robot has an archive of it that can be uploaded again.")]
    counts: Annotated[dict[ItemKind, int], doc("How many items of each kind it holds.")]
    ours: Annotated[bool, doc("Whether the asker may restore and delete it.")]
    restore: Annotated[RestoreRow | None, doc("Its newest restore; null: it was never restored.")]


class BackupItemRow(Wire):
    kind: Annotated[ItemKind, doc("What it is.")]
    name: Annotated[str, doc("Its name; of a task with its map's, `map/task`.")]


class BackupContents(Wire):
    file_name: Annotated[str, doc("Name of the archive.")]
    sha256: Annotated[str, doc("SHA-256 of the archive, in hex.")]
    format: Annotated[int, doc("Format of the archive.")]
    versions: Annotated[dict[str, str], doc("Versions of the robot when it was packed, by what they are of.")]
    list: Annotated[list[BackupItemRow], doc("All that it holds.")]


class RestoreTarget(Wire):
    id: Annotated[Id, doc("The backup.")]
    device_id: Annotated[Id, doc("The robot that shall hold it, of the same owner.")]


class RestoreDifference(BackupItemRow):
    change: Annotated[
        Literal["added", "changed", "removed"],
        doc("What the restore would do to the robot's own: add, replace or delete."),
    ]


class RestorePreview(Wire):
    list: Annotated[list[RestoreDifference], doc("All that would change on the robot, by kind and name.")]
    same: Annotated[int, doc("Number of items that the robot has already and that stay as they are.")]
    versions: Annotated[dict[str, str], doc("Versions of the robot that was backed up, by what they are of.")]
    present_versions: Annotated[dict[str, str], doc("Versions of the robot as it is now.")]


class BackupPlanChange(Wire):
    """Neither by days nor before updates: the robot has no plan any more."""

    device_id: DeviceId
    every_days: Annotated[int | None, doc("It is backed up by itself each so many days, 1 to 31; null: no more.")] = (
        Field(ge=1, le=31)
    )
    before_updates: Annotated[bool, doc("Whether no update is ordered before the robot was backed up.")] = False
    keep: Annotated[int, doc("Of these backups the newest so many stay, 1 to 50.")] = Field(5, ge=1, le=50)


async def _rows(ctx: Ctx, backups: Sequence[DataBackup]) -> list[BackupRow]:
    restores = await service.load_restores(ctx, backups)
    robots = await service.load_devices(ctx, backups) | await service.load_devices(ctx, [*restores.values()])
    return [
        BackupRow.model_construct(
            id=row.id,
            device_id=row.device_id,
            device_code=robots[row.device_id].name,
            device_serial_number=robots[row.device_id].serial_number,
            file_name=row.file_name,
            size=row.size,
            sent=row.sent,
            status=row.status,
            reason=row.reason,
            time=row.created_at,
            finished_time=row.finished_at,
            planned=row.planned,
            packed=row.sha256 != "",
            counts=row.counts,
            ours=service.may_change(ctx, row),
            restore=RestoreRow.model_construct(
                id=restore.id,
                device_id=restore.device_id,
                device_code=robots[restore.device_id].name,
                state=restore.state,
                reason=restore.reason,
                create_time=restore.created_at,
                update_time=restore.updated_at,
            )
            if (restore := restores.get(row.id))
            else None,
        )
        for row in backups
    ]


@call("/device/backup", needs=KEY, changes=(TOPIC,), audit="data_backup.step")
async def backup(ctx: Ctx, payload: BackupRequest) -> BackupBegun:
    """Begin a backup of a robot, or upload again, pack anew or cancel one."""
    ctx.note(action=payload.action or "begin")
    if payload.id is not None:
        if payload.action is None:
            raise Refusal(Code.BAD_INPUT, "action", reason="required")
        row = await service.step(ctx, payload.id, payload.action)
    elif payload.device_id is not None:
        row = await service.begin(ctx, payload.device_id)
    else:
        raise Refusal(Code.BAD_INPUT, "deviceId", reason="required")
    return BackupBegun.model_validate({"id": row.id, "state": row.status})


@call("/device/selectDeviceInfoFromDataBackup", needs=KEY, reads=(TOPIC, "state"))
async def select_backup_robots(ctx: Ctx, payload: BackupRobotFilter) -> BackupRobots:
    """List the robots that have backups or a plan."""
    return BackupRobots.model_validate({"list": await service.list_robots(ctx, payload.user_id)})


@call("/device/selectDataBackups", needs=KEY, reads=(TOPIC, "device"))
async def select_backups(ctx: Ctx, payload: BackupFilter) -> Page[BackupRow]:
    """List the backups in scope, the newest first."""
    backups, total = await service.load_page(ctx, payload.user_id, payload.device_id, payload)
    return Page(list=await _rows(ctx, backups), page_num=pages(total, payload), total=total)


@call("/device/deleteDataBackupById", needs=KEY, changes=(TOPIC, "oss"), audit="data_backup.delete")
async def delete_backup(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a backup with its archive."""
    await service.delete(ctx, payload.id)
    return Nothing()


@call("/device/selectDataBackupContents", needs=KEY, reads=(TOPIC,))
async def select_contents(ctx: Ctx, payload: ById) -> BackupContents:
    """List all that a finished backup holds."""
    row, content = await service.load_content(ctx, payload.id)
    items = sorted(content.items, key=lambda item: (item["kind"], item["name"]))
    return BackupContents(
        file_name=row.file_name,
        sha256=row.sha256,
        format=row.format,
        versions=content.versions,
        list=[BackupItemRow(kind=item["kind"], name=item["name"]) for item in items],
    )


@call("/device/previewDataBackupRestore", needs=KEY, reads=(TOPIC, "map", "task"))
async def preview_restore(ctx: Ctx, payload: RestoreTarget) -> RestorePreview:
    """List what a restore would change on a robot, which is asked for what it holds now."""
    preview = await service.preview(ctx, payload.id, payload.device_id)
    return RestorePreview(
        list=[
            RestoreDifference.model_validate({"kind": each.kind, "name": each.name, "change": each.change})
            for each in preview.changes
        ],
        same=preview.same,
        versions=dict(preview.versions),
        present_versions=dict(preview.present),
    )


@call("/device/restoreDataBackup", needs=KEY, changes=(TOPIC, "map", "task"), audit="data_backup.restore")
async def restore_backup(ctx: Ctx, payload: RestoreTarget) -> ById:
    """Make a robot hold what a backup holds, and nothing else; it waits until the robot has nothing to do."""
    return ById(id=(await service.restore(ctx, payload.id, payload.device_id)).id)


@call("/device/cancelDataBackupRestore", needs=KEY, changes=(TOPIC,), audit="data_backup.cancel_restore")
async def cancel_restore(ctx: Ctx, payload: ById) -> Nothing:
    """Cancel a restore that is not done yet."""
    await service.cancel_restore(ctx, payload.id)
    return Nothing()


@call("/device/updateDataBackupPlan", needs=KEY, changes=(TOPIC,), audit="data_backup.plan")
async def change_plan(ctx: Ctx, payload: BackupPlanChange) -> Nothing:
    """Set how often a robot is backed up by itself, whether before updates, and how many of these backups stay."""
    plan = service.Plan(payload.every_days, payload.before_updates, payload.keep)
    await service.set_plan(ctx, payload.device_id, plan)
    return Nothing()


jobs.job("backup.order")(courier.send_order)
jobs.job("backup.restore")(courier.send_restore)
jobs.job(courier.PRUNE)(courier.prune)
jobs.job("backup.silent", cron="* * * * *")(courier.end_silent)
jobs.job("backup.planned", cron="7 * * * *")(courier.begin_planned)
jobs.job("backup.purge", cron="43 3 * * *")(courier.purge)
