"""The list as a spreadsheet, in its order: how long a robot is in its state is a duration, what is left a share."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from lustra.core import texts
from lustra.core.db import Connection
from lustra.core.query import SortOrder
from lustra.core.sheet import Column
from lustra.domains.device.api import Where, country_name
from lustra.domains.telemetry import queries
from lustra.domains.telemetry.queries import ORDER

AT_ONCE = 500
COLUMNS: tuple[tuple[str, str, int], ...] = (  # title, which is the column's name in the query; kind, width
    ("device", "text", 18),
    ("serial", "text", 14),
    ("type", "text", 16),
    ("owner", "text", 20),
    ("customer", "text", 20),
    ("customer_address", "text", 24),
    ("country", "text", 14),
    ("province", "text", 14),
    ("building", "text", 22),
    ("floor", "text", 8),
    ("state", "text", 14),
    ("state_for", "duration", 12),
    ("battery_level", "percent", 10),
    ("disinfectant", "percent", 10),
    ("map", "text", 16),
    ("task", "text", 20),
    ("progress", "percent", 10),
    ("cleaned", "number", 12),
    ("remaining", "duration", 12),
    ("heard", "second", 20),
    ("zone", "text", 18),
    ("rack", "text", 12),
    ("sim", "text", 22),
    ("software", "text", 12),
    ("firmware", "text", 12),
)


def list_columns(language: str) -> list[Column]:
    return [(texts.say(language, f"export.{title}"), kind, width) for title, kind, width in COLUMNS]


async def read_parts(
    db: Connection, where: Where, language: str, zone: ZoneInfo, order: SortOrder | None = None
) -> AsyncIterator[list[Sequence[Any]]]:
    """The sheet's rows, AT_ONCE at a time, read by a cursor within the caller's transaction."""
    states = [texts.say(language, f"state.{mode}") for mode in ORDER]
    cursor = await db.cursor(where.sql(queries.SHEET, order=order.sql if order else "h.need"), *where.values)
    while rows := await cursor.fetch(AT_ONCE):
        yield [_cells(row, states, language, zone) for row in rows]


def _cells(row: Any, states: list[str], language: str, zone: ZoneInfo) -> Sequence[Any]:
    cells = dict(row)
    cells["state"], cells["country"] = states[cells["state"]], country_name(cells["country"], language)
    cells["zone"] = zone.key
    if cells["heard"] is not None:
        cells["heard"] = cells["heard"].astimezone(zone).replace(tzinfo=None)
    if cells["state_for"] is not None:
        cells["state_for"] = max(0.0, cells["state_for"])  # a robot's clock may go ahead of ours
    return [cells[title] for title, *_ in COLUMNS]
