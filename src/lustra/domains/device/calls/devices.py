"""/device: the robots that an account sees, their control, and the ticket to their relay."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Raw
from pydantic import Field, StringConstraints, create_model

from lustra.core import jobs
from lustra.core.query import bounded, pages
from lustra.core.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.wire import Commas, Id, PageOf
from lustra.domains.account import keys
from lustra.domains.account.service import narrowed
from lustra.domains.device import control, owners, rows, service
from lustra.domains.device.scope import Where
from lustra.protocol import bus, telemetry

VIEW = "device_control/index"
DRIVE = "device_control/index/drive"
IN_GROUP = """d.id in (select m.device_id from device_group_member m join device_group g on g.id = m.group_id
  join account a on a.id = g.account_id where g.id = {} and a.path <@ {}::text::ltree)"""
Mode = Literal["help", "emergency", "paused", "manual", "cleaning", "moving", "riding", "charging", "idle", "offline"]


class AccountFilter(Wire):
    user_id: Id | None = None


class DeviceRef(AccountFilter):
    device_id: Id


class DeviceFilter(PageOf):
    """`deviceCode` is a part of the name, the serial number or the place."""

    device_type: Id | None = None
    device_code: str = Field("", max_length=100)
    device_code_for_sim: str = Field("", max_length=100)
    is_pc: str = ""
    user_id: Id | None = None
    mode: Mode | None = None
    device_ids: Commas[Id] | None = Field(None, max_length=1000)
    group_id: Id | None = None


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
    """`modeSince`: when mode or help last changed, by the robot's clock in ms; null before it was heard."""

    device_id: int
    device_serial_number: str
    device_code: str
    device_type: int
    type_name: str
    type_url: str
    customer_name: str
    owner_user_id: int
    address: str
    address1: str
    area: str
    province: str
    zone: str
    latitude: float | None
    longitude: float | None
    customer_address: str
    elevator_id: int | None
    rack_number: str
    sim_no: str
    sim_support: int | None
    boot_time: datetime | None
    create_time: datetime
    firmware_version: str = Field(alias="firmware_version")
    pad_version: str = Field(alias="pad_version")
    test_device: bool
    protocol_version: int
    abilities: list[str]
    frp_host: str
    frp_port: int | None
    ssh_port: int | None
    web_port: int | None
    online: int
    offline_since: datetime | None
    offline_reason: str | None
    heartbeat_time: datetime | None
    mode: Mode
    charging: bool
    map_id: int | None
    clock_off: int  # ms that its clock is ahead (below 0: behind); 0: right
    state_at: int
    mode_since: int | None
    update_time: datetime


class DevicePage(Wire):
    list: list[DeviceRow]
    page_num: int
    total: int
    counts: dict[str, int]


class DeviceCounts(Wire):
    total: int
    online: int
    offline: int
    modes: dict[str, int]


class DeviceBrief(Wire):
    device_id: int
    device_serial_number: str
    device_code: str
    type_id: int
    online: int


class DeviceBriefs(Wire):
    list: list[DeviceBrief]


class OwnerNode(Wire):
    user_id: int
    name: str
    level_depth: int
    childs: list["OwnerNode"]


class OwnerTree(Wire):
    list: list[OwnerNode]


class GrantView(Wire):
    """`number`: the newest of the control lock, whoever holds it; the grant carries it only for its holder."""

    url: str
    port: int
    protocol: int
    grant: str
    expires_at: int
    number: int


class ControlView(Wire):
    owner: str
    owner_id: int
    own: bool = Field(alias="mine")
    number: int
    until: int
    reason: str
    asker: str
    asked_at: int


class ControlTaking(DeviceRef):
    """0 minutes: until it is released."""

    minutes: Literal[0, 10, 30, 60, 120] = 30


class ControlTakeOver(ControlTaking):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class SimulationFactor(DeviceRef):
    factor: Literal[1, 5, 20]


class FaultSwitch(DeviceRef):
    name: str = Field(min_length=1, max_length=64)
    on: bool = True


async def where_visible(ctx: Ctx, user_id: int | None) -> Where:
    where = Where()
    where.seen(await narrowed(ctx.db, ctx.actor, user_id))
    return where


async def build_filter(ctx: Ctx, payload: DeviceFilter) -> Where:
    """But for the mode: its counts are told of all."""
    where = await where_visible(ctx, payload.user_id)
    for text in (payload.device_code, payload.device_code_for_sim):
        if text.strip():
            where.contains("d.", text)
    if payload.device_type is not None:
        where.add("d.type_id = {}", payload.device_type)
    if payload.device_ids is not None:
        where.add("d.id = any({}::bigint[])", payload.device_ids)
    if payload.group_id is not None:
        where.add(IN_GROUP, payload.group_id, ctx.actor.path)
    return where


@call("/device/selectDevicePc", needs="device/index")
async def select_device_pc(ctx: Ctx, payload: DeviceFilter) -> Fast[DevicePage]:
    """The robots in scope, those that need somebody first."""
    where = await build_filter(ctx, payload)
    async with ctx.app.pool.acquire() as db:
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
    """One robot."""
    path = await narrowed(ctx.db, ctx.actor, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        return Fast(await rows.load_device(db, path, payload.device_id))


@call("/device/selectDeviceCount", needs="index")
async def select_device_count(ctx: Ctx, payload: AccountFilter) -> DeviceCounts:
    """How many robots do what."""
    where = await where_visible(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        modes = await rows.count_by_mode(db, where)
    total, offline = sum(modes.values()), modes.get("offline", 0)
    return DeviceCounts(total=total, online=total - offline, offline=offline, modes=modes)


@call("/device/selectOwnUser", needs=keys.OWNERS)
async def select_own_user(ctx: Ctx, payload: AccountFilter) -> Fast[OwnerTree]:
    """The accounts in scope that may own robots, as a tree."""
    path = await narrowed(ctx.db, ctx.actor, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        return Fast({"list": Raw(await owners.load_tree(db, path))})


@call("/device/selectAllDevice", needs=("device/group", "device/index"))
async def select_all_device(ctx: Ctx, payload: AccountFilter) -> Fast[DeviceBriefs]:
    """All robots in scope, in short."""
    return await _list_briefs(ctx, await where_visible(ctx, payload.user_id))


@call("/device/selectAllOnLineDevice", needs=("device_control/index", "device/index"))
async def select_all_online_device(ctx: Ctx, payload: AccountFilter) -> Fast[DeviceBriefs]:
    """The robots in scope that are heard now, in short."""
    where = await where_visible(ctx, payload.user_id)
    where.add("p.online")
    return await _list_briefs(ctx, where)


async def _list_briefs(ctx: Ctx, where: Where) -> Fast[DeviceBriefs]:
    async with ctx.app.pool.acquire() as db:
        return Fast({"list": await rows.load_briefs(db, where)})


@call("/device/relayGrant", needs=VIEW, audit="device.grant")
async def relay_grant(ctx: Ctx, payload: DeviceRef) -> GrantView:
    """A ticket of 60 s to the relay that holds the robot's tunnel."""
    return GrantView.model_validate(await service.issue_grant(ctx, payload.device_id))


@call("/device/control", needs=VIEW)
async def read_control(ctx: Ctx, payload: DeviceRef) -> ControlView:
    """Who steers the robot."""
    return ControlView.model_validate(await control.read_state(ctx, payload.device_id))


@call("/device/takeControl", needs=VIEW, changes=("device",), audit="device.take_control")
async def take_control(ctx: Ctx, payload: ControlTaking) -> ControlView:
    """Take or prolong the control of a robot that nobody else holds."""
    return ControlView.model_validate(await control.take(ctx, payload.device_id, payload.minutes))


@call("/device/takeOverControl", needs=DRIVE, changes=("device",), audit="device.take_over_control")
async def take_over_control(ctx: Ctx, payload: ControlTakeOver) -> ControlView:
    """Take the control from whoever holds it; that person is told the reason."""
    return ControlView.model_validate(await control.take_over(ctx, payload.device_id, payload.minutes, payload.reason))


@call("/device/askControl", needs=VIEW, audit="device.ask_control")
async def ask_control(ctx: Ctx, payload: DeviceRef) -> ControlView:
    """Ask the holder for the control."""
    return ControlView.model_validate(await control.ask(ctx, payload.device_id))


@call("/device/releaseControl", needs=VIEW, changes=("device",), audit="device.release_control")
async def release_control(ctx: Ctx, payload: DeviceRef) -> ControlView:
    """Give the control back."""
    return ControlView.model_validate(await control.release(ctx, payload.device_id))


@call("/device/simulate", needs=VIEW, audit="device.simulate")
async def simulate(ctx: Ctx, payload: SimulationFactor) -> Nothing:
    """How fast a virtual robot's world goes."""
    await service.send_to_virtual(ctx, payload.device_id, "simulate", bus.Simulate(factor=payload.factor))
    return Nothing()


@call("/device/fault", needs=VIEW, audit="device.fault")
async def fault(ctx: Ctx, payload: FaultSwitch) -> Nothing:
    """Breaks something of a virtual robot, or mends it."""
    await service.send_to_virtual(ctx, payload.device_id, "fault", bus.Fault(name=payload.name, on=payload.on))
    return Nothing()


jobs.job("device.counts", cron="* * * * *")(rows.sum_counts)
