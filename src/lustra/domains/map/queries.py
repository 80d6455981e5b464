"""SQL on maps, their versions, and what is on its way to robots."""

from lustra.core.scope import Statement

# The map that a robot `d` with the state `s` drives on.
CURRENT_MAP = """left join floor_map m
  on m.device_id = d.id and m.owner_id = d.owner_id and m.name = s.map and m.deleted_at is null"""
LOADED = "coalesce(s.map = m.name and d.owner_id = m.owner_id, false)"
PLAIN = (
    "building, floor, revision, at, width, height, resolution, origin_x, origin_y, origin_yaw, area, marks, grid,"
    " lane_graph"
)
VERSION_COLUMNS = "revision, width, height, resolution, origin_x, origin_y, origin_yaw, marks, grid, lane_graph"
VERSION_VALUES = ", ".join("excluded." + column for column in VERSION_COLUMNS.split(", "))
MAP_ROWS = Statement(
    """
select m.id as "mapId", m.name, m.building, m.floor, m.device_id as "deviceId", d.name as "deviceCode",
  d.serial_number as "deviceSerialNumber", d.protocol as "protocolVersion", d.commands,
  m.owner_id as "ownerUserId", coalesce(nullif(d.customer_name, ''), a.name) as "customerName", m.area, m.width,
  m.height, m.resolution, array[m.origin_x, m.origin_y, m.origin_yaw] as origin, m.revision,
  {loaded} as loaded, m.device_id is not null as mirrored, m.marks, m.lane_graph,
  m.updated_at as "updateTime", m.deleted_at is not null as deleted, m.grid, not {open} as closed,
  support_customer(m.owner_path) as customer
from floor_map m join account a on a.id = m.owner_id left join device d on d.id = m.device_id
  left join robot_state s on s.robot = m.device_id
where {where} order by m.building, m.floor, m.name, m.id""",
    loaded=LOADED,
    open="true",
    where="true",
)
VERSION = Statement(
    """
select v.grid, m.id, m.owner_id, m.owner_path::text as owner_path, m.device_id, m.name, m.building, m.floor,
  v.revision, v.width, v.height, v.resolution, v.origin_x, v.origin_y, v.origin_yaw, v.marks,
  v.lane_graph, m.deleted_at
from floor_map m join map_version v on v.map_id = m.id and v.revision = coalesce({revision}, m.revision)
where {where}""",
    revision="$1::int",
    where="true",
)
VERSIONS = Statement(
    """
select v.revision, v.at as "savedAt", v.width, v.height, v.revision = m.revision as newest,
  (select coalesce(sum(jsonb_array_length(e.value)), 0) from jsonb_each(v.marks - 'hours') e)::int as elements
from map_version v join floor_map m on m.id = v.map_id
where {where} order by v.revision desc limit {most}""",
    where="true",
    most="1",
)
HOLD_MAP = Statement("""
select d.id robot, o.owner_id owner, hold_object(o.owner_id, 'maps', $3, $4, $5) used
from device d, owner_at(d.id, $2) o
where d.serial_number = $1 and d.deleted_at is null""")
# The lanes that the map has which was last sent there, as long as the robot's lies in the same frame.
SENT_LANES = """(
  select v.lane_graph from map_sync_target g join map_sync s on s.id = g.sync_id
  join map_version v on (v.map_id, v.revision) = (s.map_id, s.revision)
  where g.device_id = d.id and s.name = $2 and g.state in ('sending', 'sent', 'received')
    and (s.owner_path <@ o.owner_path or o.owner_path <@ s.owner_path)
    and (v.width, v.height, v.resolution, v.origin_x, v.origin_y, v.origin_yaw) = ($7, $8, $9, $10, $11, $12)
  order by g.updated_at desc limit 1)"""
# A map without a place is of its robot's floor, where the robot has no other map of that floor: the next has no place.
STORE_MAP = Statement(f"""
with kept as (
  insert into floor_map (device_id, owner_id, owner_path, name, {PLAIN})
  select d.id, o.owner_id, o.owner_path, $2, coalesce(nullif($3, ''), home.address, ''),
    coalesce(nullif($4, ''), home.address1, ''), $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::text::jsonb, $15,
    {SENT_LANES}
  from device d cross join owner_at(d.id, $6) o left join device home on home.id = d.id and not exists (
    select from floor_map t where (t.device_id, t.owner_id) = (d.id, o.owner_id) and t.deleted_at is null
      and t.name <> $2 and (t.building, t.floor) = (d.address, d.address1))
  where d.serial_number = $1 and d.deleted_at is null
  on conflict (device_id, owner_id, name) where device_id is not null do update set
    ({PLAIN}) = (excluded.building, excluded.floor, excluded.revision, excluded.at, excluded.width, excluded.height,
      excluded.resolution, excluded.origin_x, excluded.origin_y, excluded.origin_yaw, excluded.area, excluded.marks,
      excluded.grid, coalesce(excluded.lane_graph, case when
        (excluded.width, excluded.height, excluded.resolution, excluded.origin_x, excluded.origin_y,
          excluded.origin_yaw) = (floor_map.width, floor_map.height, floor_map.resolution, floor_map.origin_x,
          floor_map.origin_y, floor_map.origin_yaw) then floor_map.lane_graph end)),
    updated_at = now(), deleted_at = null
  where floor_map.at < excluded.at
  returning *
)
insert into map_version (map_id, {VERSION_COLUMNS})
select id, {VERSION_COLUMNS} from kept
on conflict (map_id, revision) do update set ({VERSION_COLUMNS}) = ({VERSION_VALUES})""")
# A map that was renamed keeps its row, and with it its versions, unless one of the new name was there before.
RENAME_MAP = Statement("""
update floor_map m set name = $3 from device d, owner_at(d.id, $4) o
where d.serial_number = $1 and d.deleted_at is null and m.device_id = d.id and m.owner_id = o.owner_id
  and m.name = $2 and m.deleted_at is null and m.at < $4
  and not exists (select from floor_map t where (t.device_id, t.owner_id, t.name) = (m.device_id, m.owner_id, $3))""")
DROP_MAP = Statement("""
update floor_map m set deleted_at = now(), updated_at = now(), at = $3
from device d, owner_at(d.id, $3) o
where d.serial_number = $1 and d.deleted_at is null and m.device_id = d.id and m.owner_id = o.owner_id
  and m.name = $2 and m.at < $3""")
COPY_MAPS = Statement(f"""
with copied as (
  insert into floor_map (device_id, owner_id, owner_path, name, {PLAIN})
  select m.device_id, a.id, a.path, m.name, {", ".join("m." + column for column in PLAIN.split(", "))}
  from floor_map m join account a on a.id = :new
  where m.device_id = :robot and m.owner_id = :old and m.deleted_at is null
  on conflict (device_id, owner_id, name) where device_id is not null do update set
    ({PLAIN}) = ({", ".join("excluded." + column for column in PLAIN.split(", "))}),
    updated_at = now(), deleted_at = null
  returning *
)
insert into map_version (map_id, {VERSION_COLUMNS})
select id, {VERSION_COLUMNS} from copied
on conflict (map_id, revision) do update set ({VERSION_COLUMNS}) = ({VERSION_VALUES})""")
FORGET_MAPS = Statement("""
update floor_map set deleted_at = now(), updated_at = now()
where device_id = :robot and owner_id = :old and deleted_at is null""")
STOP_SYNCS = Statement("""
update map_sync_target set state = 'cancelled', reason = 'sync_owner', leave = attempts > 0,
  next_at = case when attempts > 0 then now() end, updated_at = now()
where device_id = :robot and state in ('waiting', 'sending', 'sent')""")
# As the mirror and the editor name them. The first drawing of a library's map counts with its picture.
HOLD_MARKS = Statement("""
insert into holding (account_id, place, kind, size)
select m.owner_id, case when d.id is null then format('map_version/%s/%s', m.id, v.revision)
    else format('map_version/%s/%s/%s', d.serial_number, m.name, v.revision) end,
  'maps', octet_length(v.marks::text) + coalesce(octet_length(v.lane_graph::text), 0)
from map_version v join floor_map m on m.id = v.map_id left join device d on d.id = m.device_id
where d.id is not null or v.revision > 1
on conflict do nothing""")
UNHELD_PICTURES = Statement("""
select distinct m.owner_id owner, v.grid place from map_version v join floor_map m on m.id = v.map_id
where v.grid <> '' and not exists (select from holding h where h.account_id = m.owner_id and h.place = v.grid)
limit $1""")
HOLD_PICTURES = Statement("""
insert into holding (account_id, place, kind, size)
select owner, place, 'maps', size from unnest($1::bigint[], $2::text[], $3::bigint[]) as new (owner, place, size)
on conflict do nothing""")
# A robot that still has to erase what its former owner had takes nothing.
NOT_ERASING = "not exists (select from former_owner f where f.device_id = d.id and f.until is null)"
SYNC_ROBOTS = Statement(
    """
select d.id as "deviceId", d.name as "deviceCode", d.serial_number as "deviceSerialNumber", d.address as building,
  d.address1 as floor, coalesce(p.online, false) as online, coalesce(t.revision, 0) as revision,
  d.id is not distinct from m.device_id as source,
  d.owner_path <@ m.owner_path or m.owner_path <@ d.owner_path as kin,
  case when t.id is null then 'none'
    when (l.map_id, l.sent, l.revision) = (m.id, m.revision, t.revision)
      or (t.grid, t.marks, t.resolution, t.origin_x, t.origin_y, t.origin_yaw)
        = (m.grid, m.marks, m.resolution, m.origin_x, m.origin_y, m.origin_yaw) then 'same'
    when t.revision is not distinct from l.revision
      or t.at <= case when m.device_id is null then extract(epoch from m.updated_at) * 1000 else m.at end then 'older'
    else 'newer' end as there
from floor_map m cross join device d left join presence p on p.robot = d.id
left join floor_map t on t.device_id = d.id and t.owner_id = d.owner_id and t.name = m.name and t.deleted_at is null
left join lateral (
  select s.map_id, s.revision as sent, g.revision from map_sync_target g join map_sync s on s.id = g.sync_id
  where g.device_id = d.id and s.name = m.name and g.state = 'received' order by g.updated_at desc limit 1
) l on true
where {where} order by d.address, d.address1, d.name, d.id""",
    where="true",
)
SYNC_ROWS = Statement(
    """
select g.sync_id as "syncId", s.map_id as "mapId", s.name, s.revision, s.created_at as "createTime",
  d.id as "deviceId", d.name as "deviceCode", d.address as building, d.address1 as floor,
  coalesce(p.online, false) as online, g.state, g.reason, g.have, s.size, g.attempts, g.until,
  g.updated_at as "updateTime"
from map_sync_target g join map_sync s on s.id = g.sync_id join device d on d.id = g.device_id
left join presence p on p.robot = d.id
where {where} order by g.id desc limit {most}""",
    where="true",
    most="1",
)
CANCEL_OLDER = Statement("""
update map_sync_target g set state = 'cancelled', reason = 'sync_newer', leave = g.attempts > 0,
  next_at = case when g.attempts > 0 then now() end, updated_at = now()
from map_sync s where s.id = g.sync_id and s.name = :name and g.device_id = any(:robots)
  and g.state in ('waiting', 'sending', 'sent')""")
CLAIM_TARGET = Statement("""
update map_sync_target g set tried_at = now(), attempts = g.attempts + (g.state = 'waiting')::int,
  next_at = now() + $2::interval, updated_at = now()
from map_sync s, device d
where g.id = $1 and s.id = g.sync_id and d.id = g.device_id and d.deleted_at is null and g.next_at is not null
  and (g.next_at <= now() or exists (select from presence p where p.robot = g.device_id and p.since > g.tried_at))
returning g.id, g.base, g.replace, g.leave, s.name, s.place, s.size, s.sha256, d.serial_number as sn""")
STORE_SILENCE = Statement(
    "update map_sync_target set reason = 'robot_silent' where id = $1 and state = 'waiting' and not leave"
)
STORE_PROGRESS = Statement("""
update map_sync_target g set
  state = case when $4 = 'cancelled' and g.leave then g.state else $4 end,
  reason = case when $4 = 'cancelled' and g.leave then g.reason else $5 end,
  have = $6, revision = $7, at = $2, leave = false, updated_at = now(), next_at = case
    when $4 = 'waiting' then now() + make_interval(secs => least(1800, 15 * 2 ^ least(g.attempts, 10)))
    when $8::float8 is not null then now() + make_interval(secs => $8) end
from device d
where g.id = $3 and d.id = g.device_id and d.serial_number = $1 and d.deleted_at is null and g.at < $2
  and g.state <> 'received' and (not g.leave or $4 in ('received', 'cancelled'))""")
DUE_TARGETS = Statement("""
select g.id from map_sync_target g join presence p on p.robot = g.device_id
where p.online and g.next_at is not null and (g.next_at <= now() or p.since > g.tried_at)
order by g.next_at limit 400""")
END_LATE_TARGETS = Statement("""
update map_sync_target set state = case when state = 'sent' then 'receive_failed' else 'send_failed' end,
  reason = 'sync_late', leave = attempts > 0, next_at = case when attempts > 0 then now() end, updated_at = now()
where state in ('waiting', 'sending', 'sent') and until < now()""")
PLACES_IN_USE = Statement("""
select s.place from map_sync s join map_sync_target g on g.sync_id = s.id
where s.place = any($1) and g.next_at is not null""")
MEMBERS = "unnest(cast(:groups as bigint[]), cast(:devices as bigint[])) m(grp, device)"
COMMON_MAPS = Statement(f"""
select grp, min(name) as map from (
  select m.grp, f.name, count(distinct d.id) as having_it
  from {MEMBERS} join device d on d.id = m.device
    join floor_map f on f.device_id = d.id and f.owner_id = d.owner_id and f.deleted_at is null
  group by m.grp, f.name
) named where having_it = (select count(*) from {MEMBERS} where m.grp = named.grp) group by grp""")
