"""Many robots from a spreadsheet: every row is tried by the rules of adding one, and all that is wrong is told.

Rules: trying writes nothing; adding adds all rows or none. A sheet is bounded in bytes, packed and unpacked, in rows
and in columns, whatever it says of itself. Its first row names the columns, in any of our languages or as the wire
does; a column that nobody knows is told, not passed over.
"""

import asyncio
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import count
from typing import Any, BinaryIO
from xml.etree.ElementTree import ParseError

import openpyxl
from pydantic import ValidationError
from sqlalchemy import func, select

from lustra.core import texts
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.refused_input import refusals
from lustra.core.sheet import Column
from lustra.domains.account.service import readable
from lustra.domains.account.tables import Account
from lustra.domains.device import edit
from lustra.domains.device.fields import NewDevice
from lustra.domains.device.tables import DeviceType

LARGEST = 4 << 20  # bytes of the file
UNPACKED = 64 << 20  # bytes of all that it packs
MOST_ROWS = 2000
MOST_COLUMNS = 60
BROKEN = (  # what openpyxl says of files that are none
    zipfile.BadZipFile, zlib.error, ParseError, LookupError, ValueError, TypeError, AttributeError, OSError, EOFError,
    RuntimeError,
)  # fmt: skip
FIELDS = {  # title of the column: the wire's name
    "serial": "deviceSerialNumber", "device": "deviceCode", "type": "deviceType", "owner_login": "ownerUserId",
    "rack": "rackNumber", "country_code": "area", "province": "province", "building": "address", "floor": "address1",
    "zone": "zone", "latitude": "latitude", "longitude": "longitude", "customer": "customerName",
    "customer_address": "customerAddress", "sim": "simNo", "sim_provider": "simSupport", "node": "frpHost",
    "frp_port": "frpPort", "ssh_port": "sshPort", "web_port": "webPort", "protocol": "protocolVersion",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """`row` as the spreadsheet numbers it; `column` as its first row calls it."""

    row: int
    column: str
    told: str
    why: str


@dataclass(frozen=True, slots=True)
class Tried:
    rows: int
    faults: list[Fault]


@dataclass(frozen=True, slots=True)
class Line:
    row: int
    told: dict[str, str]  # by the wire's name


@cache
def _known() -> dict[str, str]:
    """Every way to call a column."""
    said = {_folded(texts.say(language, f"export.{title}")): field
            for language in texts.LANGUAGES for title, field in FIELDS.items()}  # fmt: skip
    return said | {_folded(field): field for field in FIELDS.values()}


def _folded(title: Any) -> str:
    return " ".join(str(title or "").split()).casefold()


def template(language: str) -> list[Column]:
    return [(texts.say(language, f"export.{title}"), "text", 20) for title in FIELDS]


def _refused(reason: str, **values: object) -> Refusal:
    return Refusal(Code.BAD_INPUT, "file", reason=reason, **values)


def read(file: BinaryIO) -> tuple[dict[str, str], list[Line]]:
    """The columns' titles by field, and the rows that are not empty."""
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(part.file_size for part in packed.infolist()) > UNPACKED:
                raise _refused("sheet_large")
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        sheet: Any = book.worksheets[0]
        sheet.reset_dimensions()  # a file may say that it has a million columns
        rows = sheet.iter_rows(max_row=MOST_ROWS + 2, max_col=MOST_COLUMNS, values_only=True)
        return _read(rows)
    except BROKEN:
        raise _refused("sheet_broken") from None


def _read(rows: Iterator[tuple[Any, ...]]) -> tuple[dict[str, str], list[Line]]:
    head = next(rows, ())
    titles = {place: " ".join(str(title).split()) for place, title in enumerate(head) if title is not None}
    unknown = [title for title in titles.values() if _folded(title) not in _known()]
    if unknown or not titles:
        raise _refused("sheet_column" if unknown else "sheet_empty", column=unknown[0][:50] if unknown else "")
    fields = {place: _known()[_folded(title)] for place, title in titles.items()}
    if len(set(fields.values())) < len(fields):
        raise _refused("sheet_twice")
    lines: list[Line] = []
    for number, row in zip(count(2), rows, strict=False):
        told = {fields[place]: text for place, value in enumerate(row) if place in fields and (text := _text(value))}
        if told:
            lines.append(Line(number, told))
        if number > MOST_ROWS + 1:
            raise _refused("sheet_rows", limit=MOST_ROWS)
    if not lines:
        raise _refused("sheet_empty")
    return {field: titles[place] for place, field in fields.items()}, lines


def _text(value: Any) -> str:
    """A spreadsheet makes numbers of what looks like some: 20001.0 is a port."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.isoformat()
    return "" if value is None else str(value).strip()


class _Names:
    """People name types and owners; who reads the sheet may name only what it sees."""

    def __init__(self, types: dict[str, int], owners: dict[str, int]) -> None:
        self.types, self.owners = types, owners

    @classmethod
    async def of(cls, ctx: Ctx, lines: list[Line]) -> "_Names":
        kinds = {kind.name.casefold(): kind.id for kind in await ctx.db.scalars(select(DeviceType))}
        wanted = {line.told["ownerUserId"].casefold() for line in lines if "ownerUserId" in line.told}
        mine = readable(ctx.actor).where(func.lower(Account.account).in_(wanted)) if wanted else None
        found = list(await ctx.db.scalars(mine)) if mine is not None else []
        return cls(kinds, {one.account.casefold(): one.id for one in found})

    def resolve(self, told: dict[str, str]) -> tuple[dict[str, Any], list[tuple[str, Refusal]]]:
        meant: dict[str, Any] = dict(told)
        wrong: list[tuple[str, Refusal]] = []
        for field, names, reason in (
            ("deviceType", self.types, "type_unknown"), ("ownerUserId", self.owners, "owner_unknown"),
        ):  # fmt: skip
            if field not in told:
                continue
            known = names.get(told[field].casefold())
            meant[field] = known or 0
            if known is None:
                wrong.append((field, Refusal(Code.BAD_INPUT, field, reason=reason)))
        return meant, wrong


async def fill_in(ctx: Ctx, file: BinaryIO, *, keep: bool) -> Tried:
    """Every row, in one savepoint that stands only if all are good and they shall be kept."""
    titles, lines = await asyncio.to_thread(read, file)
    names = await _Names.of(ctx, lines)
    faults: list[Fault] = []
    whole = await ctx.db.begin_nested()
    for line in lines:
        wrong = await _try(ctx, names, line)
        faults += [
            Fault(line.row, titles.get(field, field), line.told.get(field, ""), _why(ctx, refusal))
            for field, refusal in wrong
        ]
    if keep and not faults:
        await whole.commit()
    else:
        await whole.rollback()
    return Tried(len(lines), faults)


async def _try(ctx: Ctx, names: _Names, line: Line) -> list[tuple[str, Refusal]]:
    meant, wrong = names.resolve(line.told)
    named = {field for field, _ in wrong}
    try:
        new = NewDevice.model_validate(meant)
    except ValidationError as why:
        return wrong + [(one.field, one) for one in refusals(why) if one.field not in named]
    if wrong:
        return wrong
    try:
        async with ctx.db.begin_nested():
            await edit.add(ctx, new.told(), new.owner_user_id)
    except Refusal as why:
        return [(why.field, why)]
    return []


def _why(ctx: Ctx, refusal: Refusal) -> str:
    """Without the field: it stands beside."""
    plain = Refusal(refusal.code, "", reason=refusal.reason, **refusal.values)
    return plain.text(ctx.language)
