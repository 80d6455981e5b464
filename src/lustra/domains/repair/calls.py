"""/repair: what was wrong with robots, and what was done about it."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Change,
    Day,
    Id,
    Moment,
    Page,
    PageOf,
    SpanFilter,
    doc,
)
from lustra.domains.device.api import Blank
from lustra.domains.repair import service
from lustra.domains.repair.tables import Repair

VIEW = "device/repair"
DELETE = "device/repair/delete"


def _check_required(text: str) -> str:
    if not text:
        raise PydanticCustomError("required", "Required")
    return text


State = Literal[0, 1, 2]  # pending, processing, handled
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]
Kind = Annotated[Name, AfterValidator(_check_required)]
Detail = Annotated[Text, AfterValidator(_check_required)]
OptionalMoment = Annotated[Moment | None, Blank]
OptionalDay = Annotated[Day | None, Blank]


class RepairFilter(SpanFilter, PageOf):
    """Both dates are included; `text` is part of type, detail, plan, names, or the robot's name or number."""

    user_id: Annotated[Id | None, doc("Only records of this account and those below.")] = None
    device_id: Annotated[Id | None, doc("Only records of this robot.")] = None
    state: Annotated[State | None, doc("0 pending, 1 processing, 2 handled.")] = None
    start_date: Annotated[OptionalDay, doc("First day of the report, included.")] = None
    end_date: Annotated[OptionalDay, doc("Last day of the report, included.")] = None
    text: Annotated[str, doc("Part of type, detail, plan, names, or the robot's name or serial number.")] = Field(
        "", max_length=100
    )


class NewRepair(Wire):
    """`operator`: who reports it; without one the actor."""

    device_id: Annotated[Id, doc("The robot.")]
    type: Annotated[Kind, doc("Kind of fault, 1 to 100 characters.")]
    detail: Annotated[Detail, doc("What is wrong, 1 to 2000 characters.")]
    date: Annotated[Day, doc("Day of the fault at the robot's place, today at the latest.")]
    operator: Annotated[Name, doc("Who reports it; empty: the login name of the actor.")] = ""


class RepairChange(Change):
    """What is left out stays. With `updateTime` it is refused if somebody has changed the record since."""

    id: Annotated[Id, doc("The record.")]
    type: Annotated[Kind | None, doc("Kind of fault; null: stays.")] = None
    detail: Annotated[Detail | None, doc("What is wrong; null: stays.")] = None
    date: Annotated[OptionalDay, doc("Day of the fault; null: stays.")] = None
    operator: Annotated[Name | None, doc("Who reported it; null: stays.")] = None
    processor: Annotated[Name | None, doc("Who works on it; required from state 1 on; null: stays.")] = None
    process_time: Annotated[OptionalMoment, doc("When it was repaired, not in the future; required for state 2.")] = (
        None
    )
    process_plan: Annotated[Text | None, doc("What was done; required for state 2; null: stays.")] = None
    state: Annotated[
        State | None, doc("0 pending, 1 processing, 2 handled; one step forward at a time; null: stays.")
    ] = None
    update_time: Annotated[
        OptionalMoment,
        doc("The record's `updateTime` as it was shown: the change is refused if somebody has changed it since."),
    ] = None


class BeforeDate(Wire):
    time: Annotated[Day, doc("Records of days before this one are deleted.")]


class ClearedRepairs(Wire):
    count: Annotated[int, doc("Number of records that were deleted.")]


class RepairRow(Wire):
    """`ours`: the asker may work on it."""

    id: Annotated[int, doc("The record.")]
    device_id: Annotated[int, doc("The robot.")]
    device_code: Annotated[str, doc("The robot's name.")]
    device_serial_number: Annotated[str, doc("The robot's serial number.")]
    type: Annotated[str, doc("Kind of fault.")]
    detail: Annotated[str, doc("What is wrong.")]
    date: Annotated[date, doc("Day of the fault.")]
    operator: Annotated[str, doc("Who reported it.")]
    processor: Annotated[str, doc("Who works on it; empty: nobody yet.")]
    process_time: Annotated[datetime | None, doc("When it was repaired; null: not yet.")]
    process_plan: Annotated[str, doc("What was done.")]
    state: Annotated[State, doc("0 pending, 1 processing, 2 handled.")]
    ours: Annotated[bool, doc("Whether the asker may change and delete it.")]
    update_time: Annotated[datetime, doc("When it was last changed.")]


async def _rows(ctx: Ctx, repairs: Sequence[Repair]) -> list[RepairRow]:
    devices = await service.load_devices(ctx, repairs)
    return [
        RepairRow.model_construct(
            id=repair.id,
            device_id=repair.device_id,
            device_code=devices[repair.device_id].name,
            device_serial_number=devices[repair.device_id].serial_number,
            type=repair.type,
            detail=repair.detail,
            date=repair.date,
            operator=repair.operator,
            processor=repair.processor,
            process_time=repair.process_time,
            process_plan=repair.process_plan,
            state=repair.state,
            ours=service.may_edit(ctx.actor, repair),
            update_time=repair.updated_at,
        )
        for repair in repairs
    ]


@call("/repair/list", needs=VIEW)
async def list_repairs(ctx: Ctx, payload: RepairFilter) -> Page[RepairRow]:
    """List the repairs in scope, open ones first, then the newest."""
    filters = service.RepairQuery(
        payload.user_id, payload.device_id, payload.state, payload.start_date, payload.end_date, payload.text
    )
    repairs, total = await service.load_page(ctx, filters, payload)
    return Page(list=await _rows(ctx, repairs), page_num=pages(total, payload), total=total)


@call("/repair/insertRepair", needs=VIEW, changes=("repair",), audit="repair.insert")
async def create_repair(ctx: Ctx, payload: NewRepair) -> ById:
    """Report a fault of a robot."""
    fields = payload.model_dump(exclude={"device_id"}) | {"operator": payload.operator or ctx.actor.name}
    repair = await service.create_repair(ctx, payload.device_id, fields)
    ctx.note(id=repair.id)
    return ById(id=repair.id)


@call("/repair/updateRepair", needs=VIEW, changes=("repair",), audit="repair.update")
async def change_repair(ctx: Ctx, payload: RepairChange) -> Nothing:
    """Take over, finish or correct a repair."""
    fields = payload.model_dump(exclude={"id", "update_time"}, exclude_unset=True)
    changed = {name: value for name, value in fields.items() if value is not None or name == "process_time"}
    await service.change_repair(ctx, payload.id, changed, payload.update_time)
    return Nothing()


@call("/repair/deleteRepair", needs=DELETE, changes=("repair",), audit="repair.delete")
async def delete_repair(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a repair record."""
    await service.delete_repair(ctx, payload.id)
    return Nothing()


@call("/repair/deleteRepairBeforeDate", needs=DELETE, changes=("repair",), audit="repair.clear")
async def delete_repairs_before(ctx: Ctx, payload: BeforeDate) -> ClearedRepairs:
    """Delete all repairs reported before a day, in whatever state, and answer how many."""
    return ClearedRepairs(count=await service.delete_before(ctx, payload.time))
