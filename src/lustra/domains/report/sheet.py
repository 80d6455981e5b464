"""The columns of a spreadsheet of runs, and a run's cells."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from lustra.core import texts
from lustra.core.sheet import Column

COLUMNS: tuple[tuple[str, str, str, int], ...] = (  # key of the row, key of the title, kind, width
    ("deviceCode", "device", "text", 18),
    ("deviceSerialNumber", "serial", "text", 12),
    ("customerName", "customer", "text", 20),
    ("building", "building", "text", 22),
    ("floor", "floor", "text", 8),
    ("mapName", "map", "text", 16),
    ("taskName", "task", "text", 20),
    ("startTime", "start", "time", 18),
    ("endTime", "end_time", "time", 18),
    ("seconds", "duration", "duration", 10),
    ("end", "result", "text", 12),
    ("plannedArea", "planned", "number", 10),
    ("cleanedArea", "cleaned", "number", 10),
    ("coverage", "coverage", "share", 10),
    ("efficiency", "efficiency", "hundredths", 10),
    ("batteryUsed", "battery", "percent", 10),
    ("liquidMl", "liquid", "number", 10),
    ("warnCount", "alarms", "whole", 8),
    ("factor", "simulated", "text", 10),
    ("zone", "zone", "text", 18),
)


def columns(language: str) -> list[Column]:
    return [(texts.say(language, f"export.{title}"), kind, width) for _, title, kind, width in COLUMNS]


def cells(row: dict[str, Any], language: str) -> Sequence[Any]:
    """Times are wall-clock times of the robot's site."""
    return [_value(row, key, language) for key, *_ in COLUMNS]


def sum_cells(sums: dict[str, Any], language: str) -> Sequence[Any]:
    """What the list says of all its runs together, under the columns that it sums up."""
    return [texts.say(language, "export.sum"), *(sums.get(key) for key, *_ in COLUMNS[1:])]


def _value(row: dict[str, Any], key: str, language: str) -> Any:
    if key == "batteryUsed":
        before, after = row["batteryFrom"], row["batteryTo"]
        return None if before is None or after is None else before - after
    value = row[key]
    if key == "factor":
        return f"× {value:g}" if value else None
    if key == "end":
        return texts.say(language, f"end.{value}")
    if isinstance(value, datetime):
        return value.astimezone(ZoneInfo(row["zone"])).replace(tzinfo=None)
    return value
