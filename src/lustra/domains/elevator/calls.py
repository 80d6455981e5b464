"""/elevator: the registry of elevators."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from lustra.core.query import pages
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Id, Moment, Page, PageOf, Title
from lustra.domains.account.rules import Phone
from lustra.domains.elevator import rides, rules, service
from lustra.domains.elevator.tables import Elevator

KEY = "elevator/index"


class ElevatorFilter(PageOf):
    """`keyword` in name, code, building or address."""

    user_id: Id | None = None
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
    user_id: Id | None = None


class ElevatorChange(ElevatorFields):
    """With `updateTime` it is refused if somebody has changed the elevator since. Without `secret` it stays, as long as
    provider and server do."""

    secret: rules.Secret = None
    elevator_id: Id
    update_time: Moment | None = None


class OneElevator(Wire):
    elevator_id: Id


class Service(OneElevator):
    """`out`: no robot rides it from now on."""

    out: bool
    reason: rules.Reason


class Release(OneElevator):
    reason: rules.Reason


class RidesOf(PageOf):
    elevator_id: Id


class RideRow(Wire):
    """`phase` and `reason` as the robots' bus tells them; `reason` "done": it has arrived."""

    ride_id: int
    device_code: str
    device_serial_number: str
    from_floor: str
    to_floor: str
    phase: str
    reason: str
    asked_at: datetime
    boarded_at: datetime | None
    ended_at: datetime | None


class LiveView(Wire):
    """How it stands now, as `lustra lifts` sees it; all empty before its first ride. Robots by their names: who holds
    it, who stands in the cabin, who waits. `trouble`: why it does not do what it is told."""

    floor: str
    bound: str
    door: str
    phase: str
    holder: str
    occupant: str
    queue: list[str]
    trouble: str


class ElevatorRow(ElevatorFields):
    """`providerName` is empty for the built-in one; `adapted`: Lustra can move it; `robots`: how many ride it."""

    elevator_id: int
    user_id: int
    user_name: str
    provider_name: str
    adapted: bool
    has_secret: bool
    robots: int
    out_of_service: bool
    out_reason: str
    live: LiveView
    update_time: datetime


async def _rows(ctx: Ctx, found: Sequence[Elevator]) -> list[ElevatorRow]:
    owners = await service.owners(ctx, found)
    used = (await service.in_use(ctx, [one.id for one in found])).counts
    called = await rides.names(ctx, found)
    fields = ElevatorFields.model_fields
    return [
        ElevatorRow.model_construct(
            **{name: getattr(one, name) for name in fields},
            elevator_id=one.id, user_id=one.account_id, user_name=owners.get(one.account_id, ""),
            provider_name=rules.PROVIDERS.get(one.provider, ""), adapted=one.provider in rules.ADAPTED,
            has_secret=one.secret is not None, robots=used.get(one.id, 0),
            out_of_service=one.out_of_service, out_reason=one.out_reason, live=_live(one.live, called),
            update_time=one.updated_at,
        )
        for one in found
    ]  # fmt: skip


def _live(told: dict[str, Any], called: dict[str, str]) -> LiveView:
    plain = {name: str(told.get(name, "")) for name in LiveView.model_fields}
    named = {name: called.get(plain[name], plain[name]) for name in ("holder", "occupant")}
    return LiveView.model_validate(plain | named | {"queue": [called.get(sn, sn) for sn in told.get("queue", [])]})


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


@call("/elevator/setService", needs=KEY, changes=("elevator",), audit="elevator.service")
async def set_service(ctx: Ctx, told: Service) -> Nothing:
    """Take an elevator from the robots, or give it back."""
    await rides.set_service(ctx, told.elevator_id, out=told.out, reason=told.reason)
    return Nothing()


@call("/elevator/release", needs=KEY, changes=("elevator",), audit="elevator.release")
async def release_elevator(ctx: Ctx, told: Release) -> Nothing:
    """End what holds it: its cabin is empty."""
    await rides.release(ctx, told.elevator_id, told.reason)
    return Nothing()


@call("/elevator/rides", needs=KEY)
async def elevator_rides(ctx: Ctx, wanted: RidesOf) -> Page[RideRow]:
    """Who rode it when, and what came of it."""
    found, total = await rides.page(ctx, wanted.elevator_id, wanted)
    rows = [
        RideRow(
            ride_id=one.id, device_code=one.name, device_serial_number=one.sn, from_floor=one.from_floor,
            to_floor=one.to_floor, phase=one.phase, reason=one.reason, asked_at=one.created_at,
            boarded_at=one.boarded_at, ended_at=one.ended_at,
        )
        for one in found
    ]  # fmt: skip
    return Page(list=rows, page_num=pages(total, wanted), total=total)
