"""export.xlsx: durations are durations, percentages are percentages, and no cell is ever a formula.

Written row by row to disk (constant memory), some rows at a time in a thread: the list may be long.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import xlsxwriter

from lustra.core import texts

COLUMNS: tuple[tuple[str, str, str, int], ...] = (  # key of the row, key of the title, kind, width
    ("deviceCode", "device", "text", 18), ("deviceSerialNumber", "serial", "text", 12),
    ("customerName", "customer", "text", 20), ("building", "building", "text", 22), ("floor", "floor", "text", 8),
    ("mapName", "map", "text", 16), ("taskName", "task", "text", 20), ("startTime", "start", "time", 18),
    ("endTime", "end_time", "time", 18), ("seconds", "duration", "duration", 10), ("end", "result", "end", 12),
    ("workArea", "planned", "number", 10), ("cleanedArea", "cleaned", "number", 10),
    ("coverage", "coverage", "share", 10), ("efficiency", "efficiency", "hundredths", 10),
    ("batteryUsed", "battery", "percent", 10), ("liquidMl", "liquid", "number", 10),
    ("warnCount", "alarms", "whole", 8), ("factor", "simulated", "factor", 10),
)  # fmt: skip
FORMATS = {
    "text": "@", "end": "@", "factor": "@", "time": "yyyy-mm-dd hh:mm", "duration": "[h]:mm:ss", "number": "#,##0.0",
    "share": "0.0%", "hundredths": "#,##0.0", "percent": "0%", "whole": "0",
}  # fmt: skip


OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


class Sheet:
    """Times are wall-clock times of the robot's site: a sheet knows no zones."""

    def __init__(self, path: Path, language: str) -> None:
        self.language, self.place = language, 0
        self.book: Any = xlsxwriter.Workbook(path, OPTIONS | {"tmpdir": str(path.parent)})
        self.sheet: Any = self.book.add_worksheet()
        self.looks = {kind: self.book.add_format({"num_format": text}) for kind, text in FORMATS.items()}
        head = self.book.add_format({"bold": True})
        for column, (_, title, _, width) in enumerate(COLUMNS):
            self.sheet.set_column(column, column, width)
            self.sheet.write_string(0, column, texts.say(language, f"export.{title}"), head)
        self.sheet.freeze_panes(1, 0)

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        for row in rows:
            self.place += 1
            for column, (key, _, kind, _) in enumerate(COLUMNS):
                at, look = (self.place, column), self.looks[kind]
                _cell(self.sheet, at, kind, _value(row, key), look=look, language=self.language)

    def close(self) -> None:
        self.book.close()


def _value(row: dict[str, Any], key: str) -> Any:
    if key == "batteryUsed":
        before, after = row["batteryFrom"], row["batteryTo"]
        return None if before is None or after is None else before - after
    value = row[key]
    if isinstance(value, datetime):
        return value.astimezone(ZoneInfo(row["zone"])).replace(tzinfo=None)
    return value


def _cell(sheet: Any, at: tuple[int, int], kind: str, value: Any, *, look: Any, language: str) -> None:
    if value is None or (kind == "factor" and not value):
        sheet.write_blank(*at, None, look)
    elif kind == "time":
        sheet.write_datetime(*at, value, look)
    elif kind == "duration":
        sheet.write_datetime(*at, timedelta(seconds=round(value)), look)
    elif kind == "end":
        sheet.write_string(*at, texts.say(language, f"end.{value}"), look)
    elif kind == "factor":
        sheet.write_string(*at, f"× {value:g}", look)
    elif kind == "text":
        sheet.write_string(*at, str(value), look)
    else:
        sheet.write_number(*at, float(value) / {"share": 1000, "hundredths": 100, "percent": 100}.get(kind, 1), look)
