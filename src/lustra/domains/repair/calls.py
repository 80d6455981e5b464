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


def _required(told: str) -> str:
    if not told:
        raise PydanticCustomError("required", "Required")
    return told


State = Literal[0, 1, 2]  # pending, processing, handled
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]
Kind = Annotated[Name, AfterValidator(_required)]
Detail = Annotated[Text, AfterValidator(_required)]
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


class Cleared(Wire):
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


async def _rows(ctx: Ctx, found: Sequence[Repair]) -> list[RepairRow]:
    robots = await service.robots(ctx, found)
    return [
        RepairRow.model_construct(
            id=one.id, device_id=one.device_id, device_code=robots[one.device_id].name,
            device_serial_number=robots[one.device_id].serial_number, type=one.type, detail=one.detail, date=one.date,
            operator=one.operator, processor=one.processor, process_time=one.process_time,
            process_plan=one.process_plan, state=one.state, ours=service.ours(ctx.actor, one),
            update_time=one.updated_at,
        )
        for one in found
    ]  # fmt: skip


@call("/repair/list", needs=VIEW)
async def repairs(ctx: Ctx, wanted: RepairFilter) -> Page[RepairRow]:
    """The records in scope: open ones first, then the newest."""
    asked = service.Wanted(
        wanted.user_id, wanted.device_id, wanted.state, wanted.start_date, wanted.end_date, wanted.text
    )
    found, total = await service.page(ctx, asked, wanted)
    return Page(list=await _rows(ctx, found), page_num=pages(total, wanted), total=total)


@call("/repair/insertRepair", needs=VIEW, changes=("repair",), audit="repair.insert")
async def insert_repair(ctx: Ctx, told: NewRepair) -> ById:
    """Something is wrong with a robot."""
    fields = told.model_dump(exclude={"device_id"}) | {"operator": told.operator or ctx.actor.name}
    made = await service.report(ctx, told.device_id, fields)
    ctx.note(id=made.id)
    return ById(id=made.id)


@call("/repair/updateRepair", needs=VIEW, changes=("repair",), audit="repair.update")
async def update_repair(ctx: Ctx, told: RepairChange) -> Nothing:
    """Takes it over, finishes it, or corrects it."""
    fields = told.model_dump(exclude={"id", "update_time"}, exclude_unset=True)
    wanted = {name: value for name, value in fields.items() if value is not None or name == "process_time"}
    await service.change(ctx, told.id, wanted, told.update_time)
    return Nothing()


@call("/repair/deleteRepair", needs=DELETE, changes=("repair",), audit="repair.delete")
async def delete_repair(ctx: Ctx, told: ById) -> Nothing:
    """One record."""
    await service.remove(ctx, told.id)
    return Nothing()


@call("/repair/deleteRepairBeforeDate", needs=DELETE, changes=("repair",), audit="repair.clear")
async def delete_repair_before_date(ctx: Ctx, told: BeforeDate) -> Cleared:
    """All that were reported before that day, in whatever state; answers how many."""
    return Cleared(count=await service.clear(ctx, told.time))
