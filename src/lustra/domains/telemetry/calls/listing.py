"""/device: what else is asked about robots: lists, counts by place, SIM cards, work."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.query import bounded, pages
from lustra.core.wire import Id, PageOf, ScopeAccountId, doc
from lustra.domains.device.api import AccountFilter, DeviceRef, Text, where_in_scope
from lustra.domains.elevator.api import load_elevator
from lustra.domains.telemetry import rows, usage
from lustra.domains.telemetry.calls.devices import DevicePage, DeviceRow

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


class WorkInfo(Wire):
    """What a robot has worked since its work was last reset."""

    work_area: Annotated[float, doc("Cleaned area in m².")]
    work_time: Annotated[str, doc("Time of its tasks as h:mm:ss.")]
    work_seconds: Annotated[float, doc("Time of its tasks in seconds.")]
    work_count: Annotated[int, doc("Number of its tasks.")]
    since: Annotated[
        datetime, doc("When its work was last reset; if never, when it was added, or of older work its first hour.")
    ]
    reason: Annotated[str, doc("Why it was last reset; empty: never, or nobody said.")]


class WorkResetRequest(DeviceRef):
    reason: Annotated[Text, doc("Why, at most 200 characters; empty: not said.")] = ""
    hash: Annotated[
        str,
        Field(max_length=64),
        doc("Name of this reset, at most 64 characters: sent again with the same one it counts once; empty: none."),
    ] = ""


@call("/device/selectDevice", needs=("device/index", "user/index"))
async def select_device(ctx: Ctx, payload: DevicePageFilter) -> Fast[DevicePage]:
    """List the robots in scope, page by page."""
    where = await where_in_scope(ctx, payload.user_id)
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
    """List all robots in scope."""
    return await _list_all(ctx, payload.user_id)


async def _list_all(ctx: Ctx, user_id: int | None, condition: str = "", *values: object) -> Fast[DeviceList]:
    where = await where_in_scope(ctx, user_id)
    if condition:
        where.add(condition, *values)
    async with ctx.app.pool.acquire() as db:
        total = sum((await rows.count_by_mode(db, where)).values())
        bounded(total, PageOf(current_page=1, page_size=ALL))
        page = await rows.load_page(db, where, None, ALL, 1)
    return Fast({"list": page.list})


@call("/device/selectDeviceByElevatorId", needs=LIST)
async def select_device_by_elevator_id(ctx: Ctx, payload: RiderFilter) -> Fast[DeviceList]:
    """List the robots that ride an elevator in scope."""
    elevator = await load_elevator(ctx, payload.elevator_id)
    return await _list_all(ctx, payload.user_id, "d.elevator_id = {}", elevator.id)


@call("/device/selectDeviceByHash", needs=LIST)
async def select_device_by_hash(ctx: Ctx, payload: SerialHash) -> Fast[DeviceRow]:
    """Show the robot whose label was read."""
    where = await where_in_scope(ctx, None)
    where.add("encode(sha256(convert_to(d.serial_number, 'UTF8')), 'hex') = {}", payload.hash.lower())
    async with ctx.app.pool.acquire() as db:
        matches = await rows.load_briefs(db, where)
        if not matches:
            raise Refusal(Code.NOT_FOUND, "hash")
        return Fast(await rows.load_device(db, ctx.scope, matches[0]["deviceId"]))


@call("/device/selectWorkInfoById", needs=LIST)
async def select_work_info_by_id(ctx: Ctx, payload: DeviceRef) -> WorkInfo:
    """Show what a robot has worked since its work was last reset."""
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


@call("/device/workInfoResetById", needs="device/index/edit", changes=("device",), audit="device.work_reset")
async def work_info_reset_by_id(ctx: Ctx, payload: WorkResetRequest) -> Nothing:
    """Reset a robot's work: it is counted anew from now on."""
    await usage.reset_work(ctx, payload.device_id, payload.reason, payload.hash)
    return Nothing()
