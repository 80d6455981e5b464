"""The list of robots, in plain SQL: it is asked for most, and by those who have a hundred thousand of them.

OFFSET counts over thin rows in a sub-select, from whichever end is nearer; only the page's robots are read whole, and
leave the database as the JSON of the answer. Names are the wire's. `robot_need` holds the order and `need_count` the
numbers by mode; both are kept by triggers (migration "lists at scale").
"""

from dataclasses import dataclass
from typing import Any

from msgspec import Raw, json

from lustra.core.context import Services
from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import Where
from lustra.protocol import telemetry

# Who needs somebody first: a mode's place is its `need`.
ORDER = ("help", "emergency", "paused", "manual", "cleaning", "moving", "riding", "charging", "idle", "offline")
MODE = (
    "case when not coalesce(p.online, false) then 'offline' when s.help <> '' then 'help'"
    " else coalesce(s.mode, 'idle') end"
)
THIN = "device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id"


# Where a robot says nothing of its own: what was entered for its device.
ENTERED = {"software": "d.soft_version"}


def _value(field: telemetry.Field) -> str:
    """A field of the newest state in SQL; its default where there is none."""
    if field.lasting:
        entered = ENTERED.get(field.name, "''")
        return f"coalesce(nullif(s.{field.name}, ''), {entered})"
    default = "'{}'" if field.column == "text[]" else "''" if field.column == "text" else "0"
    return f"coalesce(s.{field.name}, {default})"


LIVE = f"""
  {MODE} as mode, coalesce(p.online, false)::int as online,
  case when not p.online then p.since end as "offlineSince",
  case when not p.online then p.reason else '' end as "offlineReason",
  coalesce(s.mode = 'charging', false) as charging, m.id as "mapId", coalesce(s.clock_off, 0) as "clockOff",
  {", ".join(f'{_value(field)} as "{field.key}"' for field in telemetry.SHOWN)}"""
# What its type can do, and what it told of itself beside.
ABILITIES = "array(select unnest(t.abilities) union select unnest(d.abilities) order by 1)"
WITH_MAP = """left join floor_map m
  on m.device_id = d.id and m.owner_id = d.owner_id and m.name = s.map and m.deleted_at is null"""
WHOLE = f"""
d.id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode", d.type_id as "deviceType",
  t.name as "typeName", t.url as "typeUrl", d.customer_name as "customerName", d.owner_id as "ownerUserId", d.address,
  d.address1, d.area, d.province, d.zone, d.latitude, d.longitude, d.customer_address as "customerAddress",
  d.protocol as "protocolVersion", {ABILITIES} as abilities, d.rack_number as "rackNumber", d.sim_no as "simNo",
  d.sim_support as "simSupport", d.boot_time as "bootTime", d.created_at as "createTime",
  d.frp_host as "frpHost", d.frp_port as "frpPort", d.ssh_port as "sshPort", d.web_port as "webPort",
  d.elevator_id as "elevatorId", d.firmware_version, d.pad_version, d.test_device as "testDevice",
  p.heard as "heartbeatTime", d.updated_at as "updateTime",
  coalesce(s.at, 0) as "stateAt", nullif(s.mode_since, 0) as "modeSince", {LIVE}"""
JOINS = f"""join device_type t on t.id = d.type_id
  left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id {WITH_MAP}"""
RANK = "array_position('{" + ",".join(ORDER) + "}'::text[], " + MODE + ")"

FEW = 2000  # robots in scope; above it the index's order is faster than sorting them
# Of a whole scope, $1 is its path, as Where.plain has it.
COUNTS = """
select need, sum(n)::int as n from (
  select c.need, c.n from need_count c where c.owner_path <@ $1::text::ltree
  union all
  select n.need, 1 from robot_need n
  where n.robot in (select b.device_id from device_account b where b.account_path <@ $1::text::ltree)
    and not n.owner_path <@ $1::text::ltree
) of group by need"""
KEYS_BY_INDEX = """
select d.robot as id, d.need, d.name from robot_need d
where (d.owner_path <@ $1::text::ltree
    or d.robot in (select b.device_id from device_account b where b.account_path <@ $1::text::ltree))
  and {mode} order by d.need {way}, d.name {way}, d.robot {way} limit {limit} offset {offset}"""
KEYS_SORTED = """
with visible as materialized (
  select n.robot as id, n.need, n.name from robot_need n where n.robot in (
    select d.id from device d where d.owner_path <@ $1::text::ltree and d.deleted_at is null
    union select b.device_id from device_account b where b.account_path <@ $1::text::ltree)
)
select d.id, d.need, d.name from visible d
where {mode} order by d.need {way}, d.name {way}, d.id {way} limit {limit} offset {offset}"""
SEARCHED = "select n.robot as id, n.need, n.name from device d join robot_need n on n.robot = d.id where {}"
COUNT_SEARCHED = """
select h.need, count(*)::int as n from (
  select n.need from device d join robot_need n on n.robot = d.id where {}
) h group by h.need"""
KEYS_SEARCHED = (
    "select h.id, h.need, h.name from hit h where {mode} order by h.need, h.name, h.id limit {limit} offset {offset}"
)


@dataclass(slots=True)
class DevicePage:
    """`list` as JSON."""

    list: Raw
    total: int
    counts: dict[str, int]


def _by_mode(rows: Any) -> dict[str, int]:
    counts = {row["need"]: row["n"] for row in rows}
    return {mode: counts[need] for need, mode in enumerate(ORDER) if counts.get(need)}


async def count_by_mode(db: Connection, where: Where) -> dict[str, int]:
    if where.plain:
        return _by_mode(await db.fetch(COUNTS, *where.values))
    return _by_mode(await db.fetch(COUNT_SEARCHED.format(where), *where.values))


async def load_page(db: Connection, where: Where, mode: str | None, size: int, page: int) -> DevicePage:
    """Of a search the hits are found once, for the counts and the page; a whole scope is never gone through."""
    if not where.plain:
        return await _search_page(db, where, mode, size, page)
    by_mode = await count_by_mode(db, where)
    total = by_mode.get(mode, 0) if mode else sum(by_mode.values())
    statement = KEYS_BY_INDEX if sum(by_mode.values()) > FEW else KEYS_SORTED
    skipped = (page - 1) * size
    shown = max(0, min(size, total - skipped))
    backwards = skipped > total // 2
    if backwards:
        skipped = max(0, total - skipped - shown)
    keys = statement.format(
        mode=f"d.need = {where.value(ORDER.index(mode))}" if mode else "true",
        way="desc" if backwards else "asc",
        limit=where.value(shown),
        offset=where.value(skipped),
    )
    page_json: Any = await db.fetchval(_page(keys), *where.values)
    return DevicePage(Raw(page_json.encode()), total, by_mode)


async def _search_page(db: Connection, where: Where, mode: str | None, size: int, page: int) -> DevicePage:
    keys = KEYS_SEARCHED.format(
        mode=f"h.need = {where.value(ORDER.index(mode))}" if mode else "true",
        limit=where.value(size),
        offset=where.value((page - 1) * size),
    )
    row = await db.fetchrow(
        f"""with hit as materialized ({SEARCHED.format(where)})
        select ({_page(keys)}) as list, (select json_object_agg(need, n)::text
          from (select need, count(*) as n from hit group by need) c) as counts""",
        *where.values,
    )
    assert row is not None  # one row, always
    counts = [{"need": int(need), "n": n} for need, n in json.decode(row["counts"] or "{}").items()]
    by_mode = _by_mode(counts)
    total = by_mode.get(mode, 0) if mode else sum(by_mode.values())
    return DevicePage(Raw(row["list"].encode()), total, by_mode)


def _page(keys: str) -> str:
    """JSON of the robots of these keys, in their order. Unscoped: the keys are read in scope."""
    return f"""select coalesce(json_agg(r), '[]')::text from (
      select {WHOLE} from ({keys}) k join device d on d.id = k.id {JOINS}
      order by k.need, k.name, k.id) r"""


async def load_device(db: Connection, path: str, device_id: int) -> Raw:
    where = Where()
    where.seen(path)
    where.add("d.id = {}", device_id)
    row = await db.fetchval(
        f"select row_to_json(r)::text from (select {WHOLE} from device d {JOINS} where {where}) r", *where.values
    )
    if row is None:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    return Raw(row.encode())


async def load_briefs(db: Connection, where: Where) -> list[dict[str, Any]]:
    rows = await db.fetch(
        'select d.id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode",'
        ' d.type_id as "typeId", coalesce(p.online, false)::int as online'
        f" from {THIN} where {where} order by d.name, d.id",
        *where.values,
    )
    return [dict(row) for row in rows]


async def load_places(db: Connection, where: Where) -> list[dict[str, Any]]:
    rows = await db.fetch(
        f"""select d.id as "deviceId", d.name as "deviceCode", d.serial_number as "deviceSerialNumber",
          d.protocol as "protocolVersion", d.address, d.area, d.latitude, d.longitude, {MODE} as mode
        from {THIN} where {where} order by {RANK}, d.id""",
        *where.values,
    )
    return [dict(row) for row in rows]


async def sum_counts(app: Services) -> None:
    """Each minute: what came and went becomes one number by owner and mode. Unscoped: of all owners."""
    async with app.pool.acquire() as db:
        await db.execute("select need_summed()")
