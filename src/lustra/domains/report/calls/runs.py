"""/taskReport: what was cleaned."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core import sheet
from lustra.core.calls.rpc import Ctx, Fast, Raw, Wire, call
from lustra.core.query import SortOrder, bounded, pages
from lustra.core.sheet import XLSX, SheetForm
from lustra.core.wire import (
    BuildingName,
    Commas,
    Day,
    DeviceId,
    DeviceName,
    FloorName,
    Id,
    Page,
    PageOf,
    ScopeAccountId,
    SerialNumber,
    SpanFilter,
    UpdateTime,
    doc,
)
from lustra.domains.account.api import keys, narrow_scope
from lustra.domains.device.api import Where
from lustra.domains.report import cleaned, drying, rooms, service
from lustra.domains.report.sheet import cells, columns, sum_cells

VIEW = "device/report"
STARTS = (VIEW, "device/taskList", "device_control/index")  # who starts a run, or reads of runs
FOR_EVER = "private, max-age=31536000, immutable"  # a version of a map never changes


SortColumn = Literal[
    "task",
    "deviceCode",
    "place",
    "startTime",
    "seconds",
    "plannedArea",
    "cleanedArea",
    "coverage",
    "efficiency",
    "battery",
    "liquidMl",
    "end",
]


class ReportFilter(SpanFilter, PageOf):
    user_id: ScopeAccountId = None
    device_ids: Annotated[Commas[Id] | None, doc("Only reports of these robots, at most 1000; null: all.")] = Field(
        None, max_length=1000
    )
    start_date: Annotated[Day | None, doc("First day at the robot's place, included; null: from the first.")] = None
    end_date: Annotated[Day | None, doc("Last day at the robot's place, included; null: up to today.")] = None
    map_name: Annotated[str, doc("Part of the map's name, at most 100 characters; empty: all.")] = Field(
        "", max_length=100
    )
    task_name: Annotated[str, doc("Part of the task's name, at most 100 characters; empty: all.")] = Field(
        "", max_length=100
    )
    text: Annotated[
        str, doc("Part of task, map, place, robot or serial number, at most 100 characters; empty: all.")
    ] = Field("", max_length=100)
    end: Annotated[
        Literal["finished", "cancelled", "interrupted", "failed", "running"] | None,
        doc("Only reports that ended so; null: all."),
    ] = None

    sort: Annotated[SortColumn | None, doc("Column of the list to sort by; null: the newest first.")] = None
    descending: Annotated[bool, doc("Whether `sort` begins with the greatest.")] = False

    @property
    def order(self) -> SortOrder | None:
        return service.sort_order(self.sort, descending=self.descending)


class ReportRef(Wire):
    task_report_id: Annotated[Id, doc("Number of the report.")]


class GroupRunRef(Wire):
    gid: Annotated[str, doc("What the runs of a group or schedule have in common: `gid` of any of them.")] = Field(
        min_length=1, max_length=256
    )


class ReportRow(Wire):
    """One run of a task. What only the robot's own report says is null until that has come."""

    task_report_id: Annotated[int, doc("Number of the report.")]
    gid: Annotated[
        str, doc("What the runs of one group or schedule have in common; of a task that ran alone, its own run.")
    ]
    device_id: DeviceId
    device_code: DeviceName
    device_serial_number: SerialNumber
    customer_name: Annotated[str, doc("Customer, or the name of the account that owned the robot.")]
    building: BuildingName
    floor: FloorName
    map_id: Annotated[int | None, doc("Map that it ran on; null: it is gone for good.")]
    map_name: Annotated[str, doc("Name of the map then.")]
    task_name: Annotated[str, doc("Name of the task.")]
    start_time: Annotated[datetime, doc("When the run began.")]
    end_time: Annotated[datetime, doc("When the run ended; of one that goes on, the newest state.")]
    seconds: Annotated[float, doc("Time from start to end, in seconds.")]
    end: Annotated[str, doc("How it ended: finished, cancelled, interrupted or failed; `running`: it goes on.")]
    work_area: Annotated[float, doc("Area of the task as it was drawn, in m².")]
    reachable_area: Annotated[float | None, doc("Part of it that the tool can reach, in m².")]
    planned_area: Annotated[
        float, doc("What the run was to clean, in m²: the reachable part, or all where none is known.")
    ]
    cleaned_area: Annotated[float, doc("Area that was cleaned, in m².")]
    coverage: Annotated[int, doc("Cleaned share of the reachable area in thousandths, 0 to 1000.")]
    efficiency: Annotated[int, doc("Cleaned area by time, in hundredths of m²/h.")]
    battery_from: Annotated[float | None, doc("Battery at the start, in %.")]
    battery_to: Annotated[float | None, doc("Battery at the end, in %.")]
    liquid_ml: Annotated[float | None, doc("Disinfectant or water used, in ml.")]
    distance: Annotated[float | None, doc("Distance driven, in m.")]
    pauses: Annotated[int | None, doc("Number of pauses.")]
    warn_count: Annotated[int, doc("Number of kinds of faults during the run.")]
    clean_mode: Annotated[str, doc("Cleaning mode: clean, carpet or quiet.")]
    route: Annotated[str, doc("Shape of the route: bow or spiral.")]
    speed: Annotated[str, doc("Speed: low, middle or high.")]
    factor: Annotated[float, doc("Speed of a virtual robot's world, in times of real time; 0: a real robot.")]
    by_hand: Annotated[
        Literal["", "edited", "inserted"],
        doc("Whether a person corrected or entered the run; empty: it is the robot's."),
    ]
    editor: Annotated[str, doc("Who did; empty: nobody, or an account that is gone.")]
    edit_time: Annotated[datetime | None, doc("When that was; null: never.")]


class ReportCells(Wire):
    """Cells of the map's grid that were cleaned."""

    width: Annotated[int, doc("Width of the mask in cells.")]
    height: Annotated[int, doc("Height of the mask in cells.")]
    column: Annotated[int, doc("Column of the grid at which the mask's left edge lies, from 0.")]
    row: Annotated[int, doc("Row of the grid at which the mask's lower edge lies, from 0 at the bottom.")]
    data: Annotated[
        str, doc("One bit a cell, rows from the bottom, each padded to a byte, first bit highest; zlib, then base64.")
    ]


class ReportMap(Wire):
    map_id: Annotated[int, doc("Number of the map.")]
    revision: Annotated[int, doc("Revision of the map at the time of the run.")]
    resolution: Annotated[float, doc("Edge of a cell in m.")]
    origin: Annotated[
        tuple[float, float, float],
        doc("Pose [x, y, yaw] of the lower left corner in the map's frame, in m and radians."),
    ]
    width: Annotated[int, doc("Width of the grid in cells.")]
    height: Annotated[int, doc("Height of the grid in cells.")]


class RobotReport(Wire):
    task_name: Annotated[str, doc("Name of the task.")]
    start_time: Annotated[datetime, doc("When the run began.")]
    end_time: Annotated[datetime, doc("When the run ended.")]
    work_area: Annotated[float, doc("Area of the task as it was drawn, in m².")]
    cleaned_area: Annotated[float, doc("Area that was cleaned, in m².")]


class ReportDetail(ReportRow):
    original: Annotated[RobotReport | None, doc("What the robot said, of a run that a person corrected; else null.")]
    update_time: UpdateTime
    run: Annotated[str, doc("The robot's id of the run.")]
    cells: Annotated[ReportCells | None, doc("Cells that were cleaned; null: not reported, or hidden.")]
    driven: Annotated[list[float], doc("Path driven: x and y by turns, in m of the map's frame.")]
    map: Annotated[ReportMap | None, doc("Map as it was; null: it is gone, or hidden.")]
    closed: Annotated[bool, doc("Whether the customer's support access hides the picture from the asker.")]
    owner_user_id: Annotated[int, doc("Account that owned the robot at the time of the run.")]


class WetFloorFilter(Wire):
    device_id: Annotated[Id, doc("Number of the robot.")]


class WetFloors(Wire):
    list: Annotated[list[str], doc("Names of its maps on which a run ended less than 30 minutes ago.")]


async def _build_where(ctx: Ctx, payload: ReportFilter) -> Where:
    return service.build_where(
        await narrow_scope(ctx, payload.user_id),
        device_ids=payload.device_ids,
        since=payload.start_date,
        until=payload.end_date,
        map_name=payload.map_name,
        task_name=payload.task_name,
        text=payload.text,
        end=payload.end,
    )


class ReportSums(Wire):
    """Of the runs on all pages."""

    seconds: Annotated[float, doc("Time from start to end of all runs together, in seconds.")]
    planned_area: Annotated[float, doc("What they were to clean, in m².")]
    cleaned_area: Annotated[float, doc("What they cleaned, in m².")]


class ReportPage(Page[ReportRow]):
    sums: Annotated[ReportSums, doc("Sums of all runs that match, also of those on other pages.")]


@call("/taskReport/list", needs=VIEW, reads=("taskReport", "support"))
async def list_reports(ctx: Ctx, payload: ReportFilter) -> Fast[ReportPage]:
    """List the runs of tasks in scope, the newest first."""
    where = await _build_where(ctx, payload)
    async with ctx.app.pool.acquire() as db:
        sums = await service.sum_reports(db, where)
        total = sums.pop("runs")
        bounded(total, payload)
        rows = await service.load_page(db, where, payload.page_size, payload.current_page, payload.order)
    return Fast({"list": rows, "pageNum": pages(total, payload), "total": total, "sums": sums})


class GroupRuns(Wire):
    list: Annotated[list[ReportRow], doc("The runs, in the order in which they began; up to 1,000.")]


@call("/taskReport/listChildTask", needs=VIEW, reads=("taskReport", "support"))
async def list_child_tasks(ctx: Ctx, payload: GroupRunRef) -> Fast[GroupRuns]:
    """List the runs of one group or schedule."""
    async with ctx.app.pool.acquire() as db:
        return Fast({"list": await service.load_group(ctx.scope, db, payload.gid)})


@call("/taskReport/wetFloors", needs=STARTS)
async def list_wet_floors(ctx: Ctx, payload: WetFloorFilter) -> WetFloors:
    """List the floors of a robot that are still wet: a run that starts there has a poor result."""
    return WetFloors(list=await drying.list_wet_maps(ctx, payload.device_id))


@call("/taskReport/detail", needs=VIEW, reads=("taskReport", "support"))
async def select_report(ctx: Ctx, payload: ReportRef) -> Fast[ReportDetail]:
    """Show a run: what was cleaned, cell by cell, and the path that was driven."""
    return Fast(await service.load_report(ctx, payload.task_report_id))


class Neighbours(Wire):
    earlier_id: Annotated[int | None, doc("The robot's run before this one; null: there is none.")]
    later_id: Annotated[int | None, doc("The robot's run after this one; null: there is none.")]
    before: Annotated[ReportRow | None, doc("Its run of the same task on the same map before this one; null: none.")]


@call("/taskReport/neighbours", needs=VIEW, reads=("taskReport",))
async def select_neighbours(ctx: Ctx, payload: ReportRef) -> Fast[Neighbours]:
    """Show which runs of the same robot stand next to a run, and what its task came to the time before."""
    return Fast(await service.load_neighbours(ctx, payload.task_report_id))


@call("/taskReport/floor", needs=VIEW, raw="image/png")
async def select_report_floor(ctx: Ctx, report: ReportRef) -> Raw:
    """Show the picture of the floor of a run, as /map/grid: who reads reports need not read all maps."""
    return Raw(await service.load_floor(ctx, report.task_report_id), "image/png", headers={"cache-control": FOR_EVER})


class CleanedFloor(Wire):
    """What the reported runs of a floor's robots cleaned, on the grid of one map of it."""

    revision: Annotated[int, doc("Version of the map to whose grid the cells belong.")]
    today: Annotated[ReportCells, doc("Cells cleaned by runs that began today, by the day of the robot's site.")]
    yesterday: Annotated[ReportCells, doc("Cells cleaned by runs that began the day before.")]


class CleanedFloorRef(Wire):
    map_id: Annotated[Id, doc("Number of the map.")]


@call("/taskReport/cleanedFloor", needs=keys.MAPS, reads=("taskReport", "map", "support"))
async def select_cleaned_floor(ctx: Ctx, payload: CleanedFloorRef) -> Fast[CleanedFloor]:
    """Show what was cleaned on a floor today and yesterday, by all robots whose maps lie on the same grid."""
    return Fast(await cleaned.load_cleaned(ctx, payload.map_id))


class CleanedRoom(Wire):
    """A room of a floor, and when it was cleaned: when a run swept at least half of what is free in it."""

    id: Annotated[str, doc("The room's id on the map.")]
    name: Annotated[str, doc("Its name; empty: it has none.")]
    area: Annotated[float, doc("What is free in it, in m².")]
    cleaned_today: Annotated[float, doc("What of it the reported runs that began today cleaned, in m².")]
    cleaned_time: Annotated[datetime | None, doc("End of the last run that cleaned it; null: none in 90 days.")]
    days_ago: Annotated[int | None, doc("Days since that run began, by the robot's site: 0 today; null: none.")]


class CleanedRooms(Wire):
    list: Annotated[list[CleanedRoom], doc("The rooms that are drawn on the map, in their order.")]


@call("/taskReport/cleanedRooms", needs=keys.MAPS, reads=("taskReport", "map", "support"))
async def list_cleaned_rooms(ctx: Ctx, payload: CleanedFloorRef) -> Fast[CleanedRooms]:
    """Show when each room of a floor was last cleaned, by any robot whose map lies on the same grid."""
    return Fast({"list": await rooms.load_rooms(ctx, payload.map_id)})


class ReportExport(ReportFilter):
    form: SheetForm = "xlsx"


@call("/taskReport/export", needs=VIEW, raw=XLSX)
async def export_reports(ctx: Ctx, payload: ReportExport) -> Raw:
    """Export the list of runs as a spreadsheet."""
    where = await _build_where(ctx, payload)
    async with ctx.app.pool.acquire() as db, db.transaction(readonly=True):
        sums = await service.sum_reports(db, where)
        total = sums["runs"]
        bounded(total, PageOf(current_page=1, page_size=max(1, total)))
        parts = (
            [cells(row, ctx.language) for row in rows] async for rows in service.read_all(db, where, payload.order)
        )
        below = sum_cells(sums, ctx.language) if total else ()
        return await sheet.export(columns(ctx.language), parts, payload.form, below)
