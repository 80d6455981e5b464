"""/device/generateAuthCodes: codes for a list of robots, for programs and as a spreadsheet."""

from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from starlette.datastructures import UploadFile

from lustra.core import sheet, texts
from lustra.core.calls.rpc import Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.sheet import XLSX, SheetForm
from lustra.core.wire import Commas, Id, SerialNumber, doc
from lustra.domains.account.api import SheetZone
from lustra.domains.device.api import Blank, Serial, check_sheet, read_serials
from lustra.domains.enrolment import code_lists

MANY = "device/index/authCodes"
MOST_SERIALS = 500
LONGEST_DAYS = 90
LARGEST_FORM = 8 << 20


def distinct(serials: list[str]) -> list[str]:
    if len(set(serials)) < len(serials):
        raise PydanticCustomError("serial_twice", "A serial number stands twice in the list")
    return serials


Serials = Annotated[
    Commas[Serial],
    Field(min_length=1, max_length=MOST_SERIALS),
    AfterValidator(distinct),
    doc("Serial numbers of the robots, each once, at most 500."),
]


class SerialList(Wire):
    device_serial_numbers: Serials


class AuthCodesRequest(SerialList):
    days: Annotated[int, doc("Days until the codes end, 1 to 90.")] = Field(7, ge=1, le=LONGEST_DAYS)
    user_id: Annotated[Id | None, Blank, doc("Account that will own new robots; null: the acting account.")] = None
    device_type: Annotated[
        Id | None, Blank, doc("Device type of new robots that do not name their own; null: they must.")
    ] = None


class AuthCodeSheetRequest(AuthCodesRequest):
    zone: SheetZone = "UTC"
    form: SheetForm = "xlsx"


class SerialSheet(Wire):
    list: Annotated[list[str], doc("What the column of serial numbers has, in its order, each once; not checked yet.")]


class SerialFault(Wire):
    device_serial_number: SerialNumber
    why: Annotated[str, doc("Why it gets no code, in the reader's language.")]


class AuthCodesCheck(Wire):
    rows: Annotated[int, doc("Number of serial numbers.")]
    known: Annotated[int, doc("Of them, robots that are here already: the code lets them in anew.")]
    faults: Annotated[list[SerialFault], doc("Those that get no code; empty: all get one.")]


class SerialAuthCode(Wire):
    device_serial_number: SerialNumber
    code: Annotated[str, doc("Auth code for this robot alone, good for once; shown this once.")]


class AuthCodeList(Wire):
    """The codes are kept as hashes, and cannot be shown again."""

    list: Annotated[list[SerialAuthCode], doc("A code for each serial number, in their order.")]
    expire_time: Annotated[datetime, doc("When the codes end.")]


@call("/device/checkAuthCodes", needs=MANY)
async def check_auth_codes(ctx: Ctx, payload: SerialList) -> AuthCodesCheck:
    """Check a list of serial numbers one by one; no code is made."""
    serials = payload.device_serial_numbers
    robots, taken = await code_lists.find_taken(ctx, serials)
    why = texts.say(ctx.language, f"input.{code_lists.REASON}")
    faults = [SerialFault(device_serial_number=serial, why=why) for serial in taken]
    return AuthCodesCheck(rows=len(serials), known=len(robots) - len(taken), faults=faults)


@call("/device/readAuthCodeSheet", needs=MANY, upload=Upload(LARGEST_FORM))
async def read_auth_code_sheet(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> SerialSheet:
    """Read serial numbers from a spreadsheet, to check them and make codes next; nothing is stored."""
    return SerialSheet(list=await read_serials(ctx, check_sheet(files)))


@call("/device/generateAuthCodes", needs=MANY, audit="device.auth_codes")
async def generate_auth_codes(ctx: Ctx, payload: AuthCodesRequest) -> AuthCodeList:
    """Create a code for each robot of a list, good until an end that one chooses; all or none."""
    codes, ends = await code_lists.create_codes(
        ctx, payload.user_id, payload.device_serial_numbers, payload.device_type, payload.days
    )
    rows = [SerialAuthCode(device_serial_number=row.device_serial_number, code=row.code) for row in codes]
    return AuthCodeList(list=rows, expire_time=ends)


@call("/device/authCodeSheet", needs=MANY, raw=XLSX, audit="device.auth_codes")
async def send_auth_code_sheet(ctx: Ctx, payload: AuthCodeSheetRequest) -> Raw:
    """Create a code for each robot of a list, and send them as a spreadsheet."""
    codes, ends = await code_lists.create_codes(
        ctx, payload.user_id, payload.device_serial_numbers, payload.device_type, payload.days
    )
    local = ends.astimezone(ZoneInfo(payload.zone)).replace(tzinfo=None)
    return await sheet.export(code_lists.list_columns(ctx.language), code_lists.list_rows(codes, local), payload.form)
