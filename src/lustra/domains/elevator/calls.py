"""/elevator: the registry of elevators."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import AliasChoices, Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    Change,
    DeviceName,
    Id,
    Page,
    PageOf,
    ScopeAccountId,
    SeenUpdateTime,
    SerialNumber,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.account.api import Phone
from lustra.domains.elevator import rides, rules, service
from lustra.domains.elevator.tables import Elevator

KEY = "elevator/index"


ElevatorId = Annotated[
    Id,
    Field(alias="elevatorId", validation_alias=AliasChoices("elevatorId", "id")),
    doc("Number of the elevator; it may come as `id` too."),
]


class ElevatorFilter(PageOf):
    user_id: ScopeAccountId = None
    keyword: Annotated[str, doc("Part of name, code, building or address, at most 100 characters; empty: all.")] = (
        Field("", max_length=100)
    )


class ElevatorFields(Wire):
    """What is entered of an elevator."""

    elevator_name: Annotated[Title, doc("Name of the elevator, 1 to 100 characters.")]
    code: Annotated[rules.Text, doc("Code that schedules name it by, at most 100 characters; empty: they cannot.")] = ""
    building_name: Annotated[Title, doc("Building as the robots' address names it, 1 to 100 characters.")]
    building_address: Annotated[rules.LongText, doc("Address of the building, at most 300 characters.")] = ""
    contact_name: Annotated[rules.Text, doc("Person to call, at most 100 characters.")] = ""
    contact_phone: Annotated[Phone, doc("Telephone number of that person, 11 digits or + and E.164, or empty.")] = ""
    group_id: Annotated[
        int | None, doc("Elevators of one number stand side by side, any may come; 0 to 1000000; null: alone.")
    ] = Field(None, ge=0, le=1_000_000)
    size: Annotated[rules.Text, doc("Size of the cabin in free words, at most 100 characters.")] = ""
    floor: Annotated[
        rules.Floors, doc("Floors that it serves, separated by commas, from the lowest up, each at most 32 characters.")
    ]
    position: Annotated[rules.Text, doc("Where it stands in the building, at most 100 characters.")] = ""
    provider: Annotated[
        rules.Provider, doc("Whose interface moves it: 0 the built-in virtual one, 1 to 7 as in `providerName`.")
    ] = rules.VIRTUAL
    module_id: Annotated[
        rules.Text, doc("What the provider calls its control module, at most 100 characters; empty: not entered.")
    ] = ""
    robot_id: Annotated[
        rules.Text, doc("What the provider calls the robot that orders it, at most 100 characters; empty: not entered.")
    ] = ""
    server: Annotated[rules.Server, doc("Address of the provider's server; empty: none.")] = ""


class NewElevator(ElevatorFields):
    secret: Annotated[
        rules.Secret,
        doc("Secret for the provider's server, at most 300 characters; it is never shown again. Null: none."),
    ] = None
    user_id: Annotated[Id | None, doc("Account that it belongs to; null: one's own.")] = None


@optional_from(ElevatorFields)
class ElevatorChange(ElevatorFields, Change):
    secret: Annotated[
        rules.Secret, doc("New secret for the provider's server; null: it stays, as long as provider and server do.")
    ] = None
    elevator_id: ElevatorId
    update_time: SeenUpdateTime = None


class ElevatorRef(Wire):
    elevator_id: ElevatorId


class ServiceChange(ElevatorRef):
    out: Annotated[bool, doc("True: no robot rides it from now on; false: they may again.")]
    reason: Annotated[rules.Reason, doc("Why, for others to read, 1 to 200 characters.")]


class ElevatorRelease(ElevatorRef):
    reason: Annotated[rules.Reason, doc("Why, for the audit, 1 to 200 characters.")]


class RideFilter(PageOf):
    elevator_id: ElevatorId


class ElevatorRideRow(Wire):
    """One ride of a robot."""

    ride_id: Annotated[int, doc("Number of the ride.")]
    device_code: DeviceName
    device_serial_number: SerialNumber
    from_floor: Annotated[str, doc("Floor that it boards on.")]
    to_floor: Annotated[str, doc("Floor that it rides to.")]
    phase: Annotated[
        str, doc("Phase of the ride, as the robots' bus has it: waiting, reserved, coming, open, boarded … ended.")
    ]
    reason: Annotated[str, doc("Why it ended; `done`: it has arrived; empty: it has not ended.")]
    asked_at: Annotated[datetime, doc("When the robot asked for the elevator.")]
    boarded_at: Annotated[datetime | None, doc("When it was inside; null: not yet, or never.")]
    ended_at: Annotated[datetime | None, doc("When the ride ended; null: it goes on.")]


class ElevatorLiveView(Wire):
    """The elevator's newest state; all empty before its first ride."""

    floor: Annotated[str, doc("Floor at which the cabin is.")]
    bound: Annotated[str, doc("Floor to which the cabin drives; empty: none.")]
    door: Annotated[str, doc("State of the door.")]
    phase: Annotated[str, doc("Phase of the ride that goes on.")]
    holder: Annotated[str, doc("Name of the robot that has reserved it; empty: none.")]
    occupant: Annotated[str, doc("Name of the robot in the cabin; empty: none.")]
    queue: Annotated[list[str], doc("Names of the robots that wait, in their order.")]
    trouble: Annotated[str, doc("Why the elevator does not obey; empty: it does.")]


class ElevatorRow(ElevatorFields):
    elevator_id: Annotated[int, doc("Number of the elevator.")]
    user_id: Annotated[int, doc("Account that it belongs to.")]
    user_name: Annotated[str, doc("Name of the account that it belongs to.")]
    provider_name: Annotated[str, doc("Name of the provider; empty: the built-in one.")]
    adapted: Annotated[bool, doc("Whether the server can move elevators of this provider.")]
    has_secret: Annotated[bool, doc("Whether a secret for the provider's server is stored.")]
    robots: Annotated[int, doc("Number of robots that ride it.")]
    out_of_service: Annotated[bool, doc("Whether no robot may ride it now.")]
    out_reason: Annotated[str, doc("Why no robot may ride it; empty: they may.")]
    live: Annotated[ElevatorLiveView, doc("Its newest state.")]
    update_time: UpdateTime


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
    """List the elevators in scope, by building."""
    page, total = await service.list_page(ctx, payload.user_id, payload.keyword, payload)
    return Page(list=await _build_rows(ctx, page), page_num=pages(total, payload), total=total)


@call("/elevator/selectInfoByElevatorId", needs=KEY)
async def select_elevator(ctx: Ctx, payload: ElevatorRef) -> ElevatorRow:
    """Show an elevator."""
    [row] = await _build_rows(ctx, [await service.load_elevator(ctx, payload.elevator_id)])
    return row


@call("/elevator/insertElevator", needs=KEY, changes=("elevator",), audit="elevator.insert")
async def insert_elevator(ctx: Ctx, payload: NewElevator) -> ElevatorRef:
    """Create an elevator of one's own, or of an account below."""
    elevator = await service.create(
        ctx, payload.user_id, payload.model_dump(exclude={"user_id", "secret"}), payload.secret
    )
    ctx.note(elevatorId=elevator.id)
    return ElevatorRef(elevator_id=elevator.id)


@call("/elevator/updateElevator", needs=KEY, changes=("elevator",), audit="elevator.update")
async def update_elevator(ctx: Ctx, payload: ElevatorChange) -> Nothing:
    """Change what is entered of an elevator; its owner stays."""
    fields = {name: value for name, value in payload.sent().items() if name != "secret"}
    await service.change(ctx, payload.elevator_id, fields, payload.secret, payload.update_time)
    return Nothing()


@call("/elevator/deleteElevator", needs=KEY, changes=("elevator",), audit="elevator.delete")
async def delete_elevator(ctx: Ctx, payload: ElevatorRef) -> Nothing:
    """Delete an elevator. Refused while robots ride it."""
    await service.remove(ctx, payload.elevator_id)
    return Nothing()


@call("/elevator/setService", needs=KEY, changes=("elevator",), audit="elevator.service")
async def set_service(ctx: Ctx, payload: ServiceChange) -> Nothing:
    """Take an elevator from the robots, or give it back."""
    await rides.set_service(ctx, payload.elevator_id, out=payload.out, reason=payload.reason)
    return Nothing()


@call("/elevator/release", needs=KEY, changes=("elevator",), audit="elevator.release")
async def release_elevator(ctx: Ctx, payload: ElevatorRelease) -> Nothing:
    """End what holds an elevator, for a cabin that is empty."""
    await rides.release(ctx, payload.elevator_id, payload.reason)
    return Nothing()


@call("/elevator/rides", needs=KEY)
async def list_rides(ctx: Ctx, payload: RideFilter) -> Page[ElevatorRideRow]:
    """List the rides in an elevator, with robot and outcome."""
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
