"""SQL on alarms."""

from lustra.core.scope import Statement

FROM = """
  alarm r join device d on d.id = r.device_id left join account a on a.id = r.resolved_by
  left join account t on t.id = r.taken_by"""
ROW = """
  r.id as "warnId", r.device_id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode",
  d.protocol as "protocolVersion",
  d.address as building, d.address1 as floor, d.zone, r.code, r.type, r.level, r.state, r.count,
  r.raised_at as "time", r.last_at as "lastTime", r.cleared_at as "clearedTime", r.resolved_at as "resolveDate",
  coalesce(a.name, '') as "resolvedBy", t.id as "takenUserId", coalesce(t.name, '') as "takenBy",
  r.taken_at as "takenTime", r.detail, r.map_name as "mapName", r.run, r.x, r.y, r.yaw
"""
NEWEST = "r.raised_at desc, r.id desc"
PAGE = Statement(
    f"""
select {ROW} from {FROM} where r.id in (
  select r.id from {FROM} where {{where}} order by {NEWEST} limit {{limit}} offset {{offset}}
) order by {NEWEST}""",
    where="true",
    limit="$1",
    offset="$2",
)
COUNT = Statement(f"select count(*) from {FROM} where {{where}}", where="true")
# What needs somebody first: the gravest, then the newest.
OPEN = Statement(
    f"""
select {ROW} from {FROM} where r.id in (
  select r.id from alarm r where {{where}} and r.state < 2 order by r.level desc, {NEWEST} limit {{limit}}
) order by r.level desc, {NEWEST}""",
    where="true",
    limit="$1",
)
COUNT_OPEN = Statement(
    "select count(*) as count, coalesce(max(r.id), 0) as newest from alarm r where {where} and r.state < 2",
    where="true",
)
NEW = Statement(f"select {ROW} from {FROM} where {{where}} order by r.id limit {{limit}}", where="true", limit="$1")
# Days of the robot's place.
CHART = Statement(
    """
select (r.raised_at at time zone d.zone)::date as date, r.type, r.level, count(*)::int as count
from alarm r join device d on d.id = r.device_id where {where} group by 1, 2, 3 order by 1, 2, 3""",
    where="true",
)
SUMMARY = Statement(
    """
select r.code, r.type, max(r.level)::int as level, count(*)::int as count,
  count(*) filter (where r.state < 2)::int as open, count(distinct r.device_id)::int as devices
from alarm r join device d on d.id = r.device_id where {where}
group by r.code, r.type order by count desc, r.code, r.type""",
    where="true",
)
SUMMARY_OF_DEVICES = Statement(
    """
select d.id as "deviceId", d.name as "deviceCode", d.serial_number as "deviceSerialNumber", count(*)::int as count,
  count(*) filter (where r.state < 2)::int as open
from alarm r join device d on d.id = r.device_id where {where}
group by d.id order by count desc, d.id limit {limit}""",
    where="true",
    limit="$1",
)
ROBOTS = Statement(
    "select serial_number as sn, id from device where serial_number = any($1::text[]) and deleted_at is null"
)
STORE = Statement("""
select case c.kind
  when 'raised' then alarm_raise($1, 'robot', 'robot ' || c.id, c.code, c.moment, c.level, c.detail)::text
  else alarm_clear($1, 'robot', 'robot ' || c.id, c.code, c.moment)::text end
from (
  select r.*, to_timestamp(r.at / 1000.0) as moment from jsonb_to_recordset($2::text::jsonb)
    as r(place int, kind text, at bigint, id text, code text, level int, detail text) order by r.place
) c""")
RESYNC = Statement(
    "select alarm_resync($1, to_timestamp($2 / 1000.0), array(select 'robot ' || k from unnest($3::text[]) k))"
)
ONLINE = Statement("select online from presence where robot = :id")
