"""SQL on what robots say of themselves: the list of robots, and what is summed of it."""

from lustra.core.query import natural
from lustra.core.scope import Statement
from lustra.protocol import telemetry

# Who needs somebody first: a mode's place is its `need`.
ORDER = ("help", "emergency", "paused", "manual", "cleaning", "moving", "riding", "charging", "idle", "offline")
LISTED = f"s.mode in {telemetry.MODES}"
# A robot's own word for its mode counts as idle, as in `robot_need`.
MODE = (
    "case when not coalesce(p.online, false) then 'offline' when s.help <> '' then 'help'"
    f" when {LISTED} then s.mode else 'idle' end"
)
MODE_NAME = f"case when not p.online or s.help <> '' or {LISTED} then '' else coalesce(s.mode, '') end"
RANK = "array_position(array[" + ", ".join(f"'{mode}'" for mode in ORDER) + f"], {MODE})"
THIN = "device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id"
# Where a robot says nothing of its own: what was entered for its device.
ENTERED = {"software": "d.soft_version"}
DEFAULTS = {"text[]": "array[]::text[]", "text": "''", "jsonb": "jsonb_build_object()"}
NO_MAP = "left join (select null::bigint as id) m on true"  # `m` of LIVE, where no higher domain knows of maps


def _value(field: telemetry.Field) -> str:
    """A field of the newest state in SQL; its default where there is none."""
    if field.lasting:
        entered = ENTERED.get(field.name, "''")
        return f"coalesce(nullif(s.{field.name}, ''), {entered})"
    if field.name == "liquid":
        return "s.liquid"
    default = DEFAULTS.get(field.column, "0")
    return f"coalesce(s.{field.name}, {default})"


LIVE = f"""
  {MODE} as mode, {MODE_NAME} as "modeName", coalesce(p.online, false)::int as online,
  case when not p.online then p.since end as "offlineSince",
  case when not p.online then p.reason else '' end as "offlineReason",
  coalesce(s.mode = 'charging', false) as charging, m.id as "mapId", coalesce(s.clock_off, 0) as "clockOff",
  {", ".join(f'{_value(field)} as "{field.key}"' for field in telemetry.SHOWN)}"""
# What its type can do, and what it reported of itself beside.
ABILITIES = "array(select unnest(t.abilities) union select unnest(d.abilities) order by 1)"
WHOLE = f"""
d.id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode", d.type_id as "deviceType",
  t.name as "typeName", t.url as "typeUrl", d.customer_name as "customerName", d.owner_id as "ownerUserId", d.address,
  d.address1, d.area, d.province, d.zone, d.latitude, d.longitude, d.customer_address as "customerAddress",
  d.protocol as "protocolVersion", {ABILITIES} as abilities, d.commands,
  d.rack_number as "rackNumber", d.sim_no as "simNo", d.sim_support as "simSupport",
  d.boot_time as "bootTime", d.created_at as "createTime",
  d.frp_host as "frpHost", d.frp_port as "frpPort", d.ssh_port as "sshPort", d.web_port as "webPort",
  d.traffic, d.url as "deviceUrl", coalesce(s.map, '') as map, coalesce(s.task, '') as job,
  d.elevator_id as "elevatorId", d.firmware_version, d.pad_version, d.test_device as "testDevice",
  p.heard as "heartbeatTime", d.updated_at as "updateTime",
  coalesce(s.at, 0) as "stateAt", nullif(s.mode_since, 0) as "modeSince", {LIVE}"""
JOINS = """join device_type t on t.id = d.type_id
  left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id {current_map}"""
HITS = "select n.robot as id, n.need, n.name from device d join robot_need n on n.robot = d.id where {where}"
KEYS_SEARCHED = (
    "select h.id, h.need, h.name from hit h where {mode} order by h.need, h.name, h.id limit {limit} offset {offset}"
)


def _page(keys: str) -> str:
    """A statement that answers the robots of these keys as JSON, in the keys' order."""
    return f"""select coalesce(json_agg(r), '[]')::text from (
  select {WHOLE} from ({keys}) k join device d on d.id = k.id {JOINS}
  order by k.need, k.name, k.id) r"""


# Of a whole scope, $1 is its path, as Where.plain has it.
COUNTS = Statement("""
select need, sum(n)::int as n from (
  select c.need, c.n from need_count c where c.owner_path <@ $1::text::ltree
  union all
  select n.need, 1 from robot_need n
  where n.robot in (select b.device_id from device_account b where b.account_path <@ $1::text::ltree)
    and not n.owner_path <@ $1::text::ltree
) of group by need""")
PAGE_BY_INDEX = Statement(
    _page("""
select d.robot as id, d.need, d.name from robot_need d
where (d.owner_path <@ $1::text::ltree
    or d.robot in (select b.device_id from device_account b where b.account_path <@ $1::text::ltree))
  and {mode} order by d.need {way}, d.name {way}, d.robot {way} limit {limit} offset {offset}"""),
    mode="true",
    way="asc",
    limit="$2",
    offset="$3",
    current_map=NO_MAP,
)
PAGE_SORTED = Statement(
    _page("""
with visible as materialized (
  select n.robot as id, n.need, n.name from robot_need n where n.robot in (
    select d.id from device d where d.owner_path <@ $1::text::ltree and d.deleted_at is null
    union select b.device_id from device_account b where b.account_path <@ $1::text::ltree)
)
select d.id, d.need, d.name from visible d
where {mode} order by d.need {way}, d.name {way}, d.id {way} limit {limit} offset {offset}"""),
    mode="true",
    way="asc",
    limit="$2",
    offset="$3",
    current_map=NO_MAP,
)
COUNT_SEARCHED = Statement(
    """
select h.need, count(*)::int as n from (
  select n.need from device d join robot_need n on n.robot = d.id where {where}
) h group by h.need""",
    where="true",
)
SEARCH_PAGE = Statement(
    f"""with hit as materialized ({HITS})
select ({_page(KEYS_SEARCHED)}) as list, (select json_object_agg(need, n)::text
  from (select need, count(*) as n from hit group by need) c) as counts""",
    where="true",
    mode="true",
    limit="$1",
    offset="$2",
    current_map=NO_MAP,
)
# What a list can be sorted by, as the console's columns are called; nothing entered stands last either way.
SORTS = {
    "state": "n.need",
    "name": natural("d.name"),
    "serial": natural("d.serial_number"),
    "type": natural("t.name"),
    "site": natural("nullif(d.address || ' ' || d.address1, ' ')"),
    "battery": "case when p.online then s.battery end",
    "task": natural("nullif(s.task, '')"),
    "progress": "case when s.run <> '' then s.progress end",
    "cleaned": "case when s.run <> '' then s.cleaned end",
    "disinfectant": "case when p.online then s.liquid end",
    "heard": "p.heard",
    "customer": natural("nullif(d.customer_name, '')"),
    "country": "nullif(d.area, '')",
    "province": natural("nullif(d.province, '')"),
    "rack": natural("nullif(d.rack_number, '')"),
    "software": natural("coalesce(nullif(s.software, ''), nullif(d.soft_version, ''))"),
}
SORT_PAGE = Statement(
    f"""select coalesce(json_agg(r), '[]')::text from (
  select {WHOLE} from (
    select d.id, row_number() over (order by {{order}}, n.name, d.id) as place
    from device d join robot_need n on n.robot = d.id join device_type t on t.id = d.type_id
    left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id
    where {{where}} and {{mode}} order by place limit {{limit}} offset {{offset}}
  ) k join device d on d.id = k.id {JOINS} order by k.place) r""",
    where="true",
    mode="true",
    order="n.need",
    limit="$1",
    offset="$2",
    current_map=NO_MAP,
)
ROBOT = Statement(
    f"select row_to_json(r)::text from (select {WHOLE} from device d {JOINS} where {{where}}) r",
    where="true",
    current_map=NO_MAP,
)
BRIEFS = Statement(
    f"""
select d.id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode",
  d.type_id as "typeId", coalesce(p.online, false)::int as online
from {THIN} where {{where}} order by d.name, d.id""",
    where="true",
)
PLACES = Statement(
    f"""
select d.id as "deviceId", d.name as "deviceCode", d.serial_number as "deviceSerialNumber",
  d.protocol as "protocolVersion", d.address, d.area, d.latitude, d.longitude, {MODE} as mode
from {THIN} where {{where}} order by {RANK}, d.id""",
    where="true",
)
IN_MODE = Statement(
    "select n.need, array_agg(n.robot) as robots from device d join robot_need n on n.robot = d.id"
    " where {where} group by 1",
    where="true",
)
AREA_SUMS = Statement("""
select
  (select coalesce(sum(h.area), 0) from area_hour h where h.robot = :robot and h.owner_id = :owner
    and h.hour >= date_trunc('hour', cast(:since as timestamptz))) as area,
  (select coalesce(sum(h.area), 0) from area_hour h where h.robot = :robot and h.owner_id = :owner
    and h.hour = date_trunc('hour', now())) as in_hour,
  (select min(h.hour) from area_hour h where h.robot = :robot and h.owner_id = :owner) as first_hour""")
# An owner out of scope (the asker is only bound to the robot) stays unnamed.
SHEET = Statement(
    f"""
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
from ({HITS}) h join device d on d.id = h.id join robot_need n on n.robot = h.id
  join device_type t on t.id = d.type_id join account a on a.id = d.owner_id
  left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id
order by {{order}}, h.need, h.name, h.id""",
    where="true",
    order="h.need",
)
# Of who owned the robot as the span began. A point's slot is its second; the slot says in which partition it lies.
# A chunk of ten minutes begins at a whole ten.
OWNED_THEN = "exists (select from owner_at($2, $3) o where o.owner_path <@ $1::text::ltree)"
FRESH_POINTS = Statement(f"""
select at, {", ".join(field.name for field in telemetry.HISTORY)} from point
where robot = $2 and slot between $3::bigint / 1000 and $4::bigint / 1000 and {OWNED_THEN}""")
CHUNKS = Statement(f"""
select data from chunk
where robot = $2 and minute between $3::bigint / 600000 * 10 and $4::bigint / 60000 and {OWNED_THEN}""")
# Which of many spans have any points, by their places from 1 on.
SPANS_WITH_POINTS = Statement("""
select w.place from unnest($2::bigint[], $3::bigint[], $4::bigint[]) with ordinality w(robot, since, until, place)
where exists (select from owner_at(w.robot, w.since) o where o.owner_path <@ $1::text::ltree) and (
  exists (select from chunk c where c.robot = w.robot and c.minute between w.since / 600000 * 10 and w.until / 60000)
  or exists (select from point p where p.robot = w.robot and p.slot between w.since / 1000 and w.until / 1000)
) order by 1""")
