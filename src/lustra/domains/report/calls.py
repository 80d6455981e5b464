"""/taskReport: what was cleaned."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from lustra.core import sheet
from lustra.core.query import bounded, pages
from lustra.core.rpc import Ctx, Fast, Raw, Wire, call
from lustra.core.sheet import XLSX
from lustra.core.wire import Commas, Day, Id, Page, PageOf
from lustra.domains.account.service import narrowed
from lustra.domains.device.scope import Where
from lustra.domains.report import service
from lustra.domains.report.sheet import cells, columns

VIEW = "device/report"
FOR_EVER = "private, max-age=31536000, immutable"  # a version of a map never changes


class ReportFilter(PageOf):
    """Dates are days at the robot's site, both included; `text` is part of task, map, place, robot or serial number."""

    user_id: Id | None = None
    device_ids: Commas[Id] | None = Field(None, max_length=1000)
    start_date: Day | None = None
    end_date: Day | None = None
    map_name: str = Field("", max_length=100)
    task_name: str = Field("", max_length=100)
    text: str = Field("", max_length=100)
    end: Literal["finished", "cancelled", "interrupted", "failed", "running"] | None = None


class ReportRef(Wire):
    task_report_id: Id


class ReportRow(Wire):
    """`coverage` in thousandths, `efficiency` in hundredths of m²/h; what only a robot's report tells may be null."""

    task_report_id: int
    gid: str
    device_id: int
    device_code: str
    device_serial_number: str
    customer_name: str
    building: str
    floor: str
    map_id: int | None
    map_name: str
    task_name: str
    start_time: datetime
    end_time: datetime
    seconds: float
    end: str
    work_area: float
    reachable_area: float | None
    cleaned_area: float
    coverage: int
    efficiency: int
    battery_from: float | None
    battery_to: float | None
    liquid_ml: float | None
    distance: float | None
    pauses: int | None
    warn_count: int
    clean_mode: str
    route: str
    speed: str
    factor: float


class ReportCells(Wire):
    """Cleaned cells: see protocol/bus.Mask."""

    width: int
    height: int
    column: int
    row: int
    data: str


class ReportMap(Wire):
    map_id: int
    revision: int
    resolution: float
    origin: tuple[float, float, float]
    width: int
    height: int


class ReportDetail(ReportRow):
    """`closed`: its picture is, to the asker, by the customer's support access."""

    cells: ReportCells | None
    driven: list[float]
    map: ReportMap | None
    closed: bool
    owner_user_id: int


async def _build_where(ctx: Ctx, payload: ReportFilter) -> Where:
    return service.build_where(
        await narrowed(ctx.db, ctx.actor, payload.user_id),
        device_ids=payload.device_ids,
        since=payload.start_date,
        until=payload.end_date,
        map_name=payload.map_name,
        task_name=payload.task_name,
        text=payload.text,
        end=payload.end,
    )


@call("/taskReport/list", needs=VIEW)
async def list_reports(ctx: Ctx, payload: ReportFilter) -> Fast[Page[ReportRow]]:
    """The runs in scope, the newest first."""
    where = await _build_where(ctx, payload)
    async with ctx.app.pool.acquire() as db:
        total = await service.count_reports(db, where)
        bounded(total, payload)
        rows = await service.load_page(db, where, payload.page_size, payload.current_page)
    return Fast({"list": rows, "pageNum": pages(total, payload), "total": total})


@call("/taskReport/detail", needs=VIEW)
async def select_report(ctx: Ctx, payload: ReportRef) -> Fast[ReportDetail]:
    """One run: what was cleaned, cell by cell, and the way that was driven."""
    return Fast(await service.load_report(ctx, payload.task_report_id))


@call("/taskReport/floor", needs=VIEW, raw="image/png")
async def select_report_floor(ctx: Ctx, report: ReportRef) -> Raw:
    """The picture of the floor that a run was on, as /map/grid has it: who reads reports need not read all maps."""
    return Raw(await service.load_floor(ctx, report.task_report_id), "image/png", headers={"cache-control": FOR_EVER})


@call("/taskReport/export", needs=VIEW, raw=XLSX)
async def export_reports(ctx: Ctx, payload: ReportFilter) -> Raw:
    """The same list as a spreadsheet."""
    where = await _build_where(ctx, payload)
    async with ctx.app.pool.acquire() as db, db.transaction(readonly=True):
        total = await service.count_reports(db, where)
        bounded(total, PageOf(current_page=1, page_size=max(1, total)))
        parts = ([cells(row, ctx.language) for row in rows] async for rows in service.read_all(db, where))
        return await sheet.export(columns(ctx.language), parts)
