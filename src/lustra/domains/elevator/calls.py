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


class ElevatorRef(Wire):
    elevator_id: Id


class ServiceChange(ElevatorRef):
    """`out`: no robot rides it from now on."""

    out: bool
    reason: rules.Reason


class ElevatorRelease(ElevatorRef):
    reason: rules.Reason


class RideFilter(PageOf):
    elevator_id: Id


class ElevatorRideRow(Wire):
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


class ElevatorLiveView(Wire):
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
    live: ElevatorLiveView
    update_time: datetime


async def _build_rows(ctx: Ctx, elevators: Sequence[Elevator]) -> list[ElevatorRow]:
    owners = await service.load_owner_names(ctx, elevators)
    users = (await service.find_users(ctx, [elevator.id for elevator in elevators])).counts
    robot_names = await rides.load_robot_names(ctx, elevators)
    fields = ElevatorFields.model_fields
    return [
        ElevatorRow.model_construct(
            **{name: getattr(elevator, name) for name in fields},
            elevator_id=elevator.id,
            user_id=elevator.account_id,
            user_name=owners.get(elevator.account_id, ""),
            provider_name=rules.PROVIDERS.get(elevator.provider, ""),
            adapted=elevator.provider in rules.ADAPTED,
            has_secret=elevator.secret is not None,
            robots=users.get(elevator.id, 0),
            out_of_service=elevator.out_of_service,
            out_reason=elevator.out_reason,
            live=_build_live(elevator.live, robot_names),
            update_time=elevator.updated_at,
        )
        for elevator in elevators
    ]


def _build_live(live: dict[str, Any], robot_names: dict[str, str]) -> ElevatorLiveView:
    texts = {name: str(live.get(name, "")) for name in ElevatorLiveView.model_fields}
    named = {name: robot_names.get(texts[name], texts[name]) for name in ("holder", "occupant")}
    return ElevatorLiveView.model_validate(
        texts | named | {"queue": [robot_names.get(sn, sn) for sn in live.get("queue", [])]}
    )


@call("/elevator/list", needs=(KEY, "device/index"))
async def list_elevators(ctx: Ctx, payload: ElevatorFilter) -> Page[ElevatorRow]:
    """The elevators in scope, by building."""
    page, total = await service.list_page(ctx, payload.user_id, payload.keyword, payload)
    return Page(list=await _build_rows(ctx, page), page_num=pages(total, payload), total=total)


@call("/elevator/selectInfoByElevatorId", needs=KEY)
async def select_elevator(ctx: Ctx, payload: ElevatorRef) -> ElevatorRow:
    """One elevator."""
    [row] = await _build_rows(ctx, [await service.load_elevator(ctx, payload.elevator_id)])
    return row


@call("/elevator/insertElevator", needs=KEY, changes=("elevator",), audit="elevator.insert")
async def insert_elevator(ctx: Ctx, payload: NewElevator) -> ElevatorRef:
    """An elevator of one's own, or of an account below."""
    elevator = await service.create(
        ctx, payload.user_id, payload.model_dump(exclude={"user_id", "secret"}), payload.secret
    )
    ctx.note(elevatorId=elevator.id)
    return ElevatorRef(elevator_id=elevator.id)


@call("/elevator/updateElevator", needs=KEY, changes=("elevator",), audit="elevator.update")
async def update_elevator(ctx: Ctx, payload: ElevatorChange) -> Nothing:
    """All that is written of it; its owner stays."""
    fields = payload.model_dump(exclude={"elevator_id", "update_time", "secret"})
    await service.change(ctx, payload.elevator_id, fields, payload.secret, payload.update_time)
    return Nothing()


@call("/elevator/deleteElevator", needs=KEY, changes=("elevator",), audit="elevator.delete")
async def delete_elevator(ctx: Ctx, payload: ElevatorRef) -> Nothing:
    """Refused while robots ride it."""
    await service.remove(ctx, payload.elevator_id)
    return Nothing()


@call("/elevator/setService", needs=KEY, changes=("elevator",), audit="elevator.service")
async def set_service(ctx: Ctx, payload: ServiceChange) -> Nothing:
    """Take an elevator from the robots, or give it back."""
    await rides.set_service(ctx, payload.elevator_id, out=payload.out, reason=payload.reason)
    return Nothing()


@call("/elevator/release", needs=KEY, changes=("elevator",), audit="elevator.release")
async def release_elevator(ctx: Ctx, payload: ElevatorRelease) -> Nothing:
    """End what holds it: its cabin is empty."""
    await rides.release(ctx, payload.elevator_id, payload.reason)
    return Nothing()


@call("/elevator/rides", needs=KEY)
async def list_rides(ctx: Ctx, payload: RideFilter) -> Page[ElevatorRideRow]:
    """Who rode it when, and what came of it."""
    page, total = await rides.list_page(ctx, payload.elevator_id, payload)
    rows = [
        ElevatorRideRow(
            ride_id=ride.id,
            device_code=ride.name,
            device_serial_number=ride.sn,
            from_floor=ride.from_floor,
            to_floor=ride.to_floor,
            phase=ride.phase,
            reason=ride.reason,
            asked_at=ride.created_at,
            boarded_at=ride.boarded_at,
            ended_at=ride.ended_at,
        )
        for ride in page
    ]
    return Page(list=rows, page_num=pages(total, payload), total=total)
