"""/deviceLog: logs and recordings of robots, how they are sent up, and how they are deleted."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator

from lustra.core import jobs, texts
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Commas,
    Day,
    DeviceId,
    DeviceName,
    Id,
    Page,
    PageOf,
    ScopeAccountId,
    SerialNumber,
    SpanFilter,
    doc,
    none_if_blank,
    to_moment,
)
from lustra.domains.device_log import reading, service, upload
from lustra.domains.device_log.rules import PAGE
from lustra.domains.device_log.service import LogQuery, LogView
from lustra.protocol.files import MOST_FILES, LogKind

LOGS = PAGE
READS = ("deviceLog", "device")
CENT = 100

FileName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=128)]
UploadState = Literal["", "uploading", "synchronised", "failed"]
RecordingState = Literal["", "converting", "ready", "failed"]


class LogListFilter(PageOf, SpanFilter):
    user_id: ScopeAccountId = None
    device_id: Annotated[Id | None, doc("Only of this robot; null: of all in scope.")] = None
    start_date: Annotated[Day | None, doc("First day at the robot's site, today or one of the last seven.")] = None
    end_date: Annotated[Day | None, doc("Last day at the robot's site, included; null: up to today.")] = None

    _blank = field_validator("device_id", "start_date", "end_date", mode="before")(none_if_blank)


class KindOfLog(Wire):
    kind: Annotated[LogKind, doc("The robot's own logs, or another kind.")] = "device"


class DeviceLogFilter(LogListFilter, KindOfLog):
    """Logs of the robots in scope."""


class RobotOfLogs(Wire):
    device_serial_number: SerialNumber


class RecordedAlarmCode(Wire):
    code: Annotated[str, doc("Code of the alarm, 1 to 64 characters.")]
    content: Annotated[str, doc("What it means, in the session's language; of an unknown code the code itself.")]


class RecordingTrigger(Wire):
    """Why a robot made a recording, and where."""

    by: Annotated[Literal["alarm", "order"], doc("`alarm`: by itself, `order`: because somebody asked for it.")]
    time: Annotated[datetime, doc("When it was raised, or asked for.")]
    alarms: Annotated[list[RecordedAlarmCode], doc("Alarms that were raised in it or open as it began.")]
    map_name: Annotated[str, doc("Map on which the robot stood; empty: none was loaded.")]
    x: Annotated[float | None, doc("Where it stood on that map, m; null: not known.")]
    y: Annotated[float | None, doc("Where it stood on that map, m; null: not known.")]


class DeviceLogRow(Wire):
    """A file of a robot, or the copy of one."""

    id: Annotated[int, doc("Number of the log.")]
    device_id: DeviceId
    device_code: DeviceName
    device_serial_number: SerialNumber
    kind: Annotated[LogKind, doc("Log of the robot, of its screen, recording of its sensors, or of its drives.")]
    name: Annotated[str, doc("Name of the file.")]
    size: Annotated[int, doc("Bytes on the robot, or of the copy where the robot has it no more.")]
    time: Annotated[datetime, doc("When its newest line was written.")]
    on_robot: Annotated[bool, doc("Whether the robot still has it.")]
    upload_state: Annotated[UploadState, doc("How far the upload is; empty: not sent up as it is now.")]
    progress: Annotated[int, doc("How much of it has gone, in %.")]
    reason: Annotated[str, doc("Why it failed, a key of the robots' catalogue of reasons; empty: it did not.")]
    stored: Annotated[bool, doc("Whether there is a copy here.")]
    stored_time: Annotated[datetime | None, doc("When the copy came; null: there is none.")]
    recording_state: Annotated[RecordingState, doc("How far a recording is made fit to be looked at; empty: none.")]
    recording_reason: Annotated[str, doc("Why it cannot be looked at, in words; empty: it can, or is none.")]
    trigger: Annotated[RecordingTrigger | None, doc("Why the robot made this recording; null: it did not say.")]


class LogList(Wire):
    list: Annotated[list[DeviceLogRow], doc("The files, the newest first.")]


class UploadRow(Wire):
    id: Annotated[int, doc("Number of the log.")]
    kind: Annotated[LogKind, doc("Kind of the file.")]
    name: Annotated[str, doc("Name of the file.")]
    state: Annotated[UploadState, doc("How far it is.")]
    progress: Annotated[int, doc("How much of it has gone, in %.")]
    reason: Annotated[str, doc("Why it failed, a key of the robots' catalogue of reasons; empty: it did not.")]


class UploadList(Wire):
    list: Annotated[list[UploadRow], doc("Uploads of the robot, the newest first.")]


class UploadOrder(RobotOfLogs):
    name: Annotated[FileName, doc("Name of the file, 1 to 128 characters.")]
    kind: Annotated[LogKind, doc("Kind of the file.")]


class FilesToDelete(RobotOfLogs):
    names: Annotated[Commas[FileName], doc(f"Names of the files, 1 to {MOST_FILES}.")] = Field(
        min_length=1, max_length=MOST_FILES
    )
    kind: Annotated[Literal["rosbag", "navlog"], doc("Recordings of sensors, or logs of drives.")]


class DeletedFiles(Wire):
    names: Annotated[list[str], doc("Names of the files that are gone; what a robot is writing stays.")]


class LogsToDelete(Wire):
    user_id: ScopeAccountId = None
    time: Annotated[Day, doc("Logs from before this day at the robot's site are deleted, not after today.")]
    kind: Annotated[LogKind | None, doc("Only of this kind; null: of all.")] = None

    _blank = field_validator("kind", mode="before")(none_if_blank)


class DeletedLogs(Wire):
    count: Annotated[int, doc("Number of logs that were deleted.")]


class LogSearch(ById):
    text: Annotated[str, doc("Only lines that have these words, at most 100 characters; empty: all.")] = Field(
        "", max_length=100
    )
    offset: Annotated[int, doc("Where to begin, in bytes: `nextOffset` of the answer before.")] = Field(
        0, ge=0, le=1 << 50
    )


class LogLine(Wire):
    offset: Annotated[int, doc("Where it begins, in bytes.")]
    text: Annotated[str, doc("The line, at most 2,000 characters of it.")]


class LogLines(Wire):
    list: Annotated[list[LogLine], doc("The lines, at most 200, in their order.")]
    next_offset: Annotated[int | None, doc("Where the rest begins, in bytes; null: there is no more.")]


def _progress(view: LogView) -> int:
    log = view.log
    if log.upload_state == "synchronised":
        return CENT
    return min(CENT - 1, CENT * log.have // log.upload_size) if log.upload_state and log.upload_size else 0


def _render_trigger(trigger: dict[str, Any], language: str) -> dict[str, Any]:
    codes = dict.fromkeys(alarm["code"] for alarm in trigger["alarms"])
    return {
        "by": trigger["by"],
        "time": to_moment(trigger["at"]),
        "alarms": [{"code": code, "content": texts.name_alarm(code, language)} for code in codes],
        "map_name": trigger["map"],
        "x": trigger["x"],
        "y": trigger["y"],
    }


def render_log(view: LogView, language: str) -> DeviceLogRow:
    log, robot = view.log, view.robot
    reason = log.recording_reason
    return DeviceLogRow.model_validate(
        {
            "id": log.id,
            "device_id": log.device_id,
            "device_code": robot.name,
            "device_serial_number": robot.serial_number,
            "kind": log.kind,
            "name": log.name,
            "size": log.size,
            "time": log.time,
            "on_robot": log.on_robot,
            "upload_state": log.upload_state,
            "progress": _progress(view),
            "reason": log.reason,
            "stored": bool(log.place),
            "stored_time": log.stored_at,
            "recording_state": log.recording_state,
            "recording_reason": reason and texts.say(language, f"input.{reason}"),
            "trigger": log.trigger and _render_trigger(log.trigger, language),
        }
    )


def _upload_row(view: LogView) -> UploadRow:
    log = view.log
    return UploadRow.model_validate(
        {
            "id": log.id,
            "kind": log.kind,
            "name": log.name,
            "state": log.upload_state,
            "progress": _progress(view),
            "reason": log.reason,
        }
    )


def _query(payload: LogListFilter, kind: LogKind) -> LogQuery:
    return LogQuery(kind, payload.user_id, payload.device_id, payload.start_date, payload.end_date)


async def _page(ctx: Ctx, payload: LogListFilter, kind: LogKind) -> Page[DeviceLogRow]:
    views, total = await service.load_page(ctx, _query(payload, kind), payload)
    return Page(list=[render_log(view, ctx.language) for view in views], page_num=pages(total, payload), total=total)


async def _list_files(ctx: Ctx, payload: RobotOfLogs, kind: LogKind) -> LogList:
    views = await service.list_files(ctx, payload.device_serial_number, kind)
    return LogList(list=[render_log(view, ctx.language) for view in views])


@call("/deviceLog/list", needs=LOGS, reads=READS)
async def list_logs(ctx: Ctx, payload: DeviceLogFilter) -> Page[DeviceLogRow]:
    """List logs of robots, the newest first."""
    return await _page(ctx, payload, payload.kind)


@call("/deviceLog/listPad", needs=LOGS, reads=READS)
async def list_pad_logs(ctx: Ctx, payload: LogListFilter) -> Page[DeviceLogRow]:
    """List logs of the robots' screens, the newest first."""
    return await _page(ctx, payload, "pad")


@call("/deviceLog/rosbagList", needs=LOGS, reads=READS)
async def list_recordings(ctx: Ctx, payload: RobotOfLogs) -> LogList:
    """List the recordings of a robot's sensors, the newest first."""
    return await _list_files(ctx, payload, "rosbag")


@call("/deviceLog/navlogList", needs=LOGS, reads=READS)
async def list_navigation_logs(ctx: Ctx, payload: RobotOfLogs) -> LogList:
    """List the logs of a robot's drives, the newest first."""
    return await _list_files(ctx, payload, "navlog")


@call("/deviceLog/getUpLoadStatus", needs=LOGS, reads=READS)
async def list_uploads(ctx: Ctx, payload: RobotOfLogs) -> UploadList:
    """List how far the uploads of a robot are, the newest first."""
    views = await service.list_uploads(ctx, payload.device_serial_number)
    return UploadList(list=[_upload_row(view) for view in views])


@call("/deviceLog/upLoadFile", needs=LOGS, changes=("deviceLog",), audit="device_log.upload")
async def upload_log(ctx: Ctx, payload: UploadOrder) -> ById:
    """Ask a robot to send a file up; after a failure, again."""
    return ById(id=await upload.start(ctx, payload.device_serial_number, payload.kind, payload.name))


@call("/deviceLog/cancleUploadFile", needs=LOGS, changes=("deviceLog",), audit="device_log.cancel")
async def cancel_upload(ctx: Ctx, payload: ById) -> Nothing:
    """Cancel an upload: it has failed, and may be asked for again."""
    await upload.cancel(ctx, payload.id)
    return Nothing()


@call("/deviceLog/rosAndNavDelete", needs=LOGS, changes=("deviceLog",), audit="device_log.delete_on_robot")
async def delete_files(ctx: Ctx, payload: FilesToDelete) -> DeletedFiles:
    """Delete recordings or logs of drives on their robot, and their copies here."""
    names = sorted(set(payload.names))
    return DeletedFiles(names=await service.delete_files(ctx, payload.device_serial_number, payload.kind, names))


@call("/deviceLog/deleteDeviceLog", needs=LOGS, changes=("deviceLog",), audit="device_log.delete")
async def delete_log(ctx: Ctx, payload: ById) -> Nothing:
    """Delete the copy of a log here; what its robot still has may be sent up again."""
    await service.delete_log(ctx, payload.id)
    return Nothing()


@call("/deviceLog/deleteDeviceLogByDate", needs=LOGS, changes=("deviceLog",), audit="device_log.delete_before")
async def delete_logs(ctx: Ctx, payload: LogsToDelete) -> DeletedLogs:
    """Delete the copies of logs from before a day."""
    return DeletedLogs(count=await service.delete_before(ctx, payload.user_id, payload.time, payload.kind))


@call("/deviceLog/read", needs=LOGS, reads=("support",), audit="device_log.read")
async def read_log(ctx: Ctx, payload: LogSearch) -> LogLines:
    """Read the copy of a text log, or search it."""
    page = await reading.read_lines(ctx, payload.id, payload.text.strip(), payload.offset)
    lines = [LogLine(offset=line.offset, text=line.text) for line in page.lines]
    return LogLines(list=lines, next_offset=page.next)


@call("/deviceLog/downloadUrl", needs=LOGS, audit="device_log.download")
async def sign_download_url(ctx: Ctx, payload: ById) -> str:
    """Answer a URL that opens the copy of a log for a minute."""
    return await reading.sign_copy(ctx, payload.id)


jobs.job("deviceLog.silent", cron="* * * * *")(upload.end_silent)
jobs.job("deviceLog.purge", cron="33 3 * * *")(service.purge)
