"""The list as a spreadsheet, in its order: how long a robot is in its state is a duration, what is left a share."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from lustra.core import texts
from lustra.core.db import Connection
from lustra.core.sheet import Column
from lustra.domains.device.api import Where, country_name
from lustra.domains.telemetry.rows import ORDER, SEARCHED

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
    ("rack", "text", 12),
    ("sim", "text", 22),
    ("software", "text", 12),
    ("firmware", "text", 12),
)
# An owner out of scope (the asker is only bound to the robot) stays unnamed.
WHOLE = """
select d.name as device, d.serial_number as serial, t.name as type,
  case when d.owner_path <@ $1::text::ltree then a.name end as owner,
  d.customer_name as customer, d.customer_address, d.area as country, d.province, d.address as building,
  d.address1 as floor, h.need as state, case when p.heard is null then null
    when p.online then extract(epoch from now()) - nullif(s.mode_since, 0) / 1000.0
    else extract(epoch from now() - p.since) end::float8 as state_for,
  case when p.online then s.battery end as battery_level, case when p.online then s.liquid end as disinfectant,
  s.map, s.task, case when s.run <> '' then s.progress * 100 end as progress,
  case when s.run <> '' then s.cleaned end as cleaned,
  case when p.online and s.mode = 'cleaning' and s.run <> '' then s.remaining_s end as remaining,
  p.heard, d.rack_number as rack, d.sim_no as sim,
  coalesce(nullif(s.software, ''), d.soft_version) as software, d.firmware_version as firmware
from ({}) h join device d on d.id = h.id join device_type t on t.id = d.type_id join account a on a.id = d.owner_id
  left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id
order by h.need, h.name, h.id"""


def list_columns(language: str) -> list[Column]:
    return [(texts.say(language, f"export.{title}"), kind, width) for title, kind, width in COLUMNS]


async def read_parts(db: Connection, where: Where, language: str, zone: ZoneInfo) -> AsyncIterator[list[Sequence[Any]]]:
    """The sheet's rows, AT_ONCE at a time, read by a cursor within the caller's transaction."""
    states = [texts.say(language, f"state.{mode}") for mode in ORDER]
    cursor = await db.cursor(WHOLE.format(SEARCHED.format(where)), *where.values)
    while rows := await cursor.fetch(AT_ONCE):
        yield [_cells(row, states, language, zone) for row in rows]


def _cells(row: Any, states: list[str], language: str, zone: ZoneInfo) -> Sequence[Any]:
    cells = dict(row)
    cells["state"], cells["country"] = states[cells["state"]], country_name(cells["country"], language)
    if cells["heard"] is not None:
        cells["heard"] = cells["heard"].astimezone(zone).replace(tzinfo=None)
    if cells["state_for"] is not None:
        cells["state_for"] = max(0.0, cells["state_for"])  # a robot's clock may go ahead of ours
    return [cells[title] for title, *_ in COLUMNS]
