"""SQL on alarms."""

from lustra.core.scope import Statement

FROM = """
  alarm r join device d on d.id = r.device_id left join account a on a.id = r.resolved_by
  left join account t on t.id = r.taken_by left join alarm_group g on g.id = r.group_id"""
ROW = """
  r.id as "warnId", r.device_id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode",
  d.protocol as "protocolVersion",
  d.address as building, d.address1 as floor, d.zone, r.code, r.type, r.level, r.state, r.count,
  r.raised_at as "time", r.last_at as "lastTime", r.cleared_at as "clearedTime", r.resolved_at as "resolveDate",
  coalesce(a.name, '') as "resolvedBy", t.id as "takenUserId", coalesce(t.name, '') as "takenBy",
  r.taken_at as "takenTime",
  (select max(z.until) from alarm_snooze z where z.device_id = r.device_id and z.code in ('', r.code)
    and z.since <= now() and z.until > now()) as "snoozedUntil",
  r.group_id as "groupId", coalesce(g.name, '') as "groupName", coalesce(g.cause, '') as "groupCause",
  (select count(*)::int from alarm m where m.group_id = r.group_id) as "groupCount",
  r.detail, r.map_name as "mapName", r.run, r.x, r.y, r.yaw,
  (select m.id from floor_map m where m.device_id = r.device_id and m.owner_id = r.owner_id and m.name = r.map_name
    and r.map_name <> '') as "mapId"
"""
AWAKE = """not exists (
  select from alarm_snooze z where z.device_id = r.device_id and z.code in ('', r.code)
    and z.since <= now() and z.until > now())"""
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
# Of these robots since then: the newest alarm of each level.
RECENT = Statement("""
select device_id, level, max(last_at) as last_at from alarm
where device_id = any($1) and type = 2 and last_at > $2 group by 1, 2""")
OPEN = Statement(
    f"""
select {ROW} from {FROM} where r.id in (
  select r.id from alarm r where {{where}} and r.state < 2 order by r.level desc, {NEWEST} limit {{limit}}
) order by r.level desc, {NEWEST}""",
    where="true",
    limit="$1",
)
COUNT_OPEN = Statement(
    """
select count(*) as count, count(r.taken_by) as taken, coalesce(max(r.id), 0) as newest
from alarm r where {where} and r.state < 2""",
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
RAISE = Statement("""
select alarm_raise_all($1::bigint[], 'robot', $2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::text[])""")
CLEAR = Statement("""
select alarm_clear_all($1::bigint[], 'robot', $2::text[], $3::text[], $4::timestamptz[])""")
RESYNC = Statement("""
select alarm_resync_all($1::bigint[], $2::timestamptz[], $3::bigint[], $4::text[])""")
ONLINE = Statement("select online from presence where robot = :id")
# Of the owner and code of an alarm.
LOCK_CODE = Statement("select pg_advisory_xact_lock(owner_id::int, hashtext(code)) from alarm where id = :id")
NODE_SHARE = Statement("""
select count(distinct d.id), count(distinct a.device_id)
from device d left join alarm a on a.device_id = d.id and a.code = 'offline' and a.state < 2
  and a.raised_at between :since and :until
where d.frp_host = :host and d.deleted_at is null""")
# By code and wait how often somebody would have been notified: of a group once, and not of what was over before.
DRY_RUN = Statement(
    """
select r.code, w.wait as "notifyAfterS", count(distinct coalesce(-r.group_id, r.id))::int as count
from alarm r cross join unnest({waits}::int[]) as w(wait)
where {where} and r.raised_at > now() - make_interval(days => {days})
  and (w.wait = 0 or coalesce(r.cleared_at, r.resolved_at, now()) - r.raised_at >= make_interval(secs => w.wait))
group by r.code, w.wait order by r.code, w.wait""",
    waits="$1",
    where="true",
    days="30",
)
# Of an installation whose robots are all offline nobody can say.
INGEST_HEARS = Statement(
    """
select not exists (select from presence where online)
  or exists (select from presence where heard > now() - interval '{silent}')""",
    silent="1 minute",
)
