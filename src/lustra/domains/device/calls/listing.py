"""/device: what else is asked about robots: lists, counts by place, SIM cards, work."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.errors import Code, Refusal
from lustra.core.query import bounded, pages
from lustra.core.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.wire import Id, PageOf
from lustra.domains.device import history, rows, sim, sites, usage
from lustra.domains.device.calls.devices import AccountFilter, DevicePage, DeviceRef, DeviceRow, where_visible
from lustra.domains.device.events import Things
from lustra.domains.device.rules import Text
from lustra.domains.elevator import service as elevators

LIST = "device/index"
ALL = 1_000_000


class DevicePageFilter(PageOf):
    user_id: Id | None = None


class DeviceList(Wire):
    list: list[DeviceRow]


class SerialHash(Wire):
    """SHA-256 of the serial number in hex, as the label on a robot has it."""

    hash: str = Field(pattern=r"^[0-9a-fA-F]{64}$")


class RiderFilter(AccountFilter):
    elevator_id: Id


class PlaceCount(Wire):
    """`code`: of a country, by ISO 3166."""

    name: str
    value: int
    code: str = ""


class PlaceCounts(Wire):
    list: list[PlaceCount]


class SimCardRef(Wire):
    c_no: str = Field(min_length=1, max_length=20)


class SimView(Wire):
    """`simSupport`: which provider answered."""

    c_no: str
    sim_support: int | None
    status: str
    used_mb: float
    total_mb: float
    expire_date: str


class SerialRef(Wire):
    device_serial_number: str = Field(min_length=1, max_length=32)


class DeviceLocation(Wire):
    address: str
    latitude: float
    longitude: float


class WorkInfo(Wire):
    """Since `since`. `workArea` in m², `workTime` as h:mm:ss."""

    work_area: float
    work_time: str
    work_seconds: float
    work_count: int
    since: datetime
    reason: str


class FormerOwnerRow(Wire):
    """`things`: what became of the former owner's; `erasing`: the robot still has to erase it."""

    at: datetime
    from_name: str | None
    to_name: str | None
    things: Things
    erasing: bool


class WorkResetRow(Wire):
    """What was counted until then."""

    at: datetime
    reason: str
    area: float
    seconds: float
    count: int
    by: str | None


class DeviceHistory(Wire):
    """The newest first."""

    owners: list[FormerOwnerRow]
    resets: list[WorkResetRow]


class WorkResetRequest(DeviceRef):
    """`hash`: names this reset, so that it counts once however often it is sent."""

    reason: Text = ""
    hash: Annotated[str, Field(max_length=64)] = ""


@call("/device/selectDevice", needs=("device/index", "user/index"))
async def select_device(ctx: Ctx, payload: DevicePageFilter) -> Fast[DevicePage]:
    """The robots in scope, page by page."""
    where = await where_visible(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        page = await rows.load_page(db, where, None, payload.page_size, payload.current_page)
    bounded(page.total, payload)
    return Fast(
        {
            "list": page.list,
            "pageNum": pages(page.total, payload),
            "total": page.total,
            "counts": page.counts,
        }
    )


@call("/device/selectDeviceList", needs="device/index")
async def select_device_list(ctx: Ctx, payload: AccountFilter) -> Fast[DeviceList]:
    """All robots in scope."""
    return await _list_all(ctx, payload.user_id)


async def _list_all(ctx: Ctx, user_id: int | None, condition: str = "", *values: object) -> Fast[DeviceList]:
    where = await where_visible(ctx, user_id)
    if condition:
        where.add(condition, *values)
    async with ctx.app.pool.acquire() as db:
        total = sum((await rows.count_by_mode(db, where)).values())
        bounded(total, PageOf(current_page=1, page_size=ALL))
        page = await rows.load_page(db, where, None, ALL, 1)
    return Fast({"list": page.list})


@call("/device/selectDeviceByElevatorId", needs=LIST)
async def select_device_by_elevator_id(ctx: Ctx, payload: RiderFilter) -> Fast[DeviceList]:
    """The robots that ride an elevator in scope."""
    elevator = await elevators.load_elevator(ctx, payload.elevator_id)
    return await _list_all(ctx, payload.user_id, "d.elevator_id = {}", elevator.id)


@call("/device/selectDeviceByHash", needs=LIST)
async def select_device_by_hash(ctx: Ctx, payload: SerialHash) -> Fast[DeviceRow]:
    """The robot whose label was read."""
    where = await where_visible(ctx, None)
    where.add("encode(sha256(convert_to(d.serial_number, 'UTF8')), 'hex') = {}", payload.hash.lower())
    async with ctx.app.pool.acquire() as db:
        matches = await rows.load_briefs(db, where)
        if not matches:
            raise Refusal(Code.NOT_FOUND, "hash")
        return Fast(await rows.load_device(db, ctx.actor.path, matches[0]["deviceId"]))


@call("/device/selectDeviceCountByCountry", needs=("index", "device/deviceAmap"))
async def select_device_count_by_country(ctx: Ctx, payload: AccountFilter) -> PlaceCounts:
    """How many robots stand in which country."""
    where = await where_visible(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        counts = await sites.count_by_place(db, where, "area")
    named_counts = [PlaceCount(name=sites.country_name(code, ctx.language), value=n, code=code) for code, n in counts]
    return PlaceCounts(list=named_counts)


@call("/device/selectDeviceCountByProvince", needs=("index", "device/deviceAmap"))
async def select_device_count_by_province(ctx: Ctx, payload: AccountFilter) -> PlaceCounts:
    """How many robots stand in which province."""
    where = await where_visible(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        return PlaceCounts(
            list=[PlaceCount(name=name, value=n) for name, n in await sites.count_by_place(db, where, "province")]
        )


@call("/device/getSimInfo", needs=LIST)
async def get_sim_info(ctx: Ctx, payload: SimCardRef) -> SimView:
    """What the provider says of a robot's card."""
    card, vendor = await sim.load_card(ctx, payload.c_no.strip())
    return SimView(
        c_no=card.c_no,
        sim_support=vendor,
        status=card.status,
        used_mb=card.used_mb,
        total_mb=card.total_mb,
        expire_date=card.expire_date,
    )


@call("/device/updateDevicesAddressByLbs", needs="device/index/edit", changes=("device",), audit="device.locate")
async def update_devices_address_by_lbs(ctx: Ctx, payload: SerialRef) -> DeviceLocation:
    """Finds out where a robot is, and keeps it."""
    return DeviceLocation.model_validate(await sites.locate(ctx, payload.device_serial_number))


@call("/device/selectWorkInfoById", needs=LIST)
async def select_work_info_by_id(ctx: Ctx, payload: DeviceRef) -> WorkInfo:
    """What a robot has worked since that was last set back."""
    totals = await usage.load_work(ctx, payload.device_id)
    seconds = round(totals["seconds"])
    return WorkInfo(
        work_area=totals["area"],
        work_time=f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}",
        work_seconds=totals["seconds"],
        work_count=totals["count"],
        since=totals["since"],
        reason=totals["reason"],
    )


@call("/device/selectHistory", needs=LIST)
async def select_history(ctx: Ctx, payload: DeviceRef) -> DeviceHistory:
    """Whose a robot was, and when its work was set back; accounts out of scope stay unnamed."""
    async with ctx.app.pool.acquire() as db:
        await rows.load_device(db, ctx.actor.path, payload.device_id)
        return DeviceHistory.model_validate(await history.load_history(db, ctx.actor.path, payload.device_id))


@call("/device/workInfoResetById", needs="device/index/edit", changes=("device",), audit="device.work_reset")
async def work_info_reset_by_id(ctx: Ctx, payload: WorkResetRequest) -> Nothing:
    """From now on its work is counted anew."""
    await usage.reset_work(ctx, payload.device_id, payload.reason, payload.hash)
    return Nothing()
