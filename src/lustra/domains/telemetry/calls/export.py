"""/device/export: the list of robots as a spreadsheet."""

from zoneinfo import ZoneInfo

from lustra.core import sheet
from lustra.core.calls.rpc import Ctx, Raw, call
from lustra.core.db import snapshot
from lustra.core.query import bounded
from lustra.core.sheet import XLSX, SheetForm
from lustra.core.wire import PageOf
from lustra.domains.account.api import SheetZone
from lustra.domains.telemetry import export, rows
from lustra.domains.telemetry.calls.devices import DeviceFilter, build_filter


class DeviceExport(DeviceFilter):
    zone: SheetZone = "UTC"
    form: SheetForm = "xlsx"


@call("/device/export", needs="device/index", raw=XLSX)
async def export_devices(ctx: Ctx, payload: DeviceExport) -> Raw:
    """Export the list of robots as a spreadsheet."""
    where = await build_filter(ctx, payload)
    async with snapshot(ctx.app.pool) as db:
        count_by_mode = await rows.count_by_mode(db, where)
        total = count_by_mode.get(payload.mode, 0) if payload.mode else sum(count_by_mode.values())
        bounded(total, PageOf(current_page=1, page_size=max(1, total)))
        if payload.mode:
            where.add("n.need = {}", rows.ORDER.index(payload.mode))
        parts = export.read_parts(db, where, ctx.language, ZoneInfo(payload.zone), payload.order)
        return await sheet.export(export.list_columns(ctx.language), parts, payload.form)
