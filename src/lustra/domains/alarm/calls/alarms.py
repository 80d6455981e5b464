"""/warn: alarms and their release."""

from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field

from lustra.core.calls.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.query import bounded, pages
from lustra.core.wire import (
    BuildingName,
    Commas,
    Day,
    DeviceId,
    DeviceName,
    DeviceZone,
    FloorName,
    Id,
    Moment,
    Page,
    PageOf,
    ScopeAccountId,
    SerialNumber,
    SpanFilter,
    doc,
)
from lustra.domains.account.api import narrow_scope
from lustra.domains.alarm import service, taking
from lustra.domains.alarm.service import LISTS
from lustra.domains.device.api import Where

CENTRE = "warn/index/warn"
SUMS = (CENTRE, "device/warnSummary")
AlarmType = Literal[1, 2]
AlarmCode = Annotated[str, doc("Code or event, 1 to 64 characters, as `0x0610` or `offline`.")]
AlarmTypeField = Annotated[AlarmType, doc("1 reminder, 2 alarm.")]
AlarmLevel = Annotated[int, doc("Level: 1 information, 2 minor, 3 major, 4 critical.")]
AlarmText = Annotated[str, doc("What the code means, in the session's language; of an unknown code the code itself.")]


class AlarmRow(Wire):
    warn_id: Annotated[int, doc("Number of the alarm.")]
    device_id: Annotated[int, doc("Number of the robot.")]
    device_serial_number: SerialNumber
    device_code: DeviceName
    protocol_version: Annotated[int, doc("Version of the robot's own calls, 1 or more.")]
    building: BuildingName
    floor: FloorName
    zone: DeviceZone
    code: AlarmCode
    type: AlarmTypeField
    level: AlarmLevel
    content: AlarmText
    state: Annotated[int, doc("0 unknown (nobody has decided on its code), 1 unresolved, 2 resolved.")]
    count: Annotated[int, doc("How often it was raised, 1 or more.")]
    time: Annotated[datetime, doc("When it was raised first.")]
    last_time: Annotated[datetime, doc("When it was raised last.")]
    cleared_time: Annotated[datetime | None, doc("When its cause was gone; null: it is not.")]
    resolve_date: Annotated[datetime | None, doc("When it was resolved; null: it is open.")]
    resolved_by: Annotated[str, doc("Who resolved it; empty: nobody, its cause is gone.")]
    taken_user_id: Annotated[int | None, doc("Account that is on it; null: none.")]
    taken_by: Annotated[str, doc("Who is on it; empty: nobody.")]
    taken_time: Annotated[datetime | None, doc("Since when somebody is on it; null: nobody is.")]
    snoozed_until: Annotated[datetime | None, doc("Until when it is put off; null: it is not.")]
    group_id: Annotated[int | None, doc("Number of the group of alarms of one cause; null: it stands alone.")]
    group_cause: Annotated[
        Literal["", "node", "network", "elevator", "building"],
        doc(
            "`node`: a transfer node that is gone, `network`: that of a site, `elevator`: one that does not come,"
            " `building`: several robots of a building; empty: no group."
        ),
    ]
    group_name: Annotated[str, doc("Name of the node, the elevator or the building of its group; empty: none.")]
    group_count: Annotated[int, doc("Number of alarms of its group, 0: it stands alone.")]
    detail: Annotated[str, doc("What the robot said of it; empty: nothing.")]
    map_name: Annotated[str, doc("Map on which the robot stood; empty: not known.")]
    map_id: Annotated[int | None, doc("Number of that map of the robot's; null: it is not known here.")]
    run: Annotated[str, doc("The robot's id of the run that was under way; empty: none.")]
    x: Annotated[float | None, doc("Where it stood on that map, m; null: not known.")]
    y: Annotated[float | None, doc("Where it stood on that map, m; null: not known.")]
    yaw: Annotated[float | None, doc("Where it looked, rad, counter-clockwise from x; null: not known.")]


class AlarmSpan(SpanFilter):
    user_id: ScopeAccountId = None
    device_ids: Annotated[Commas[Id] | None, doc("Only of these robots, at most 1000; null: all.")] = Field(
        None, max_length=1000
    )
    start_date: Annotated[Day | None, doc("First day at the robot's place, included; null: from the first.")] = None
    end_date: Annotated[Day | None, doc("Last day at the robot's place, included; null: up to today.")] = None


class AlarmFilter(AlarmSpan, PageOf):
    warn_id: Annotated[Id | None, doc("Only this alarm; null: all.")] = None
    device_id: Annotated[Id | None, doc("Only of this robot; null: all.")] = None
    code: Annotated[str, doc("Only of this code, at most 64 characters; empty: all.")] = Field("", max_length=64)
    level: Annotated[Literal[1, 2, 3, 4] | None, doc("Only of this level; null: all.")] = None
    type: Annotated[AlarmType | None, doc("Only of this type; null: all.")] = None
    state: Annotated[Literal[0, 1, 2] | None, doc("Only of this state; null: all.")] = None
    run: Annotated[str, doc("Only of the run with this id of the robot's, at most 256 characters; empty: all.")] = (
        Field("", max_length=256)
    )
    group: Annotated[Id | None, doc("Only of the group with this number; null: all.")] = None


class UnprocessedFilter(Wire):
    user_id: ScopeAccountId = None
    device_id: Annotated[Id | None, doc("Only of this robot; null: all.")] = None


class OpenAlarms(Wire):
    """`count` may be more than are listed."""

    list: Annotated[list[AlarmRow], doc("The open alarms, the gravest and newest first, at most 100.")]
    count: Annotated[int, doc("Number of all open alarms.")]
    taken: Annotated[int, doc("Number of those that somebody is on.")]
    newest: Annotated[
        int, doc("Number of the newest open alarm, 0: none is open. A larger one than before: a new alarm.")
    ]


class NewAlarmFilter(Wire):
    time: Annotated[Moment | None, doc("Only alarms raised after this; null: all. Not looked at with `warnId`.")] = None
    user_id: Annotated[
        Id | None, doc("Only what is in the scope of this account; null: in one's own. `userID` in the specification.")
    ] = Field(None, validation_alias=AliasChoices("userID", "userId"))
    warn_id: Annotated[Id | None, doc("Only alarms after this one; null: by `time`.")] = None


class NewAlarms(Wire):
    list: Annotated[list[AlarmRow], doc("New alarms, the oldest first, at most 100.")]
    count: Annotated[int, doc("Number of alarms listed.")]


class ChartDay(Wire):
    date: Annotated[date, doc("Day at the robots' places.")]
    type: AlarmTypeField
    level: AlarmLevel
    count: Annotated[int, doc("Number of alarms that were raised then.")]


class AlarmChart(Wire):
    list: Annotated[list[ChartDay], doc("Days, types and levels that have alarms, the first day first.")]


class CodeSummary(Wire):
    code: AlarmCode
    content: AlarmText
    type: AlarmTypeField
    level: Annotated[int, doc("The gravest level: 1 information, 2 minor, 3 major, 4 critical.")]
    count: Annotated[int, doc("Number of alarms.")]
    open: Annotated[int, doc("Number of those that are open.")]
    devices: Annotated[int, doc("Number of robots that had it.")]


class DeviceAlarmSummary(Wire):
    device_id: Annotated[int, doc("Number of the robot.")]
    device_code: DeviceName
    device_serial_number: SerialNumber
    count: Annotated[int, doc("Number of alarms.")]
    open: Annotated[int, doc("Number of those that are open.")]


class AlarmSummary(Wire):
    devices: Annotated[list[DeviceAlarmSummary], doc("Robots by number of alarms, the most first, at most 100.")]
    list: Annotated[list[CodeSummary], doc("Codes by number of alarms, the most frequent first.")]


class AlarmRelease(Wire):
    device_serial_number: Annotated[str, doc("Serial number of the robot, 1 to 32 letters, digits and - _ ..")] = Field(
        min_length=1, max_length=32
    )
    warn_id: Annotated[Id | None, doc("Only this alarm of it; null: all that are open.")] = None


class AlarmTaking(Wire):
    device_serial_number: Annotated[str, doc("Serial number of the robot, 1 to 32 letters, digits and - _ ..")] = Field(
        min_length=1, max_length=32
    )
    warn_id: Annotated[Id, doc("Number of the alarm.")]
    on: Annotated[bool, doc("true: the account is on it, in place of whoever was; false: nobody is any more.")]


class ReleasedAlarms(Wire):
    count: Annotated[int, doc("Number of alarms that were resolved.")]


class AlarmDeletion(Wire):
    time: Annotated[Moment, doc("Alarms that were raised before this are deleted; those that are open stay.")]
    device_id: DeviceId


class DeletedAlarms(Wire):
    count: Annotated[int, doc("Number of alarms that were deleted.")]


def _rows(rows: list[Any], ctx: Ctx) -> list[dict[str, Any]]:
    return [service.render(dict(row), ctx.language) for row in rows]


async def _build_where(ctx: Ctx, payload: AlarmSpan, **more: Any) -> Where:
    given: dict[str, Any] = {"device_ids": payload.device_ids, "since": payload.start_date, "until": payload.end_date}
    return service.build_where(await narrow_scope(ctx, payload.user_id), **given | more)


@call("/warn/list", needs=LISTS, reads=("warn",))
async def list_alarms(ctx: Ctx, payload: AlarmFilter) -> Fast[Page[AlarmRow]]:
    """List the alarms in scope, the newest first."""
    devices = [payload.device_id] if payload.device_id else payload.device_ids
    where = await _build_where(
        ctx,
        payload,
        alarm_id=payload.warn_id,
        device_ids=devices,
        code=payload.code.strip(),
        level=payload.level,
        type_=payload.type,
        state=payload.state,
        run=payload.run,
        group=payload.group,
    )
    async with ctx.app.pool.acquire() as db:
        total = await service.count_alarms(db, where)
        bounded(total, payload)
        rows = await service.load_page(db, where, payload.page_size, payload.current_page)
    return Fast({"list": _rows(rows, ctx), "pageNum": pages(total, payload), "total": total})


@call("/warn/listUnProcess", needs=LISTS, reads=("warn",))
async def list_open_alarms(ctx: Ctx, payload: UnprocessedFilter) -> Fast[OpenAlarms]:
    """List the open alarms in scope, and count all of them."""
    scope = await narrow_scope(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        answer = await service.load_open(db, scope, payload.device_id)
    return Fast(answer | {"list": _rows(answer["list"], ctx)})


@call("/warn/now", needs=LISTS, reads=("warn",))
async def list_new_alarms(ctx: Ctx, payload: NewAlarmFilter) -> Fast[NewAlarms]:
    """List the alarms in scope since an alarm or a time."""
    scope = await narrow_scope(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        rows = await service.load_new(db, scope, payload.warn_id, payload.time)
    return Fast({"list": _rows(rows, ctx), "count": len(rows)})


@call("/warn/chart", needs=SUMS, reads=("warn",))
async def chart_alarms(ctx: Ctx, payload: AlarmSpan) -> Fast[AlarmChart]:
    """Count the alarms in scope by day, type and level, of the last seven days where none are named."""
    since, until = service.last_days(datetime.now(UTC).date(), payload.start_date, payload.end_date)
    where = await _build_where(ctx, payload, since=since, until=until)
    async with ctx.app.pool.acquire() as db:
        rows = await service.load_chart(db, where)
    return Fast({"list": [dict(row) for row in rows]})


@call("/warn/warnSummary", needs=SUMS, reads=("warn",))
async def sum_alarms(ctx: Ctx, payload: AlarmSpan) -> Fast[AlarmSummary]:
    """Count the alarms in scope by code and by robot."""
    where = await _build_where(ctx, payload)
    async with ctx.app.pool.acquire() as db:
        codes = await service.load_summary(db, where)
        devices = await service.load_summary_of_devices(db, where)
    return Fast({"list": _rows(codes, ctx), "devices": [dict(row) for row in devices]})


@call("/warn/resumeWarn", needs="warn/index/warn/resume", changes=("warn",), audit="warn.resume")
async def release_alarms(ctx: Ctx, payload: AlarmRelease) -> ReleasedAlarms:
    """Mark the open alarms of a robot, or one of them, as resolved."""
    return ReleasedAlarms(count=await service.release(ctx, payload.device_serial_number, payload.warn_id))


@call("/warn/takeWarn", needs="warn/index/warn/resume", changes=("warn",), audit="warn.take")
async def take_alarm(ctx: Ctx, payload: AlarmTaking) -> Nothing:
    """Take an open alarm and the others of its group, so that others see who is on them, or give them back."""
    await taking.take(ctx, payload.device_serial_number, payload.warn_id, on=payload.on)
    return Nothing()


@call("/warn/deleteWarn", needs="device/warn/delete", changes=("warn",), audit="warn.delete")
async def delete_alarms(ctx: Ctx, payload: AlarmDeletion) -> DeletedAlarms:
    """Delete the resolved alarms of a robot from before a time."""
    return DeletedAlarms(count=await service.delete_before(ctx, payload.device_id, payload.time))
