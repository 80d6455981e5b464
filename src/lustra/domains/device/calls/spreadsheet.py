"""/device: many robots at once: as a spreadsheet, from one, and to another owner."""

from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import sheet
from lustra.core.calls.rpc import Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.db import snapshot
from lustra.core.errors import Code, Refusal
from lustra.core.query import bounded
from lustra.core.sheet import XLSX
from lustra.core.wire import Commas, Id, PageOf, doc
from lustra.domains.account.rules import SheetZone
from lustra.domains.device import edit, export, handover, import_sheet, rows, sheet_rows
from lustra.domains.device.calls.devices import DeviceFilter, build_filter
from lustra.domains.device.events import Things

ADD = "device/index/add"
LARGEST_FORM = 8 << 20  # so that a sheet that is too large is refused with words
MOST_AT_ONCE = 500


class DeviceExport(DeviceFilter):
    zone: SheetZone = "UTC"


class FaultView(Wire):
    row: Annotated[int, doc("Row as the spreadsheet counts it, from 1.")]
    column: Annotated[str, doc("Column as its heading in the first row names it.")]
    value: Annotated[str, doc("Text of the cell.")] = Field(alias="told")
    why: Annotated[str, doc("What is wrong, in the reader's language.")]


class ImportResult(Wire):
    """The outcome of reading a spreadsheet. With faults nothing is stored, nor by importCheck."""

    rows: Annotated[int, doc("Number of robots in the spreadsheet.")]
    faults: Annotated[list[FaultView], doc("What is wrong; empty: nothing.")]


class OwnersChange(Wire):
    device_ids: Annotated[Commas[Id], doc("The robots, 1 to 500.")] = Field(min_length=1, max_length=MOST_AT_ONCE)
    owner_user_id: Annotated[Id, doc("Their new owner.")]
    things: Annotated[
        Things, doc("What becomes of the former owners' maps, tasks, recordings and passwords, alike for all.")
    ] = "keep"


@call("/device/export", needs="device/index", raw=XLSX)
async def export_devices(ctx: Ctx, payload: DeviceExport) -> Raw:
    """The list as a spreadsheet."""
    where = await build_filter(ctx, payload)
    async with snapshot(ctx.app.pool) as db:
        count_by_mode = await rows.count_by_mode(db, where)
        total = count_by_mode.get(payload.mode, 0) if payload.mode else sum(count_by_mode.values())
        bounded(total, PageOf(current_page=1, page_size=max(1, total)))
        if payload.mode:
            where.add("n.need = {}", rows.ORDER.index(payload.mode))
        parts = export.read_parts(db, where, ctx.language, ZoneInfo(payload.zone))
        return await sheet.export(export.list_columns(ctx.language), parts)


@call("/device/importTemplate", needs=ADD, raw=XLSX)
async def import_template(ctx: Ctx, _: Nothing) -> Raw:
    """The sheet that robots are filled in."""
    return await sheet.export(import_sheet.template(ctx.language), sheet.no_rows())


async def _import_sheet(ctx: Ctx, files: list[UploadFile], *, keep: bool) -> ImportResult:
    if not files:
        raise Refusal(Code.BAD_INPUT, "file", reason="required")
    if (files[0].size or 0) > sheet_rows.LARGEST:
        raise Refusal(Code.BAD_INPUT, "file", reason="sheet_large")
    return ImportResult.model_validate(await import_sheet.import_rows(ctx, files[0].file, keep=keep))


@call("/device/importCheck", needs=ADD, upload=Upload(LARGEST_FORM))
async def import_check(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> ImportResult:
    """What would be refused of a sheet, row by row. Nothing is kept."""
    return await _import_sheet(ctx, files, keep=False)


@call("/device/import", needs=ADD, upload=Upload(LARGEST_FORM), changes=("device",), audit="device.import")
async def import_devices(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> ImportResult:
    """All robots of a sheet, or, where one is refused, none."""
    result = await _import_sheet(ctx, files, keep=True)
    ctx.note(rows=result.rows, refused=len(result.faults))
    return result


@call(
    "/device/updateDevicesOwner",
    needs="device/index/edit_owner",
    changes=("device", "map", "task"),
    audit="device.owners",
)
async def update_devices_owner(ctx: Ctx, payload: OwnersChange) -> Nothing:
    """Several robots to another owner, all or none."""
    to = await edit.load_owner(ctx, payload.owner_user_id)
    before: dict[int, int] = {}
    for device_id in sorted(set(payload.device_ids)):
        robot = await edit.load_owned(ctx, device_id)
        before[device_id] = robot.owner_id
        await handover.change_owner(ctx, robot, to, payload.things)
    ctx.note(before={"ownerUserId": before}, things=payload.things)
    return Nothing()
