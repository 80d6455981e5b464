"""/warn/snoozeWarn, /warn/listSnoozes, /warn/endSnooze: alarms that are put off."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import DeviceName, Id, Moment, SerialNumber, doc
from lustra.domains.alarm import snoozes
from lustra.domains.alarm.service import LISTS

RELEASE = "warn/index/warn/resume"
LONGEST_MIN = 30 * 24 * 60


class Snooze(Wire):
    device_serial_number: Annotated[str, doc("Serial number of the robot, 1 to 32 letters, digits and - _ ..")] = Field(
        min_length=1, max_length=32
    )
    warn_id: Annotated[Id | None, doc("Only what this alarm of it is about; null: all its alarms.")] = None
    minutes: Annotated[int, doc("For how long, 5 min to 30 days.")] = Field(ge=5, le=LONGEST_MIN)
    since: Annotated[
        Moment | None,
        doc(
            "When it begins, at most a year ahead: maintenance that is planned. Null, or a time that is past: at once."
        ),
    ] = None
    note: Annotated[str, doc("Why, at most 200 characters.")] = Field("", max_length=200)


class SnoozeEnd(Wire):
    until: Annotated[datetime, doc("When it ends.")]


class SnoozeId(Wire):
    id: Annotated[Id, doc("Number of the snooze.")]


class SnoozeRow(Wire):
    id: Annotated[int, doc("Number of the snooze.")]
    device_id: Annotated[int, doc("Number of the robot.")]
    device_code: DeviceName
    device_serial_number: SerialNumber
    code: Annotated[str, doc("Code or event that is put off; empty: all of the robot.")]
    content: Annotated[str, doc("What the code means, in the session's language; empty: all of the robot.")]
    since: Annotated[datetime, doc("When it begins, or began.")]
    begun: Annotated[bool, doc("Whether it has begun.")]
    until: Annotated[datetime, doc("When it ends.")]
    by: Annotated[str, doc("Who put it off; empty: the account is deleted.")]
    note: Annotated[str, doc("Why; empty: not known.")]


class Snoozes(Wire):
    list: Annotated[list[SnoozeRow], doc("What is put off, or will be, the first to end first.")]


@call("/warn/snoozeWarn", needs=RELEASE, changes=("warn",), audit="warn.snooze")
async def snooze_alarms(ctx: Ctx, payload: Snooze) -> SnoozeEnd:
    """Snooze the alarms of a robot, or those of one code, at once or from a time on."""
    row = await snoozes.snooze(
        ctx, payload.device_serial_number, payload.warn_id, payload.minutes, payload.note.strip(), since=payload.since
    )
    return SnoozeEnd(until=row.until)


@call("/warn/listSnoozes", needs=LISTS, reads=("warn",))
async def list_snoozes(ctx: Ctx) -> Snoozes:
    """List the alarms in scope that are put off."""
    return Snoozes(list=[SnoozeRow.model_validate(row) for row in await snoozes.load(ctx)])


@call("/warn/endSnooze", needs=RELEASE, changes=("warn",), audit="warn.wake")
async def end_snooze(ctx: Ctx, payload: SnoozeId) -> Nothing:
    """End a snooze: what still is there notifies at once."""
    await snoozes.end_early(ctx, payload.id)
    return Nothing()
