"""/device: many robots at once: as a spreadsheet, from one, and to another owner."""

from typing import Annotated

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import sheet
from lustra.core.calls.rpc import Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.sheet import XLSX
from lustra.core.wire import doc
from lustra.domains.device import import_sheet

ADD = "device/index/add"
LARGEST_FORM = 8 << 20  # so that a sheet that is too large is refused with words


class FaultView(Wire):
    row: Annotated[int, doc("Row as the spreadsheet counts it, from 1.")]
    column: Annotated[str, doc("Column as its heading in the first row names it.")]
    value: Annotated[str, doc("Text of the cell.")] = Field(alias="told")
    why: Annotated[str, doc("What is wrong, in the reader's language.")]


class ImportResult(Wire):
    """The outcome of reading a spreadsheet. With faults nothing is stored, nor by importCheck."""

    rows: Annotated[int, doc("Number of robots in the spreadsheet.")]
    faults: Annotated[list[FaultView], doc("What is wrong; empty: nothing.")]
    serials: Annotated[list[str], doc("Serial numbers of the spreadsheet, for which codes may be made next.")]


@call("/device/importTemplate", needs=ADD, raw=XLSX)
async def import_template(ctx: Ctx, _: Nothing) -> Raw:
    """Send the spreadsheet that robots are entered in."""
    return await sheet.export(import_sheet.template(ctx.language), sheet.no_rows())


async def _import_sheet(ctx: Ctx, files: list[UploadFile], *, keep: bool) -> ImportResult:
    file = import_sheet.check_file(files)
    return ImportResult.model_validate(await import_sheet.import_rows(ctx, file, keep=keep))


@call("/device/importCheck", needs=ADD, upload=Upload(LARGEST_FORM))
async def import_check(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> ImportResult:
    """Check a spreadsheet of robots row by row; nothing is stored."""
    return await _import_sheet(ctx, files, keep=False)


@call("/device/import", needs=ADD, upload=Upload(LARGEST_FORM), changes=("device",), audit="device.import")
async def import_devices(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> ImportResult:
    """Create all robots of a spreadsheet; where one is refused, none."""
    result = await _import_sheet(ctx, files, keep=True)
    ctx.note(rows=result.rows, refused=len(result.faults))
    return result
