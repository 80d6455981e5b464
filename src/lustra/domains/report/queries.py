"""SQL on the runs of robots."""

from lustra.core.query import natural
from lustra.core.scope import Statement, system
from lustra.domains.report.sums.figures import COVERAGE, DAY, PLANNED, TODAY

EVERY = system("runs of all robots, as they come and go; the hours of a robot in scope; targets of who stands above")
SECONDS = "extract(epoch from r.ended - r.started)::float8"


def exact(column: str) -> str:
    """A `real` as it was sent: 12.3, where its nearest double is 12.300000190734863."""
    return f"{column}::text::float8"


ROW = f"""
  r.id as "taskReportId", coalesce(nullif(r.gid, ''), r.run) as gid, r.device_id as "deviceId", d.name as "deviceCode",
  d.serial_number as "deviceSerialNumber", coalesce(nullif(d.customer_name, ''), a.name) as "customerName",
  r.building, r.floor, r.map_id as "mapId", r.map_name as "mapName", r.task_name as "taskName",
  r.started as "startTime", r.ended as "endTime", {SECONDS} as seconds, r."end", {exact("r.planned")} as "workArea",
  {exact("r.reachable")} as "reachableArea", {exact(PLANNED)} as "plannedArea",
  {exact("r.cleaned")} as "cleanedArea",
  round(least(1000, 1000 * coalesce({COVERAGE}, 0)))::int as coverage,
  round(least(1e9, coalesce(r.cleaned / nullif({SECONDS}, 0) * 3600 * 100, 0)))::int as efficiency,
  {exact("r.battery_from")} as "batteryFrom", {exact("r.battery_to")} as "batteryTo",
  {exact("r.liquid_ml")} as "liquidMl", {exact("r.distance")} as distance, r.pauses,
  cardinality(r.faults) as "warnCount", r.clean_mode as "cleanMode", r.route, r.speed, {exact("r.factor")} as factor,
  r.by_hand as "byHand", coalesce(e.name, '') as editor, r.edited_at as "editTime" """
FROM = """task_report r join device d on d.id = r.device_id join account a on a.id = r.owner_id
  left join account e on e.id = r.editor_id"""
WORDS = """lower(normalize(r.task_name || ' ' || r.map_name || ' ' || r.building || ' ' || r.floor || ' ' || d.name
  || ' ' || d.serial_number, nfkc))"""
PART = "strpos(lower(normalize(r.{}, nfkc)), lower(normalize({{}}, nfkc))) > 0"
# The map as it was for the run, or the oldest that is known.
VERSION = """map_version v on v.map_id = r.map_id and v.revision = coalesce(
  (select max(w.revision) from map_version w where w.map_id = r.map_id and w.revision <= r.map_revision),
  (select min(w.revision) from map_version w where w.map_id = r.map_id))"""
ORDER = "r.started desc, r.id desc"
VALUES = {
    "map_revision": "int",
    "planned": "real",
    "reachable": "real",
    "cleaned": "real",
    "coverage": "real",
    "battery_from": "real",
    "battery_to": "real",
    "liquid_ml": "real",
    "distance": "real",
    "pauses": "int",
    "paused_s": "real",
    "clean_mode": "text",
    "route": "text",
    "speed": "text",
    "faults": "text[]",
    "factor": "real",
    "cells": "jsonb",
    "driven": "real[]",
    "missed": "jsonb",
    "unreachable": "jsonb",
    "gid": "text",
}
NAMES = ", ".join(VALUES)
DETAIL = Statement(
    f"""
select {ROW}, r.run, r.owner_path::text as owner_path,
  r.owner_id as "ownerUserId", r.original, r.updated_at as "updateTime", r.cells,
  r.driven::text::float8[] as driven, v.revision as map_revision,
  v.resolution, v.origin_x, v.origin_y, v.origin_yaw,
  v.width, v.height
from {FROM} left join {VERSION}
where {{where}}""",
    where="true",
)
AGO = f"{TODAY} - {DAY}"
CLEANED_RUNS = Statement(
    f"""
select r.id, r.updated_at, r.ended, {AGO} as ago from task_report r join device d on d.id = r.device_id
where {{where}} and r.started > now() - interval '{{days}} days' - interval '1 day'
  and {AGO} >= 0 and {AGO} < {{days}} and r.cells is not null
order by r.ended desc, r.id desc limit {{most}}""",
    where="true",
    days="2",
    most="1",
)
HEAT_RUNS = Statement(
    f"""
select r.id, r.updated_at, {{end}} - {DAY} as ago
from task_report r join device d on d.id = r.device_id
where {{where}} and {DAY} between {{start}} and {{end}} and r.cells is not null
  and r.started >= {{start}}::timestamp - interval '1 day' and r.started < {{end}}::timestamp + interval '2 days'
order by r.ended desc, r.id desc limit {{most}}""",
    where="true",
    start="'2026-01-01'::date",
    end="'2026-01-01'::date",
    most="1",
)
CLEANED_CELLS = Statement(
    f"""
select r.id, r.cells, r.liquid_ml, v.resolution, v.origin_x, v.origin_y, v.origin_yaw
from task_report r join {VERSION}
where {{where}}""",
    where="true",
)
LEFT_CELLS = Statement(
    f"""
select r.started, r.missed, r.unreachable,
  v.resolution, v.origin_x, v.origin_y, v.origin_yaw
from task_report r join {VERSION}
where {{where}}""",
    where="true",
)
LEFT_BEFORE = Statement(
    f"""
select r.missed, v.resolution, v.origin_x, v.origin_y, v.origin_yaw
from task_report r join {VERSION}
where {{where}} and r.missed is not null and r.started >= {{since}}::timestamptz - make_interval(days => {{days}})
order by r.started desc limit {{most}}""",
    where="true",
    since="now()",
    days="7",
    most="1",
)
ALARMS = Statement("select r.raised_at, r.code, r.x, r.y from alarm r where {where} order by r.raised_at", where="true")
# With the map as it was when it was raised, or the oldest that is known.
ALARM = Statement(
    """
select r.device_id, r.owner_id, r.owner_path::text as owner_path, r.raised_at, d.name as device_name, m.id as map_id,
  v.revision as map_revision, v.resolution, v.origin_x, v.origin_y, v.origin_yaw, v.width, v.height
from alarm r join device d on d.id = r.device_id
  left join floor_map m on m.device_id = r.device_id and m.owner_id = r.owner_id and m.name = r.map_name
  left join map_version v on v.map_id = m.id and v.revision = coalesce(
    (select max(w.revision) from map_version w where w.map_id = m.id and w.at <= r.raised_at),
    (select min(w.revision) from map_version w where w.map_id = m.id))
where {where}""",
    where="true",
)
# Of the robot that had the alarm: what it made for it, or while it was open, and what covers the alarm's time.
RECORDINGS_OF_ALARM = Statement(
    """
select l.id, l.name, l.time, l.trigger, l.upload_state as "uploadState", l.recording_state as "recordingState"
from alarm r join device_log l on l.device_id = r.device_id and l.owner_id = r.owner_id and l.kind = 'rosbag'
where {where} and (
  exists (
    select from alarm_cause c where c.alarm_id = r.id and c.device_id = r.device_id
      and l.trigger @> jsonb_build_object('alarms', jsonb_build_array(
        jsonb_build_object('id', regexp_replace(c.key, '^robot ', '')))))
  or (l.recording ->> 'start')::bigint <= epoch_ms(r.raised_at + interval '{after} s')
    and (l.recording ->> 'end')::bigint >= epoch_ms(r.raised_at - interval '{before} s'))
order by l.time, l.id limit {most}""",
    where="true",
    before="30",
    after="10",
    most="20",
)
# With the map of then: of a run, or of an alarm, of its time (`known`); else of what the robot has loaded now.
RECORDING = Statement(
    """
select r.device_id, r.owner_id, r.owner_path::text as owner_path, r.name, n.known, n.name as map_name, m.id as map_id,
  s.start, s.until as "end", v.revision as map_revision, v.resolution, v.origin_x, v.origin_y, v.origin_yaw, v.width,
  v.height
from device_log r
  cross join lateral (select (r.recording ->> 'start')::bigint as start, (r.recording ->> 'end')::bigint as until) s
  cross join lateral (
    select r.trigger ->> 'map' as name, true as known where r.trigger ->> 'map' <> ''
    union all
    select t.map_name, true from task_report t
    where t.device_id = r.device_id and t.owner_id = r.owner_id
      and t.started <= to_timestamp(s.until / 1000.0) and t.ended >= to_timestamp(s.start / 1000.0)
    union all
    select a.map_name, true from alarm a
    where a.device_id = r.device_id and a.owner_id = r.owner_id and a.map_name <> ''
      and a.raised_at between to_timestamp(s.start / 1000.0) and to_timestamp(s.until / 1000.0)
    union all
    select (select p.map from robot_state p where p.robot = r.device_id), false
    limit 1) n
  left join floor_map m on m.device_id = r.device_id and m.owner_id = r.owner_id and m.name = n.name
  left join map_version v on v.map_id = m.id and v.revision = coalesce(
    (select max(w.revision) from map_version w where w.map_id = m.id and w.at <= to_timestamp(s.start / 1000.0)),
    (select min(w.revision) from map_version w where w.map_id = m.id))
where {where}""",
    where="true",
)
MAPS_CLEANED = Statement(
    "select distinct r.map_name as name from task_report r where {where} order by name", where="true"
)
WARN_OF_WET_FLOOR = "select tell_wet_floor($1, $2, $3, $4, $5)"
# What the list can be sorted by, as the console's columns are called.
SORTS = {
    "task": natural("coalesce(nullif(r.task_name, ''), r.map_name)"),
    "deviceCode": natural("d.name"),
    "place": natural("nullif(r.building || ' ' || r.floor, ' ')"),
    "startTime": "r.started",
    "seconds": SECONDS,
    "plannedArea": PLANNED,
    "cleanedArea": "r.cleaned",
    "coverage": COVERAGE,
    "efficiency": f"r.cleaned / nullif({SECONDS}, 0)",
    "battery": "r.battery_from - r.battery_to",
    "liquidMl": "r.liquid_ml",
    "end": 'r."end"',
}
SUMS = Statement(
    f"""
select count(*) as runs, coalesce(sum(extract(epoch from r.ended - r.started)), 0)::float8 as seconds,
  coalesce(sum(r.cleaned::text::numeric), 0)::float8 as "cleanedArea",
  coalesce(sum({PLANNED}::text::numeric), 0)::float8 as "plannedArea"
from {FROM} where {{where}}""",
    where="true",
)
PAGE = Statement(
    f"""
select {ROW} from {FROM} where r.id in (
  select r.id from {FROM} where {{where}} order by {{order}} limit {{limit}} offset {{offset}}
) order by {{order}}""",
    where="true",
    order=ORDER,
    limit="$1",
    offset="$2",
)
EXPORT = Statement(
    f"select {ROW}, d.zone from {FROM} where {{where}} order by {{order}}",
    where="true",
    order=ORDER,
)
# Whose the robot was as a run began, and where its map is; no row where that is nobody in scope.
PLACE_OF_RUN = Statement("""
select o.owner_id, o.owner_path::text, m.id as map_id, coalesce(nullif(m.building, ''), d.address) as building,
  coalesce(nullif(m.floor, ''), d.address1) as floor
from device d cross join owner_at(d.id, $3) o
  left join floor_map m on m.device_id = d.id and m.owner_id = o.owner_id and m.name = $4
where d.id = $2 and o.owner_path <@ $1::text::ltree""")
DELETE_BEFORE = Statement(f"""
delete from task_report r using device d
where d.id = r.device_id and r.owner_path <@ cast(:path as ltree)
  and {DAY} < :before
  and (cast(:devices as bigint[]) is null or r.device_id = any(cast(:devices as bigint[])))
returning r.id""")
STORE_REPORTS = Statement(f"""
with come as (
  select distinct on (d.id, r.id) d.id as device_id, o.owner_id, o.owner_path, d.address, d.address1, r.*
  from jsonb_to_recordset($1::text::jsonb) as r(sn text, id text, task text, map text, started bigint, ended bigint,
    "end" text, {", ".join(f"{name} {kind}" for name, kind in VALUES.items())})
  join device d on d.serial_number = r.sn and d.deleted_at is null, owner_at(d.id, r.started) o
  order by d.id, r.id, r.ended desc
), kept as (
  insert into task_report (device_id, owner_id, owner_path, run, provisional, map_id, building, floor, map_name,
    task_name, started, ended, "end", {NAMES})
  select c.device_id, c.owner_id, c.owner_path, c.id, false, m.id, coalesce(nullif(m.building, ''), c.address),
    coalesce(nullif(m.floor, ''), c.address1), c.map, c.task, to_timestamp(c.started / 1000.0),
    to_timestamp(c.ended / 1000.0), c."end", {", ".join(f"c.{name}" for name in VALUES)}
  from come c left join floor_map m on m.device_id = c.device_id and m.owner_id = c.owner_id and m.name = c.map
  on conflict (device_id, run) do update set provisional = false, updated_at = now(),
    (map_id, building, floor, map_name, task_name, started, ended, "end", {NAMES}) =
    (excluded.map_id, excluded.building, excluded.floor, excluded.map_name, excluded.task_name, excluded.started,
     excluded.ended, excluded."end", {", ".join(f"excluded.{name}" for name in VALUES)})
  where task_report.provisional
)
select sn, array_agg(id) as ids from come group by sn""")
BEGIN_RUNS = Statement("""
insert into task_report (device_id, owner_id, owner_path, run, provisional, map_id, map_revision, building, floor,
  map_name, task_name, started, ended, "end", planned, cleaned, battery_from, battery_to, factor)
select d.id, o.owner_id, o.owner_path, s.run, true, m.id, s.map_revision, coalesce(nullif(m.building, ''), d.address),
  coalesce(nullif(m.floor, ''), d.address1), s.map, s.task, to_timestamp(s.run_since / 1000.0),
  to_timestamp(s.at / 1000.0), 'running', s.planned, s.cleaned, s.run_battery, s.battery, s.simulated
from robot_state s join device d on d.id = s.robot and d.deleted_at is null
  join lateral owner_at(d.id, s.run_since) o on true
  left join floor_map m on m.device_id = d.id and m.owner_id = o.owner_id and m.name = s.map
where s.run <> '' and not exists (select from task_report r where r.device_id = s.robot and r.run = s.run)
on conflict (device_id, run) do nothing""")
FOLLOW_RUNS = Statement("""
update task_report r set cleaned = s.cleaned, planned = s.planned, ended = to_timestamp(s.at / 1000.0),
  battery_to = s.battery, liquid_ml = null, updated_at = now(),
  "end" = case when p.online then 'running' else 'interrupted' end
from robot_state s join presence p using (robot)
where r.provisional and r.device_id = s.robot and r.run = s.run and (
  r.ended < to_timestamp(s.at / 1000.0) or r."end" <> case when p.online then 'running' else 'interrupted' end)""")
# The robot does something else by now; its report is at most a moment behind, unless it lost the run.
END_LEFT_RUNS = Statement("""
update task_report r set "end" = 'interrupted', updated_at = now() from robot_state s
where r.provisional and r."end" = 'running' and r.device_id = s.robot and r.run <> s.run
  and r.updated_at < now() - interval '1 minute'""")
