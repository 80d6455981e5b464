"""/repair: what was wrong with robots, and what was done about it."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core.query import pages
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Day, Id, Moment, Page, PageOf
from lustra.domains.device.rules import Blank
from lustra.domains.repair import service
from lustra.domains.repair.tables import Repair

VIEW, DELETE = "device/repair", "device/repair/delete"


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


class RepairFilter(PageOf):
    """Both dates are included; `text` is part of type, detail, plan, names, or the robot's name or number."""

    user_id: Id | None = None
    device_id: Id | None = None
    state: State | None = None
    start_date: OptionalDay = None
    end_date: OptionalDay = None
    text: str = Field("", max_length=100)


class NewRepair(Wire):
    """`operator`: who reports it; without one the actor."""

    device_id: Id
    type: Kind
    detail: Detail
    date: Day
    operator: Name = ""


class RepairChange(Wire):
    """What is not told stays. With `updateTime` it is refused if somebody has changed the record since."""

    id: Id
    type: Kind | None = None
    detail: Detail | None = None
    date: OptionalDay = None
    operator: Name | None = None
    processor: Name | None = None
    process_time: OptionalMoment = None
    process_plan: Text | None = None
    state: State | None = None
    update_time: OptionalMoment = None


class BeforeDate(Wire):
    time: Day


class ClearedRepairs(Wire):
    count: int


class RepairRow(Wire):
    """`ours`: the asker may work on it."""

    id: int
    device_id: int
    device_code: str
    device_serial_number: str
    type: str
    detail: str
    date: date
    operator: str
    processor: str
    process_time: datetime | None
    process_plan: str
    state: State
    ours: bool
    update_time: datetime


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
