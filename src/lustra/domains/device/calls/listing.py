"""/device: what else is asked about robots: lists, counts by place, SIM cards, work."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.query import bounded, pages
from lustra.core.wire import Id, PageOf, ScopeAccountId, doc
from lustra.domains.device import history, rows, sim, sites, usage
from lustra.domains.device.calls.devices import AccountFilter, DevicePage, DeviceRef, DeviceRow, where_visible
from lustra.domains.device.events import Things
from lustra.domains.device.rules import Text
from lustra.domains.elevator import service as elevators

LIST = "device/index"
ALL = 1_000_000


class DevicePageFilter(PageOf):
    user_id: ScopeAccountId = None


class DeviceList(Wire):
    list: Annotated[list[DeviceRow], doc("The robots in scope.")]


class SerialHash(Wire):
    hash: Annotated[str, doc("SHA-256 of the serial number, 64 hexadecimal digits, as on the robot's label.")] = Field(
        pattern=r"^[0-9a-fA-F]{64}$"
    )


class RiderFilter(AccountFilter):
    elevator_id: Annotated[Id, doc("Only robots that ride this elevator.")]


class PlaceCount(Wire):
    name: Annotated[str, doc("Name of the country in the reader's language, or of the province.")]
    value: Annotated[int, doc("Number of robots there.")]
    code: Annotated[str, doc("Country by ISO 3166-1, two letters; empty for a province.")] = ""


class PlaceCounts(Wire):
    list: Annotated[
        list[PlaceCount], doc("The places, those with most robots first; robots without a place are left out.")
    ]


class SimCardRef(Wire):
    c_no: Annotated[str, doc("Number of the SIM card, 1 to 20 characters.")] = Field(min_length=1, max_length=20)


class SimView(Wire):
    c_no: Annotated[str, doc("Number of the SIM card.")]
    sim_support: Annotated[int | None, doc("Provider that answered, 0 to 3; null: the installation's own list.")]
    status: Annotated[str, doc("State of the card, in the provider's words.")]
    used_mb: Annotated[float, doc("Data used in this period, in MB.")]
    total_mb: Annotated[float, doc("Data of the period as paid for, in MB.")]
    expire_date: Annotated[str, doc("Day on which the card expires, ISO 8601.")]


class SerialRef(Wire):
    device_serial_number: Annotated[str, doc("Serial number of the robot, 1 to 32 letters and digits.")] = Field(
        min_length=1, max_length=32
    )


class DeviceLocation(Wire):
    address: Annotated[str, doc("Building of the robot.")]
    latitude: Annotated[float, doc("Latitude in degrees, WGS 84.")]
    longitude: Annotated[float, doc("Longitude in degrees, WGS 84.")]


class WorkInfo(Wire):
    """What a robot has worked since its work was last reset."""

    work_area: Annotated[float, doc("Cleaned area in m².")]
    work_time: Annotated[str, doc("Time of its tasks as h:mm:ss.")]
    work_seconds: Annotated[float, doc("Time of its tasks in seconds.")]
    work_count: Annotated[int, doc("Number of its tasks.")]
    since: Annotated[datetime, doc("When its work was last reset; if never, when it was added.")]
    reason: Annotated[str, doc("Why it was reset; empty: never.")]


class FormerOwnerRow(Wire):
    at: Annotated[datetime, doc("When the robot changed its owner.")]
    from_name: Annotated[str | None, doc("Former owner; null: outside the asker's scope.")]
    to_name: Annotated[str | None, doc("New owner; null: outside the asker's scope.")]
    things: Annotated[Things, doc("What became of the former owner's maps, tasks, recordings and password.")]
    erasing: Annotated[bool, doc("Whether the robot still has to erase them.")]


class WorkResetRow(Wire):
    at: Annotated[datetime, doc("When the work was reset.")]
    reason: Annotated[str, doc("Why it was reset.")]
    area: Annotated[float, doc("Area cleaned until then, in m².")]
    seconds: Annotated[float, doc("Time of tasks until then, in seconds.")]
    count: Annotated[int, doc("Number of tasks until then.")]
    by: Annotated[str | None, doc("Name of who reset it; null: outside the asker's scope.")]


class DeviceHistory(Wire):
    owners: Annotated[list[FormerOwnerRow], doc("Changes of the owner, the newest first, at most 100.")]
    resets: Annotated[list[WorkResetRow], doc("Resets of its work, the newest first, at most 100.")]


class WorkResetRequest(DeviceRef):
    reason: Annotated[Text, doc("Why, 1 to 200 characters.")] = ""
    hash: Annotated[
        str,
        Field(max_length=64),
        doc("Name of this reset, at most 64 characters: sent again with the same one it counts once; empty: none."),
    ] = ""


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
