"""The rows of a spreadsheet of robots, read in a process of its own (core/files/intake).

Rules: a sheet is bounded in bytes, packed and unpacked, in the elements of its parts, in rows and in columns, whatever
it says of itself. Its first row names the columns, in any of our languages or as the wire does; a column that nobody
knows is reported, not passed over.
"""

import io
import os
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import count
from typing import Any
from xml.etree.ElementTree import ParseError

import msgspec

from lustra.core import texts
from lustra.core.errors import Code, Refusal

os.environ["OPENPYXL_LXML"] = "False"  # lxml, where it is installed, would read entities

LARGEST = 4 << 20  # bytes of the file
UNPACKED = 32 << 20  # bytes of all that it packs
MOST_PARTS = 200
MOST_MARKS = 800_000  # "<" in all parts: a cell has four
MOST_STYLE_MARKS = 100_000  # each style is an object
MOST_ROWS = 2000
MOST_COLUMNS = 60
LONGEST_TEXT = 2000  # characters of a cell; no field takes more
BROKEN = (  # what openpyxl says of files that are none
    zipfile.BadZipFile,
    zlib.error,
    ParseError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    RuntimeError,
)
FIELDS = {  # title of the column: the wire's name
    "serial": "deviceSerialNumber",
    "device": "deviceCode",
    "type": "deviceType",
    "owner_login": "ownerUserId",
    "rack": "rackNumber",
    "country_code": "area",
    "province": "province",
    "building": "address",
    "floor": "address1",
    "zone": "zone",
    "latitude": "latitude",
    "longitude": "longitude",
    "customer": "customerName",
    "customer_address": "customerAddress",
    "sim": "simNo",
    "sim_provider": "simSupport",
    "node": "frpHost",
    "frp_port": "frpPort",
    "ssh_port": "sshPort",
    "web_port": "webPort",
    "protocol": "protocolVersion",
}


class Line(msgspec.Struct):
    """`row` as the spreadsheet numbers it; `texts`: its cells by the wire's name."""

    row: int
    texts: dict[str, str]


class Sheet(msgspec.Struct):
    """The columns' titles by field, and the rows that are not empty."""

    titles: dict[str, str]
    lines: list[Line]


@cache
def _fields_by_title() -> dict[str, str]:
    """The field by each title that a column may have, in all languages."""
    titles = {
        _fold(texts.say(language, f"export.{title}")): field
        for language in texts.LANGUAGES
        for title, field in FIELDS.items()
    }
    return titles | {_fold(field): field for field in FIELDS.values()}


def _fold(title: Any) -> str:
    return " ".join(str(title or "").split()).casefold()


def _refuse_file(reason: str, **values: object) -> Refusal:
    return Refusal(Code.BAD_INPUT, "file", reason=reason, **values)


def read_rows(files: dict[str, bytes]) -> Sheet:
    import openpyxl  # noqa: PLC0415  a fifth of a second, which only the process that reads sheets shall pay

    (data,) = files.values()
    if len(data) > LARGEST:
        raise Refusal(Code.TOO_LARGE, "file", limit=f"{LARGEST >> 20} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            _refuse_large_parts(packed)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet: Any = book.worksheets[0]
        sheet.reset_dimensions()  # a file may say that it has a million columns
        return _read(sheet.iter_rows(max_row=MOST_ROWS + 2, max_col=MOST_COLUMNS, values_only=True))
    except BROKEN:
        raise _refuse_file("sheet_broken") from None


def _refuse_large_parts(packed: zipfile.ZipFile) -> None:
    """A million empty styles are 11 kB packed: the elements are counted before any is made an object."""
    parts = packed.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > UNPACKED:
        raise _refuse_file("sheet_large")
    marks = {part.filename: packed.read(part).count(b"<") for part in parts if not part.is_dir()}
    styles = max((count for name, count in marks.items() if "styles" in name.lower()), default=0)
    if sum(marks.values()) > MOST_MARKS or styles > MOST_STYLE_MARKS:
        raise _refuse_file("sheet_large")


def _read(rows: Iterator[tuple[Any, ...]]) -> Sheet:
    head = next(rows, ())
    titles = {place: " ".join(str(title).split()) for place, title in enumerate(head) if title is not None}
    unknown = [title for title in titles.values() if _fold(title) not in _fields_by_title()]
    if unknown or not titles:
        raise _refuse_file("sheet_column" if unknown else "sheet_empty", column=unknown[0][:50] if unknown else "")
    fields = {place: _fields_by_title()[_fold(title)] for place, title in titles.items()}
    if len(set(fields.values())) < len(fields):
        raise _refuse_file("sheet_twice")
    lines: list[Line] = []
    for number, row in zip(count(2), rows, strict=False):
        texts = {fields[place]: text for place, value in enumerate(row) if place in fields and (text := _text(value))}
        if texts:
            lines.append(Line(number, texts))
        if number > MOST_ROWS + 1:
            raise _refuse_file("sheet_rows", limit=MOST_ROWS)
    if not lines:
        raise _refuse_file("sheet_empty")
    return Sheet({field: titles[place] for place, field in fields.items()}, lines)


def _text(value: Any) -> str:
    """A spreadsheet makes numbers of what looks like some: 20001.0 is a port."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.isoformat()
    return "" if value is None else str(value).strip()[:LONGEST_TEXT]
