"""/device: what else is asked about robots: lists, counts by place, SIM cards, work."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.errors import Code, Refusal
from lustra.core.query import bounded, pages
from lustra.core.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.wire import Id, PageOf
from lustra.domains.device import history, rows, sim, sites, work
from lustra.domains.device.calls.devices import DevicePage, DeviceRow, Narrowed, OneDevice, seen
from lustra.domains.device.events import Things
from lustra.domains.device.rules import Text
from lustra.domains.elevator import service as elevators

LIST = "device/index"
ALL = 1_000_000


class OfUser(PageOf):
    user_id: Id | None = None


class Rows(Wire):
    list: list[DeviceRow]


class ByHash(Wire):
    """SHA-256 of the serial number in hex, as the label on a robot has it."""

    hash: str = Field(pattern=r"^[0-9a-fA-F]{64}$")


class OfElevator(Narrowed):
    elevator_id: Id


class Count(Wire):
    """`code`: of a country, by ISO 3166."""

    name: str
    value: int
    code: str = ""


class CountList(Wire):
    list: list[Count]


class SimOf(Wire):
    c_no: str = Field(min_length=1, max_length=20)


class SimView(Wire):
    """`simSupport`: which provider answered."""

    c_no: str
    sim_support: int | None
    status: str
    used_mb: float
    total_mb: float
    expire_date: str


class OfSerial(Wire):
    device_serial_number: str = Field(min_length=1, max_length=32)


class Located(Wire):
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


class OwnerRow(Wire):
    """`things`: what became of the former owner's; `erasing`: the robot still has to erase it."""

    at: datetime
    from_name: str | None
    to_name: str | None
    things: Things
    erasing: bool


class ResetRow(Wire):
    """What was counted until then."""

    at: datetime
    reason: str
    area: float
    seconds: float
    count: int
    by: str | None


class History(Wire):
    """The newest first."""

    owners: list[OwnerRow]
    resets: list[ResetRow]


class WorkReset(OneDevice):
    """`hash`: names this reset, so that it counts once however often it is sent."""

    reason: Text = ""
    hash: Annotated[str, Field(max_length=64)] = ""


@call("/device/selectDevice", needs=("device/index", "user/index"))
async def select_device(ctx: Ctx, wanted: OfUser) -> Fast[DevicePage]:
    """The robots in scope, page by page."""
    where = await seen(ctx, wanted.user_id)
    async with ctx.app.pool.acquire() as db:
        found = await rows.listed(db, where, None, wanted.page_size, wanted.current_page)
    bounded(found.total, wanted)
    return Fast({
        "list": found.list, "pageNum": pages(found.total, wanted), "total": found.total, "counts": found.counts,
    })  # fmt: skip


@call("/device/selectDeviceList", needs="device/index")
async def select_device_list(ctx: Ctx, wanted: Narrowed) -> Fast[Rows]:
    """All robots in scope."""
    return await _all(ctx, wanted.user_id)


async def _all(ctx: Ctx, user_id: int | None, condition: str = "", *values: object) -> Fast[Rows]:
    where = await seen(ctx, user_id)
    if condition:
        where.add(condition, *values)
    async with ctx.app.pool.acquire() as db:
        total = sum((await rows.counts(db, where)).values())
        bounded(total, PageOf(current_page=1, page_size=ALL))
        found = await rows.listed(db, where, None, ALL, 1)
    return Fast({"list": found.list})


@call("/device/selectDeviceByElevatorId", needs=LIST)
async def select_device_by_elevator_id(ctx: Ctx, wanted: OfElevator) -> Fast[Rows]:
    """The robots that ride an elevator in scope."""
    riding = await elevators.elevator(ctx, wanted.elevator_id)
    return await _all(ctx, wanted.user_id, "d.elevator_id = {}", riding.id)


@call("/device/selectDeviceByHash", needs=LIST)
async def select_device_by_hash(ctx: Ctx, wanted: ByHash) -> Fast[DeviceRow]:
    """The robot whose label was read."""
    where = await seen(ctx, None)
    where.add("encode(sha256(convert_to(d.serial_number, 'UTF8')), 'hex') = {}", wanted.hash.lower())
    async with ctx.app.pool.acquire() as db:
        found = await rows.short(db, where)
        if not found:
            raise Refusal(Code.NOT_FOUND, "hash")
        return Fast(await rows.one(db, ctx.actor.path, found[0]["deviceId"]))


@call("/device/selectDeviceCountByCountry", needs=("index", "device/deviceAmap"))
async def select_device_count_by_country(ctx: Ctx, wanted: Narrowed) -> CountList:
    """How many robots stand in which country."""
    where = await seen(ctx, wanted.user_id)
    async with ctx.app.pool.acquire() as db:
        found = await sites.counts(db, where, "area")
    named = [Count(name=sites.country(code, ctx.language), value=n, code=code) for code, n in found]
    return CountList(list=named)


@call("/device/selectDeviceCountByProvince", needs=("index", "device/deviceAmap"))
async def select_device_count_by_province(ctx: Ctx, wanted: Narrowed) -> CountList:
    """How many robots stand in which province."""
    where = await seen(ctx, wanted.user_id)
    async with ctx.app.pool.acquire() as db:
        return CountList(list=[Count(name=name, value=n) for name, n in await sites.counts(db, where, "province")])


@call("/device/getSimInfo", needs=LIST)
async def get_sim_info(ctx: Ctx, wanted: SimOf) -> SimView:
    """What the provider says of a robot's card."""
    card, vendor = await sim.card(ctx, wanted.c_no.strip())
    return SimView(
        c_no=card.c_no, sim_support=vendor, status=card.status, used_mb=card.used_mb, total_mb=card.total_mb,
        expire_date=card.expire_date,
    )  # fmt: skip


@call("/device/updateDevicesAddressByLbs", needs="device/index/edit", changes=("device",), audit="device.locate")
async def update_devices_address_by_lbs(ctx: Ctx, wanted: OfSerial) -> Located:
    """Finds out where a robot is, and keeps it."""
    return Located.model_validate(await sites.locate(ctx, wanted.device_serial_number))


@call("/device/selectWorkInfoById", needs=LIST)
async def select_work_info_by_id(ctx: Ctx, wanted: OneDevice) -> WorkInfo:
    """What a robot has worked since that was last set back."""
    told = await work.info(ctx, wanted.device_id)
    whole = round(told["seconds"])
    return WorkInfo(
        work_area=told["area"], work_time=f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}",
        work_seconds=told["seconds"], work_count=told["count"], since=told["since"], reason=told["reason"],
    )  # fmt: skip


@call("/device/selectHistory", needs=LIST)
async def select_history(ctx: Ctx, wanted: OneDevice) -> History:
    """Whose a robot was, and when its work was set back; accounts out of scope stay unnamed."""
    async with ctx.app.pool.acquire() as db:
        await rows.one(db, ctx.actor.path, wanted.device_id)
        return History.model_validate(await history.told(db, ctx.actor.path, wanted.device_id))


@call("/device/workInfoResetById", needs="device/index/edit", changes=("device",), audit="device.work_reset")
async def work_info_reset_by_id(ctx: Ctx, told: WorkReset) -> Nothing:
    """From now on its work is counted anew."""
    await work.reset(ctx, told.device_id, told.reason, told.hash)
    return Nothing()
