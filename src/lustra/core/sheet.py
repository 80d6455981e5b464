"""export.xlsx: times are times, durations durations, shares percentages, and no cell is ever a formula. Or the same
rows as export.csv (core/csv_table), for programs. Sums stand below an empty line, in bold: what is counted, sorted or
filtered in the sheet ends before them; a program adds up by itself, so export.csv has none.

XlsxWriter makes the workbook, its styles and its first row; the rows themselves, of which there may be two hundred
thousand, are written into its sheet as they come, some at a time in a thread: a cell at a time through the library
costs six times as much. The file grows on disk and is sent from there.
"""

import asyncio
import re
import tempfile
import zipfile
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from xml.sax.saxutils import escape

import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from lustra.core.calls.registry import Raw
from lustra.core.csv_table import CSV, DIVISORS, CsvTable
from lustra.protocol.doc import doc

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS = {
    "text": "@",
    "time": "yyyy-mm-dd hh:mm",
    "second": "yyyy-mm-dd hh:mm:ss",
    "duration": "[h]:mm:ss",
    "number": "#,##0.0",
    "share": "0.0%",
    "hundredths": "#,##0.0",
    "percent": "0%",
    "whole": "0",
}
LONGEST_TEXT = 32_767  # a cell's most, in characters
AT_ONCE = 256 << 10
DAY_S = 86_400
FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001  # a sheet knows no zones
ROWS = "xl/worksheets/sheet1.xml"
SAMPLE = re.compile(rb'<row r="2" .*?</row>')  # of _framed
NEVER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # in XML
ESCAPED = re.compile("_(x[0-9A-Fa-f]{4}_)")  # a spreadsheet would read it as one character
Column = tuple[str, str, int]  # title, kind of FORMATS, width
ExportForm = Literal["xlsx", "csv"]
SheetForm = Annotated[ExportForm, doc("`xlsx`: a spreadsheet; `csv`: the same rows as RFC 4180 in UTF-8.")]


def _text(value: Any) -> str:
    text = str(value)[:LONGEST_TEXT]
    if not text.isprintable():
        text = NEVER.sub("", text)
    if "_x" in text:
        text = ESCAPED.sub(r"_x005F_\1", text)
    return f't="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'


def _number(value: float) -> str:
    return f"><v>{value:.15g}</v></c>"


def _time(value: datetime) -> str:
    return _number((value - FIRST_DAY).total_seconds() / DAY_S)


def _writer(kind: str) -> Callable[[Any], str]:
    divisor = DIVISORS.get(kind, 1)
    special: dict[str, Callable[[Any], str]] = {
        "text": _text,
        "time": _time,
        "second": _time,
        "duration": lambda seconds: _number(round(seconds) / DAY_S),
    }
    return special.get(kind) or (lambda value: _number(float(value) / divisor))


class Sheet:
    """Times are wall-clock times: a sheet knows no zones."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        frame = path.with_suffix(".frame")
        self.place = 1
        self.columns, self.bold = (
            [
                (f'<c r="{xl_col_to_name(place)}', f'" s="{styles[place]}" ', _writer(kind))
                for place, (_, kind, _) in enumerate(columns)
            ]
            for styles in _framed(frame, columns)
        )
        self.book = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        with zipfile.ZipFile(frame) as archive:
            for part in archive.namelist():
                if part != ROWS:
                    self.book.writestr(part, archive.read(part))
            head, self.tail = SAMPLE.sub(b"", archive.read(ROWS)).split(b"</sheetData>")
        self.sheet = self.book.open(ROWS, "w", force_zip64=True)
        self.sheet.write(re.sub(rb"<dimension [^>]*/>", b"", head))  # how far it goes is not known yet

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        self._write(rows, self.columns)

    def add_sums(self, row: Sequence[Any]) -> None:
        self.place += 1
        self._write([row], self.bold)

    def _write(self, rows: Iterable[Sequence[Any]], columns: Sequence[tuple[str, str, Callable[[Any], str]]]) -> None:
        lines: list[str] = []
        for row in rows:
            self.place += 1
            place = str(self.place)
            cells = [
                begun + place + style + write(value)
                for (begun, style, write), value in zip(columns, row, strict=True)
                if value is not None and value != ""
            ]
            lines.append(f'<row r="{place}">{"".join(cells)}</row>')
        self.sheet.write("".join(lines).encode())

    def close(self) -> None:
        self.sheet.write(b"</sheetData>" + self.tail)
        self.sheet.close()
        self.book.close()


def _framed(path: Path, columns: Sequence[Column]) -> tuple[list[str], list[str]]:
    """Writes a workbook of its head, and a line to show styles; answers each column's style, plain and bold."""
    book: Any = xlsxwriter.Workbook(path, {"tmpdir": str(path.parent)})
    sheet: Any = book.add_worksheet()
    looks = {kind: book.add_format({"num_format": text}) for kind, text in FORMATS.items()}
    bold = {kind: book.add_format({"num_format": text, "bold": True}) for kind, text in FORMATS.items()}
    head = book.add_format({"bold": True})
    for column, (title, kind, width) in enumerate(columns):
        sheet.set_column(column, column, width, looks[kind])
        sheet.write_string(0, column, title, head)
        sheet.write_blank(1, column, None, bold[kind])
    sheet.freeze_panes(1, 0)
    book.close()
    with zipfile.ZipFile(path) as archive:
        rows = archive.read(ROWS).decode()
    alike = re.findall(r'<col min="(\d+)" max="(\d+)" [^>]*style="(\d+)"', rows)
    plain = [style for first, last, style in alike for _ in range(int(first), int(last) + 1)]
    return plain, re.findall(r'<c r="[A-Z]+2" s="(\d+)"/>', rows)


async def export(
    columns: Sequence[Column],
    parts: AsyncIterator[Sequence[Sequence[Any]]],
    form: ExportForm = "xlsx",
    sums: Sequence[Any] = (),
) -> Raw:
    """The answer of an export: its rows are written as they come; `sums`, cells below them, where there are any."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"export.{form}"
        sheet = Sheet(path, columns) if form == "xlsx" else CsvTable(path, columns)
        async for rows in parts:
            await asyncio.to_thread(sheet.add, rows)
        if sums and isinstance(sheet, Sheet):
            sheet.add_sums(sums)
        await asyncio.to_thread(sheet.close)
        return sent(path)


async def no_rows() -> AsyncIterator[Sequence[Sequence[Any]]]:
    """Rows of a template, which a person fills in: none."""
    return
    yield


def sent(path: Path) -> Raw:
    """The file as an answer. Its folder may go meanwhile: an open file stays until it is closed."""
    file = path.open("rb")

    async def content() -> AsyncIterator[bytes]:
        with file:
            while part := await asyncio.to_thread(file.read, AT_ONCE):
                yield part

    return Raw(content(), XLSX if path.suffix == ".xlsx" else CSV, name=path.name)
