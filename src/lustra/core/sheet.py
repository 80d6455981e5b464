"""export.xlsx: times are times, durations durations, shares percentages, and no cell is ever a formula.

Written row by row to disk (constant memory), some rows at a time in a thread, and sent from there: lists may be long.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import xlsxwriter

from lustra.core.registry import Raw

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
NAME = "export.xlsx"
FORMATS = {
    "text": "@", "time": "yyyy-mm-dd hh:mm", "second": "yyyy-mm-dd hh:mm:ss", "duration": "[h]:mm:ss",
    "number": "#,##0.0", "share": "0.0%", "hundredths": "#,##0.0", "percent": "0%", "whole": "0",
}  # fmt: skip
DIVISORS = {"share": 1000, "hundredths": 100, "percent": 100}
LONGEST_TEXT = 32_767  # a cell's most, in characters
AT_ONCE = 256 << 10
OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
Column = tuple[str, str, int]  # title, kind of FORMATS, width


class Sheet:
    """Times are wall-clock times: a sheet knows no zones."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self.place, self.kinds = 0, [kind for _, kind, _ in columns]
        self.book: Any = xlsxwriter.Workbook(path, OPTIONS | {"tmpdir": str(path.parent)})
        self.sheet: Any = self.book.add_worksheet()
        self.looks = {kind: self.book.add_format({"num_format": text}) for kind, text in FORMATS.items()}
        head = self.book.add_format({"bold": True})
        for column, (title, _, width) in enumerate(columns):
            self.sheet.set_column(column, column, width)
            self.sheet.write_string(0, column, title, head)
        self.sheet.freeze_panes(1, 0)

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        for row in rows:
            self.place += 1
            for column, (kind, value) in enumerate(zip(self.kinds, row, strict=True)):
                self._cell(column, kind, value)

    def _cell(self, column: int, kind: str, value: Any) -> None:
        at, look = (self.place, column), self.looks[kind]
        if value is None:
            self.sheet.write_blank(*at, None, look)
        elif kind in ("time", "second"):
            self.sheet.write_datetime(*at, value, look)
        elif kind == "duration":
            self.sheet.write_datetime(*at, timedelta(seconds=round(value)), look)
        elif kind == "text":
            self.sheet.write_string(*at, str(value)[:LONGEST_TEXT], look)
        else:
            self.sheet.write_number(*at, float(value) / DIVISORS.get(kind, 1), look)

    def close(self) -> None:
        self.book.close()


async def export(columns: Sequence[Column], parts: AsyncIterator[Sequence[Sequence[Any]]]) -> Raw:
    """The answer with all rows, some at a time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        made = Sheet(path, columns)
        async for rows in parts:
            await asyncio.to_thread(made.add, rows)
        await asyncio.to_thread(made.close)
        return sent(path)


def sent(path: Path) -> Raw:
    """The file as an answer. Its folder may go meanwhile: an open file stays until it is closed."""
    file = path.open("rb")

    async def content() -> AsyncIterator[bytes]:
        with file:
            while part := await asyncio.to_thread(file.read, AT_ONCE):
                yield part

    return Raw(content(), XLSX, name=NAME)
