"""/device: many robots at once: as a spreadsheet, from one, and to another owner."""

from zoneinfo import ZoneInfo

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import sheet
from lustra.core.db import snapshot
from lustra.core.errors import Code, Refusal
from lustra.core.query import bounded
from lustra.core.rpc import Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.sheet import XLSX
from lustra.core.wire import Commas, Id, PageOf
from lustra.domains.account.rules import Zone
from lustra.domains.device import edit, export, fill_in, handover, rows, sheet_rows
from lustra.domains.device.calls.devices import DeviceFilter, filtered
from lustra.domains.device.events import Things

ADD = "device/index/add"
LARGEST_FORM = 8 << 20  # so that a sheet that is too large is refused with words
MOST_AT_ONCE = 500


class DeviceExport(DeviceFilter):
    """Times of the sheet are wall-clock times of `zone`."""

    zone: Zone = "UTC"


class FaultView(Wire):
    """`row` as the spreadsheet numbers it, `column` as its first row calls it, `told`: what stands there."""

    row: int
    column: str
    told: str
    why: str


class Tried(Wire):
    """Nothing was kept where there are faults, nor by importCheck."""

    rows: int
    faults: list[FaultView]


class OwnerOfMany(Wire):
    """`things`: what becomes of the former owners' maps, tasks, recordings and passwords, of each robot alike."""

    device_ids: Commas[Id] = Field(min_length=1, max_length=MOST_AT_ONCE)
    owner_user_id: Id
    things: Things = "keep"


@call("/device/export", needs="device/index", raw=XLSX)
async def export_devices(ctx: Ctx, wanted: DeviceExport) -> Raw:
    """The list as a spreadsheet."""
    where = await filtered(ctx, wanted)
    async with snapshot(ctx.app.pool) as db:
        by_mode = await rows.counts(db, where)
        total = by_mode.get(wanted.mode, 0) if wanted.mode else sum(by_mode.values())
        bounded(total, PageOf(current_page=1, page_size=max(1, total)))
        if wanted.mode:
            where.add("n.need = {}", rows.ORDER.index(wanted.mode))
        parts = export.parts(db, where, ctx.language, ZoneInfo(wanted.zone))
        return await sheet.export(export.columns(ctx.language), parts)


@call("/device/importTemplate", needs=ADD, raw=XLSX)
async def import_template(ctx: Ctx, _: Nothing) -> Raw:
    """The sheet that robots are filled in."""
    return await sheet.export(fill_in.template(ctx.language), sheet.no_rows())


async def _filled(ctx: Ctx, files: list[UploadFile], *, keep: bool) -> Tried:
    if not files:
        raise Refusal(Code.BAD_INPUT, "file", reason="required")
    if (files[0].size or 0) > sheet_rows.LARGEST:
        raise Refusal(Code.BAD_INPUT, "file", reason="sheet_large")
    return Tried.model_validate(await fill_in.fill_in(ctx, files[0].file, keep=keep))


@call("/device/importCheck", needs=ADD, upload=Upload(LARGEST_FORM))
async def import_check(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> Tried:
    """What would be refused of a sheet, row by row. Nothing is kept."""
    return await _filled(ctx, files, keep=False)


@call("/device/import", needs=ADD, upload=Upload(LARGEST_FORM), changes=("device",), audit="device.import")
async def import_devices(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> Tried:
    """All robots of a sheet, or, where one is refused, none."""
    tried = await _filled(ctx, files, keep=True)
    ctx.note(rows=tried.rows, refused=len(tried.faults))
    return tried


@call(
    "/device/updateDevicesOwner", needs="device/index/edit_owner", changes=("device", "map", "task"),
    audit="device.owners",
)  # fmt: skip
async def update_devices_owner(ctx: Ctx, told: OwnerOfMany) -> Nothing:
    """Several robots to another owner, all or none."""
    to = await edit.owner(ctx, told.owner_user_id)
    before: dict[int, int] = {}
    for device_id in sorted(set(told.device_ids)):
        robot = await edit.owned(ctx, device_id)
        before[device_id] = robot.owner_id
        await handover.change_owner(ctx, robot, to, told.things)
    ctx.note(before={"ownerUserId": before}, things=told.things)
    return Nothing()
