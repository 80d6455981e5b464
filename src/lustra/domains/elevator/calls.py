"""/elevator: the registry of elevators."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from lustra.core.query import pages
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Page, PageOf, Title
from lustra.domains.account.rules import Phone
from lustra.domains.elevator import rules, service
from lustra.domains.elevator.tables import Elevator

KEY = "elevator/index"


class ElevatorFilter(PageOf):
    """`keyword` in name, code, building or address."""

    user_id: int | None = None
    keyword: str = Field("", max_length=100)


class ElevatorFields(Wire):
    """`floor`: the floors that it serves, by comma, from the lowest up. `provider` 0: the built-in virtual one."""

    elevator_name: Title
    code: rules.Text = ""
    building_name: Title
    building_address: rules.LongText = ""
    contact_name: rules.Text = ""
    contact_phone: Phone = ""
    group_id: int | None = Field(None, ge=0, le=1_000_000)
    size: rules.Text = ""
    floor: rules.Floors
    position: rules.Text = ""
    provider: rules.Provider = rules.VIRTUAL
    module_id: rules.Text = ""
    robot_id: rules.Text = ""
    server: rules.Server = ""


class NewElevator(ElevatorFields):
    """`userId`: whose it is; without it one's own. `secret`: what its server asks for; it is never told again."""

    secret: rules.Secret = None
    user_id: int | None = None


class ElevatorChange(ElevatorFields):
    """With `updateTime` it is refused if somebody has changed the elevator since. Without `secret` it stays, as long as
    provider and server do."""

    secret: rules.Secret = None
    elevator_id: int
    update_time: datetime | None = None


class OneElevator(Wire):
    elevator_id: int


class ElevatorRow(ElevatorFields):
    """`providerName` is empty for the built-in one; `adapted`: Lustra can move it; `robots`: how many ride it."""

    elevator_id: int
    user_id: int
    user_name: str
    provider_name: str
    adapted: bool
    has_secret: bool
    robots: int
    update_time: datetime


async def _rows(ctx: Ctx, found: Sequence[Elevator]) -> list[ElevatorRow]:
    owners = await service.owners(ctx, found)
    used = (await service.in_use(ctx, [one.id for one in found])).counts
    fields = ElevatorFields.model_fields
    return [
        ElevatorRow.model_construct(
            **{name: getattr(one, name) for name in fields},
            elevator_id=one.id, user_id=one.account_id, user_name=owners.get(one.account_id, ""),
            provider_name=rules.PROVIDERS.get(one.provider, ""), adapted=one.provider in rules.ADAPTED,
            has_secret=one.secret is not None, robots=used.get(one.id, 0),
            update_time=one.updated_at,
        )
        for one in found
    ]  # fmt: skip


@call("/elevator/list", needs=(KEY, "device/index"))
async def elevators(ctx: Ctx, wanted: ElevatorFilter) -> Page[ElevatorRow]:
    """The elevators in scope, by building."""
    found, total = await service.page(ctx, wanted.user_id, wanted.keyword, wanted)
    return Page(list=await _rows(ctx, found), page_num=pages(total, wanted), total=total)


@call("/elevator/selectInfoByElevatorId", needs=KEY)
async def select_info(ctx: Ctx, wanted: OneElevator) -> ElevatorRow:
    """One elevator."""
    [row] = await _rows(ctx, [await service.elevator(ctx, wanted.elevator_id)])
    return row


@call("/elevator/insertElevator", needs=KEY, changes=("elevator",), audit="elevator.insert")
async def insert_elevator(ctx: Ctx, told: NewElevator) -> OneElevator:
    """An elevator of one's own, or of an account below."""
    made = await service.make(ctx, told.user_id, told.model_dump(exclude={"user_id", "secret"}), told.secret)
    ctx.note(elevatorId=made.id)
    return OneElevator(elevator_id=made.id)


@call("/elevator/updateElevator", needs=KEY, changes=("elevator",), audit="elevator.update")
async def update_elevator(ctx: Ctx, told: ElevatorChange) -> Nothing:
    """All that is written of it; its owner stays."""
    fields = told.model_dump(exclude={"elevator_id", "update_time", "secret"})
    await service.change(ctx, told.elevator_id, fields, told.secret, told.update_time)
    return Nothing()


@call("/elevator/deleteElevator", needs=KEY, changes=("elevator",), audit="elevator.delete")
async def delete_elevator(ctx: Ctx, told: OneElevator) -> Nothing:
    """Refused while robots ride it."""
    await service.remove(ctx, told.elevator_id)
    return Nothing()
