"""/device: the robots that an account sees, their control, and the ticket to their relay."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, create_model

from lustra.core import events, jobs
from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.query import SortOrder, bounded, pages
from lustra.core.wire import (
    Commas,
    CreateTime,
    DeviceId,
    DeviceName,
    DeviceZone,
    Id,
    OwnerId,
    PageOf,
    ScopeAccountId,
    SerialNumber,
    UpdateTime,
    doc,
)
from lustra.domains.account.api import keys, narrow_scope
from lustra.domains.device.api import AccountFilter, DeviceRef, GroupMembers, Where, where_in_scope
from lustra.domains.telemetry import rows
from lustra.protocol import telemetry

Mode = Literal["help", "emergency", "paused", "manual", "cleaning", "moving", "riding", "charging", "idle", "offline"]


SortColumn = Literal[
    "state",
    "name",
    "serial",
    "type",
    "site",
    "battery",
    "task",
    "progress",
    "cleaned",
    "disinfectant",
    "heard",
    "customer",
    "country",
    "province",
    "rack",
    "software",
]


class DeviceFilter(PageOf):
    device_type: Annotated[Id | None, doc("Only robots of this type; null: all.")] = None
    device_code: Annotated[str, doc("Part of the name, the serial number or the place; empty: all.")] = Field(
        "", max_length=100
    )
    device_code_for_sim: Annotated[
        str, doc("Part of the number of its SIM card, at most 100 characters; empty: all.")
    ] = Field("", max_length=100)
    is_pc: Annotated[
        str, doc("Ignored: the list is the same for all clients. Sent by the specification's console.")
    ] = ""
    user_id: ScopeAccountId = None
    mode: Annotated[Mode | None, doc("Only robots in this mode; null: all.")] = None
    device_ids: Annotated[Commas[Id] | None, doc("Only these robots, at most 1000; null: all.")] = Field(
        None, max_length=1000
    )
    group_id: Annotated[Id | None, doc("Only robots of this group; null: all.")] = None
    sort: Annotated[SortColumn | None, doc("Column of the list to sort by; null: who needs somebody first.")] = None
    descending: Annotated[bool, doc("Whether `sort` begins with the greatest.")] = False

    @property
    def order(self) -> SortOrder | None:
        return rows.sort_order(self.sort, descending=self.descending)


M = TypeVar("M", bound=Wire)


def with_telemetry(model: type[M]) -> type[M]:
    """The model with every field of the robot's state that rows carry."""
    fields: dict[str, Any] = {
        field.name: (Annotated[field.type, Field(alias=field.key, description=field.description)], ...)
        for field in telemetry.SHOWN
    }
    return create_model(model.__name__, __base__=model, __module__=model.__module__, __doc__=model.__doc__, **fields)


@with_telemetry
class DeviceRow(Wire):
    """One robot: what is entered of it, and its newest state."""

    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    device_type: Annotated[int, doc("Number of its device type.")]
    type_name: Annotated[str, doc("Name of its device type.")]
    type_url: Annotated[str, doc("Address of the picture of its device type; empty: none.")]
    customer_name: Annotated[str, doc("Customer that it works for; empty: not entered.")]
    owner_user_id: OwnerId
    address: Annotated[str, doc("Building; empty: not known.")]
    address1: Annotated[str, doc("Floor as it is entered; empty: not known.")]
    area: Annotated[str, doc("Country by ISO 3166-1, two letters; empty: not known.")]
    province: Annotated[str, doc("Province; empty: not known.")]
    zone: DeviceZone
    latitude: Annotated[float | None, doc("Latitude in degrees, WGS 84; null: not known.")]
    longitude: Annotated[float | None, doc("Longitude in degrees, WGS 84; null: not known.")]
    customer_address: Annotated[str, doc("Address of the customer; empty: not entered.")]
    elevator_id: Annotated[int | None, doc("Elevator that it rides; null: none.")]
    rack_number: Annotated[str, doc("Frame number, as SC0001; empty: not entered.")]
    sim_no: Annotated[str, doc("Number of its SIM card, 10 to 20 digits; empty: not entered.")]
    sim_support: Annotated[
        int | None, doc("Provider of the SIM card, 0 to 3 in the sequence of the specification; null: not entered.")
    ]
    boot_time: Annotated[datetime | None, doc("When it was put into service; null: not entered.")]
    create_time: CreateTime
    firmware_version: Annotated[
        str, doc("Version of its firmware; empty: not known. Spelt as in the specification.")
    ] = Field(alias="firmware_version")
    pad_version: Annotated[
        str, doc("Version of the software of its screen; empty: not known. Spelt as in the specification.")
    ] = Field(alias="pad_version")
    test_device: Annotated[bool, doc("Whether it is marked as a test device.")]
    protocol_version: Annotated[int, doc("Version of the robot's local interface, 2 or 3.")]
    abilities: Annotated[
        list[str], doc("What it can do beside driving, as `scrub` or `disinfect`: its type's and its own.")
    ]
    commands: Annotated[
        list[str] | None, doc("Commands that its local interface has, by name; null: all of its protocol.")
    ]
    frp_host: Annotated[str, doc("Address of its transfer node; empty: none.")]
    frp_port: Annotated[int | None, doc("Port of its tunnel, 20000 to 30000; null: none.")]
    ssh_port: Annotated[int | None, doc("Port for SSH at its node, 20000 to 30000; null: none.")]
    web_port: Annotated[int | None, doc("Port for its web page at its node, 20000 to 30000; null: none.")]
    traffic: Annotated[int | None, doc("Port for its data at its node, 20000 to 30000; null: none.")]
    device_url: Annotated[str, doc("Its address on the web; empty: none.")]
    loaded_map: Annotated[str, doc("Name of the map it is on, as `mapName`; empty: none.")] = Field(alias="map")
    job: Annotated[str, doc("Name of the task that it works at, as `taskName`; empty: none.")]
    online: Annotated[int, doc("1: connected now; 0: not.")]
    offline_since: Annotated[datetime | None, doc("Since when it is not connected; null: it is, or never was.")]
    offline_reason: Annotated[
        str | None, doc("Key of the reason why it is not connected; empty: it is; null: it never was.")
    ]
    heartbeat_time: Annotated[datetime | None, doc("When it last sent anything; null: never.")]
    mode: Annotated[Mode, doc("What it does now; `help` stands before all others.")]
    mode_name: Annotated[str, doc("Its own word for a mode that is not listed, counted as idle; empty: it is listed.")]
    charging: Annotated[bool, doc("Whether it charges.")]
    map_id: Annotated[int | None, doc("Map that it has loaded; null: none that is known here.")]
    clock_off: Annotated[int, doc("How far its clock is ahead of the server's, in ms; below 0: behind; 0: right.")]
    state_at: Annotated[int, doc("Time of the newest state by the robot's clock, in ms since 1970; 0: none yet.")]
    mode_since: Annotated[
        int | None, doc("When mode or help last changed, by the robot's clock in ms since 1970; null: no state yet.")
    ]
    update_time: UpdateTime


class DevicePage(Wire):
    list: Annotated[list[DeviceRow], doc("The robots of this page.")]
    page_num: Annotated[int, doc("Number of pages.")]
    total: Annotated[int, doc("Number of robots on all pages.")]
    counts: Annotated[dict[str, int], doc("Number of robots by mode, before the filter by mode.")]


class DeviceCounts(Wire):
    total: Annotated[int, doc("Number of robots in scope.")]
    online: Annotated[int, doc("Number of robots that are connected now.")]
    offline: Annotated[int, doc("Number of robots that are not connected.")]
    modes: Annotated[dict[str, int], doc("Number of robots by mode.")]


class DeviceBrief(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    type_id: Annotated[int, doc("Number of its device type.")]
    online: Annotated[int, doc("1: connected now; 0: not.")]


class DeviceBriefs(Wire):
    list: Annotated[list[DeviceBrief], doc("The robots, in short.")]


async def build_filter(ctx: Ctx, payload: DeviceFilter) -> Where:
    """The conditions of the list but for the mode, since the counts by mode are those of all modes."""
    where = await where_in_scope(ctx, payload.user_id)
    if payload.device_code.strip():
        where.contains("d.", payload.device_code)
    if sim := payload.device_code_for_sim.strip():
        where.add("strpos(d.sim_no, {}) > 0", sim)
    if payload.device_type is not None:
        where.add("d.type_id = {}", payload.device_type)
    if payload.device_ids is not None:
        where.add("d.id = any({}::bigint[])", payload.device_ids)
    if payload.group_id is not None:
        members = GroupMembers(ctx.scope, payload.group_id)
        await events.emit(ctx.db, members)
        where.add("d.id = any({}::bigint[])", members.devices)
    return where


@call("/device/selectDevicePc", needs="device/index")
async def select_device_pc(ctx: Ctx, payload: DeviceFilter) -> Fast[DevicePage]:
    """List the robots in scope, those that need somebody first."""
    where = await build_filter(ctx, payload)
    async with ctx.app.pool.acquire() as db:
        if order := payload.order:
            page = await rows.load_sorted_page(db, where, order, payload.mode, payload)
        else:
            page = await rows.load_page(db, where, payload.mode, payload.page_size, payload.current_page)
    bounded(page.total, payload)
    return Fast(
        {
            "list": page.list,
            "pageNum": pages(page.total, payload),
            "total": page.total,
            "counts": page.counts,
        }
    )


@call("/device/selectDeviceByDeviceId", needs=keys.ONE_ROBOT)
async def select_device_by_id(ctx: Ctx, payload: DeviceRef) -> Fast[DeviceRow]:
    """Show a robot."""
    scope = await narrow_scope(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        return Fast(await rows.load_device(db, scope, payload.device_id))


@call("/device/selectDeviceCount", needs="index", reads=("device", "state"))
async def select_device_count(ctx: Ctx, payload: AccountFilter) -> DeviceCounts:
    """Count the robots in scope by mode."""
    where = await where_in_scope(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        modes = await rows.count_by_mode(db, where)
    total, offline = sum(modes.values()), modes.get("offline", 0)
    return DeviceCounts(total=total, online=total - offline, offline=offline, modes=modes)


@call("/device/selectAllDevice", needs=("device/group", "device/index"))
async def select_all_device(ctx: Ctx, payload: AccountFilter) -> Fast[DeviceBriefs]:
    """List all robots in scope, in short."""
    return await _list_briefs(ctx, await where_in_scope(ctx, payload.user_id))


@call("/device/selectAllOnLineDevice", needs=("device_control/index", "device/index"), reads=("device", "state"))
async def select_all_online_device(ctx: Ctx, payload: AccountFilter) -> Fast[DeviceBriefs]:
    """List the robots in scope that are connected now, in short."""
    where = await where_in_scope(ctx, payload.user_id)
    where.add("p.online")
    return await _list_briefs(ctx, where)


async def _list_briefs(ctx: Ctx, where: Where) -> Fast[DeviceBriefs]:
    async with ctx.app.pool.acquire() as db:
        return Fast({"list": await rows.load_briefs(db, where)})


jobs.job("device.counts", cron="* * * * *")(rows.sum_counts)
