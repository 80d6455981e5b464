"""SQL on the mirror of tasks, groups and schedules."""

from lustra.core.scope import Statement

# These robots, and all of their buildings: they may want the same elevators.
NEIGHBOURS = """(d.id = any({})
  or d.address in (select h.address from device h where h.id = any({}) and h.address <> ''))"""
TASKS = Statement(
    """
select t.name, t.map_name as "mapName", t.revision,
  case when {open} then t.content else t.content || '{{"areas": [], "start": null}}' end as content,
  t.updated_at as "updateTime"
from robot_task t where {where} order by t.map_name, t.name""",
    where="true",
    open="true",
)
PLANS = Statement(
    """
select p.kind, p.name, p.revision, p.content, p.updated_at as "updateTime" from robot_plan p
where {where} and p.deleted_at is null
order by p.kind, (p.content ->> 'top')::numeric desc nulls last, p.name""",
    where="true",
)
SCHEDULES = Statement(
    """
select p.device_id, p.kind, p.content, p.updated_at as known
from robot_plan p join device d on d.id = p.device_id
where {where} and p.kind <> 'group' and p.deleted_at is null and p.owner_id = d.owner_id""",
    where="true",
)
OCCURRENCES = Statement(
    """
select p.device_id, p.kind, p.schedule, p.start, p.ends, p.day, p.state, p.reason, p.units
from robot_occurrence p join device d on d.id = p.device_id
where {where} and p.start >= {since} and p.start < {until}""",
    where="true",
    since="$1",
    until="$2",
)
TASK_SECONDS = Statement(
    """
select t.device_id, t.map_name, t.content ->> 'name' as name, t.content ->> 'seconds' as seconds
from robot_task t where {where} and t.device_id = any({robots}) and t.deleted_at is null
  and jsonb_typeof(t.content -> 'seconds') = 'number'""",
    where="true",
    robots="$1",
)
TASK_AREAS = Statement(
    """
select t.device_id, t.map_name, t.content ->> 'name' as name, (t.content ->> 'reachable')::float8 as area,
  coalesce(m.building, '') as building, coalesce(m.floor, '') as floor
from robot_task t left join floor_map m
  on m.device_id = t.device_id and m.owner_id = t.owner_id and m.name = t.map_name and m.deleted_at is null
where {where} and t.device_id = any({robots}) and t.deleted_at is null
  and jsonb_typeof(t.content -> 'reachable') = 'number'""",
    where="true",
    robots="$1",
)
ROBOTS = Statement("select d.id, d.name, d.address, d.address1 from device d where d.id = any($1)")
FLOORS = Statement(
    """
select m.device_id, m.name, m.floor from floor_map m
where {where} and m.device_id = any({robots}) and m.deleted_at is null""",
    where="true",
    robots="$1",
)
CALENDAR_ROBOTS = Statement(
    """
select d.id as "deviceId", d.name as "deviceCode", t.name as "typeName", d.address as building, d.zone,
  d.protocol as "protocolVersion", d.commands
from device d join device_type t on t.id = d.type_id where {where} order by d.name, d.id limit 1000""",
    where="true",
)
BUILDINGS = Statement(
    """
select d.address as building, count(*) as robots, mode() within group (order by d.zone) as zone
from device d where {where} and d.address <> '' group by d.address order by d.address limit 1000""",
    where="true",
)
STORE_TASK = Statement("""
insert into robot_task (device_id, owner_id, owner_path, name, map_name, revision, at, content)
select d.id, o.owner_id, o.owner_path, $2, $3, $4, $5, $6::text::jsonb from device d, owner_at(d.id, $5) o
where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, name) do update set
  (map_name, revision, at, content) = (excluded.map_name, excluded.revision, excluded.at, excluded.content),
  updated_at = now(), deleted_at = null
where robot_task.at < excluded.at""")
DROP_TASK = Statement("""
update robot_task t set deleted_at = now(), updated_at = now(), at = $3
from device d, owner_at(d.id, $3) o
where d.serial_number = $1 and d.deleted_at is null and t.device_id = d.id and t.owner_id = o.owner_id
  and t.name = $2 and t.at < $3""")
STORE_PLAN = Statement("""
insert into robot_plan (device_id, owner_id, owner_path, kind, name, revision, at, content)
select d.id, o.owner_id, o.owner_path, $2, $3, $4, $5, $6::text::jsonb from device d, owner_at(d.id, $5) o
where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, kind, name) do update set
  (revision, at, content) = (excluded.revision, excluded.at, excluded.content), updated_at = now(), deleted_at = null
where robot_plan.at < excluded.at""")
DROP_PLAN = Statement("""
insert into robot_plan (device_id, owner_id, owner_path, kind, name, revision, at, content, deleted_at)
select d.id, o.owner_id, o.owner_path, $2, $3, $4, $5, '{}', now() from device d, owner_at(d.id, $5) o
where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, kind, name) do update set
  (revision, at) = (excluded.revision, excluded.at), updated_at = now(), deleted_at = now()
where robot_plan.at < excluded.at""")
STORE_OCCURRENCE = Statement("""
insert into robot_occurrence
  (device_id, owner_id, owner_path, kind, schedule, start, ends, day, state, reason, units, at)
select d.id, o.owner_id, o.owner_path, $2, $3, to_timestamp($4 / 1000.0),
  to_timestamp(nullif($5::bigint, 0) / 1000.0), $6, $7, $8, $9::text::jsonb, $10
from device d, owner_at(d.id, $4) o where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, kind, schedule, start) do update set
  (ends, day, state, reason, units, at) =
  (excluded.ends, excluded.day, excluded.state, excluded.reason, excluded.units, excluded.at), updated_at = now()
where robot_occurrence.at < excluded.at""")
COPY_TASKS = Statement("""
insert into robot_task (device_id, owner_id, owner_path, name, map_name, revision, at, content)
select t.device_id, a.id, a.path, t.name, t.map_name, t.revision, t.at, t.content
from robot_task t join account a on a.id = :new
where t.device_id = :robot and t.owner_id = :old and t.deleted_at is null
on conflict (device_id, owner_id, name) do update set (map_name, revision, at, content) =
  (excluded.map_name, excluded.revision, excluded.at, excluded.content), updated_at = now(), deleted_at = null""")
FORGET_TASKS = Statement("""
update robot_task set deleted_at = now(), updated_at = now()
where device_id = :robot and owner_id = :old and deleted_at is null""")
COPY_PLANS = Statement("""
insert into robot_plan (device_id, owner_id, owner_path, kind, name, revision, at, content)
select p.device_id, a.id, a.path, p.kind, p.name, p.revision, p.at, p.content
from robot_plan p join account a on a.id = :new
where p.device_id = :robot and p.owner_id = :old and p.deleted_at is null
on conflict (device_id, owner_id, kind, name) do update set (revision, at, content) =
  (excluded.revision, excluded.at, excluded.content), updated_at = now(), deleted_at = null""")
FORGET_PLANS = Statement("""
update robot_plan set deleted_at = now(), updated_at = now()
where device_id = :robot and owner_id = :old and deleted_at is null""")
