"""States of robots into the database, a batch in one statement.

Rules: the newest state only ever moves forward, whenever a message comes: within a stream of the robot's by its
counter, else by its own clock where that is right (live/clocks). What a state does not say of its pose, mode or battery
stays as it was known. One that an earlier version let run ahead of the present gives way to the next. A message counts
once: the point by its slot (one a second at most, one a minute at rest), the m² by what `total` grew by since the
newest state, in the statement that moves it. What comes late fills the points and counts nothing twice. A robot is
online when it is heard after its last good-bye.
"""

from datetime import datetime
from typing import Any

import msgspec

from lustra.core.db import Connection
from lustra.live.clocks import LIMIT_MS, Clocks
from lustra.live.ingest.presence import ms
from lustra.protocol import telemetry
from lustra.protocol.flaws import INDISPENSABLE, Reading
from lustra.protocol.telemetry import State

REST = {"idle", "charging"}
NO_LIQUID = -1.0  # in the history, of a robot without a tank

COLUMNS = ", ".join(telemetry.COLUMNS)
# A list of texts travels as one text: an array of arrays has one length in PostgreSQL.
SEPARATOR = "\x1f"
TYPES = ["text" if column in {"text[]", "jsonb"} else column for column in telemetry.COLUMNS.values()]
GIVEN = ", ".join(f"${place}::{column}[]" for place, column in enumerate(TYPES, 5))
READ_BACK = {
    "text[]": "string_to_array(n.{name}, chr(31))",
    "jsonb": "n.{name}::jsonb",
}
NEWEST = ", ".join(
    "greatest(n.at, n.known_at + 1)" if name == "at" else READ_BACK.get(column, "n.{name}").format(name=name)
    for name, column in telemetry.COLUMNS.items()
)
LASTING = {field.name for field in telemetry.fields() if field.lasting}
MOVED = ", ".join(
    f"coalesce(nullif(excluded.{name}, ''), robot_state.{name})" if name in LASTING else f"excluded.{name}"
    for name in telemetry.COLUMNS
)
POINT = ", ".join(field.name for field in telemetry.HISTORY)
POINT_VALUES = ", ".join(
    f"coalesce({field.name}, {NO_LIQUID})" if field.name == "liquid" else field.name for field in telemetry.HISTORY
)
KNOWN = ", ".join(f"s.{name} as known_{name}" for name in INDISPENSABLE)
FILLED = ", ".join(
    f"coalesce(c.{name}, w.known_{name}, {default!r}) as {name}" if name in INDISPENSABLE else f"c.{name}"
    for name, default in (dict.fromkeys(telemetry.COLUMNS) | INDISPENSABLE).items()
)

CLOCKS_BEHIND = """
select d.serial_number as sn, s.clock_off from robot_state s join device d on d.id = s.robot
where s.clock_off < 0 and d.deleted_at is null"""
STORE = f"""
with come as materialized (
  select distinct on (d.id, m.at) d.id as robot, m.*,
    (extract(epoch from m.heard) * 1000)::bigint + {LIMIT_MS} as latest,
    coalesce(a.id, d.owner_id) as owner_id, coalesce(a.path, d.owner_path) as owner_path
  from unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[], {GIVEN})
    as m(sn, heard, slot, clock_off, {COLUMNS})
  join device d on d.serial_number = m.sn and d.deleted_at is null
  left join former_owner f on f.device_id = d.id and (f.until is null or m.at < f.until)  -- its m² are theirs
  left join account a on a.id = f.owner_id
  order by d.id, m.at, f.id, m.total desc
), was as materialized (  -- locked in one order, so that a second ingest waits and then sees what the first wrote
  select s.robot, s.total, case when s.at <= c.latest then s.at end as at,
    case when s.at <= c.latest then s.run end as run, s.run_since, s.run_battery, s.run_liquid,
    case when s.at <= c.latest then s.mode end as mode, s.help, s.mode_since, s.stream, s.seq, {KNOWN}
  from robot_state s join (select robot, max(latest) as latest from come group by robot) c using (robot)
  order by s.robot for update of s
), filled as (  -- a stream is as new as its newest state
  select c.robot, c.slot, c.heard, c.clock_off, c.latest, c.owner_id, c.owner_path, {FILLED},
    case when c.stream = '' then c.at else max(c.at) over (partition by c.robot, c.stream) end as stream_at
  from come c left join was w using (robot)
), kept as (
  insert into point (robot, slot, at, {POINT})
  select robot, slot, at, {POINT_VALUES} from filled order by robot, slot, at
  on conflict do nothing returning 1
), fresh as (
  select c.*, c.total - coalesce(
    lag(c.total) over (partition by c.robot order by c.stream_at, c.seq, c.at), w.total, c.total) as grown
  from filled c left join was w using (robot)
  where w.at is null or case when c.stream <> '' and c.stream = w.stream then c.seq > w.seq else c.at > w.at end
), swept as (
  insert into area_hour (robot, hour, owner_id, owner_path, area)
  select robot, date_trunc('hour', to_timestamp(at / 1000.0)), owner_id, owner_path, sum(grown)
  from fresh where grown > 0 group by 1, 2, 3, 4
  on conflict (robot, hour, owner_id) do update set area = area_hour.area + excluded.area
), newest as (
  select distinct on (f.robot) f.*, f.run <> '' and f.run = w.run as same_run, w.run_since, w.run_battery, w.run_liquid,
    f.mode = w.mode and f.help = w.help as same_mode, w.mode_since, w.at as known_at
  from fresh f left join was w using (robot) order by f.robot, f.stream_at desc, f.seq desc, f.at desc
), moved as (
  insert into robot_state (robot, {COLUMNS}, clock_off, run_since, run_battery, run_liquid, mode_since)
  select n.robot, {NEWEST}, n.clock_off,
    case when same_run then run_since else at end,
    case when same_run then run_battery else battery end, case when same_run then run_liquid else liquid end,
    case when same_mode then mode_since else at end
  from newest n
  on conflict (robot) do update set ({COLUMNS}, clock_off, run_since, run_battery, run_liquid, mode_since) =
    ({MOVED}, excluded.clock_off, excluded.run_since, excluded.run_battery, excluded.run_liquid, excluded.mode_since)
  where robot_state.at < excluded.at or robot_state.at > (select max(latest) from come)
), said as (
  select c.robot, max(c.heard) as heard, max(c.at) > min(o.off_at) or min(o.off_at) > max(c.latest) as back
  from come c join presence o using (robot) group by c.robot
), present as (
  update presence p set
    heard = greatest(p.heard, s.heard), online = p.online or s.back,
    since = case when not p.online and s.back then s.heard else p.since end,
    reason = case when s.back then '' else p.reason end
  from said s join presence o using (robot) where p.robot = s.robot
  returning p.robot, p.since, p.online and not o.online as back
), spans as (
  insert into online_span (robot, began) select robot, since from present where back on conflict do nothing
)
select (select count(*) from kept) as kept,
  (select coalesce(array_agg(d.serial_number), '{{}}') from present p join device d on d.id = p.robot
   where p.back) as back
"""

Row = tuple[Any, ...]


def slot(state: State) -> int:
    """The second that the point stands for; a robot at rest has one a minute."""
    second = state.at // 1000
    return second // 60 * 60 if state.mode in REST and not state.help else second


def build_row(clocks: Clocks, sn: str, received: datetime, reading: Reading) -> Row:
    """The row of a message, by the time that counts."""
    state = reading.state
    at, off = clocks.judge(sn, state.at, ms(received))
    counted = state if at == state.at else msgspec.structs.replace(state, at=at)
    return row(sn, received, counted, off, reading.unknown)


def row(sn: str, received: datetime, state: State, clock_off: int = 0, unknown: frozenset[str] = frozenset()) -> Row:
    values = (None if name in unknown else getattr(state, name) for name in telemetry.COLUMNS)
    return (sn, received, slot(state), clock_off, *map(travelling, values))


def travelling(value: Any) -> Any:
    """A list or a dictionary as one text."""
    if isinstance(value, list):
        return SEPARATOR.join(value)
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else value


async def store(db: Connection, rows: list[Row]) -> tuple[int, list[str]]:
    """One statement, one commit. How many points were new, and who came back online."""
    if not rows:
        return 0, []
    counts = await db.fetchrow(STORE, *zip(*rows, strict=True))
    return (counts["kept"], counts["back"]) if counts else (0, [])


async def clocks_behind(db: Connection) -> list[tuple[str, int]]:
    """Robots whose clock was found behind, and by how many ms (below 0)."""
    rows = await db.fetch(CLOCKS_BEHIND)
    return [(row["sn"], row["clock_off"]) for row in rows]
