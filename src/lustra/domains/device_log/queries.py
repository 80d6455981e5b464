"""SQL on logs of robots."""

from lustra.core.scope import Statement

STORE_LIST = Statement("""
with robot as (
  select d.id, o.owner_id, o.owner_path from device d, owner_at(d.id, $2) o
  where d.serial_number = $1 and d.deleted_at is null),
gone as (
  update device_log l set on_robot = false, at = $2 from robot r
  where l.device_id = r.id and l.owner_id = r.owner_id and l.kind = $3 and l.on_robot and l.at < $2
    and l.name <> all($4::text[]))
insert into device_log (device_id, owner_id, owner_path, kind, at, name, size, time, trigger)
select r.id, r.owner_id, r.owner_path, $3, $2, f.name, f.size, to_timestamp(f.ms / 1000.0), t.trigger
from robot r, unnest($4::text[], $5::bigint[], $6::bigint[], $7::text[]) f (name, size, ms, said),
  lateral (select f.said::jsonb as trigger) t
where t.trigger is null or exists (
  select from owner_at(r.id, (t.trigger ->> 'at')::bigint) o where o.owner_id = r.owner_id)
on conflict (device_id, owner_id, kind, name) do update set
  size = excluded.size, time = excluded.time, on_robot = true, at = excluded.at,
  upload_state = case when device_log.upload_state = 'synchronised' and device_log.size <> excluded.size then ''
    else device_log.upload_state end
where device_log.at < excluded.at""")
# What the robot recorded for an alarm or on an order, and waits for: not what is like another of the last hour.
TO_FETCH = Statement(
    """
select l.id, d.serial_number as sn, l.name, l.size
from device_log l join device d on d.id = l.device_id join presence p on p.robot = d.id
where {where} and l.trigger is not null and l.on_robot and l.place = '' and p.online
  and (l.upload_state = '' or l.upload_state = 'failed' and l.reason = 'upload_silent')
  and l.time > now() - interval '1 day' and l.owner_id = d.owner_id
  and (l.trigger ->> 'by' = 'order' or not exists (
    select from device_log e where e.device_id = l.device_id and e.owner_id = l.owner_id and e.trigger is not null
      and e.upload_state in ('uploading', 'synchronised') and e.time between l.time - interval '1 hour' and l.time
      and jsonb_path_query_array(l.trigger, '$.alarms[*].code')
        <@ jsonb_path_query_array(e.trigger, '$.alarms[*].code')))
order by l.time desc limit {limit}""",
    where="true",
    limit="100",
)
BEGIN = Statement("""
update device_log set upload_state = 'uploading', reason = '', have = 0, upload_size = size, heard_at = now()
where id = $1 and upload_state in ('', 'failed') and on_robot and place = '' returning id""")
# What neither the robot has nor a copy is left of.
DROP_EMPTY = Statement("""
delete from device_log l using device d
where d.id = l.device_id and d.serial_number = $1 and not l.on_robot and l.place = ''
  and l.upload_state <> 'uploading'""")
STORE_PROGRESS = Statement("""
update device_log l set have = $5, upload_size = greatest($6, l.upload_size), reason = $7, heard_at = now(),
  upload_state = case when $4 = 'failed' then 'failed' else l.upload_state end, at = $2
from device d
where l.id = $3 and d.id = l.device_id and d.serial_number = $1 and l.upload_state = 'uploading' and l.at < $2""")
START = Statement("update device_log set at = greatest(at, $2), heard_at = now() where id = $1")
FAIL = Statement("""
update device_log set upload_state = 'failed', reason = $2 where id = $1 and upload_state = 'uploading'""")
FAIL_SILENT = Statement("""
update device_log set upload_state = 'failed', reason = 'upload_silent'
where upload_state = 'uploading' and heard_at < now() - $1::interval""")
PLACES_IN_USE = Statement("""
select place from device_log where place = any($1)
union select recording_place from device_log where recording_place = any($1)""")
SIZE_TO_CONVERT = Statement("select stored_size from device_log where id = $1 and place = $2")
# Answers what the new copy takes the place of; no row: the original is another meanwhile.
ENTER_RECORDING = Statement("""
with former as (select id, recording_place from device_log where id = $1 and place = $2 for update)
update device_log l set recording_state = $3, recording_reason = $4, recording_place = $5, recording = $6
from former f where l.id = f.id
returning f.recording_place""")
# The first and the last of the days that it is at these robots' sites.
TODAYS = Statement(
    """
select min(day) as first, max(day) as last
from (select (now() at time zone d.zone)::date as day from device d where {where}) days""",
    where="true",
)
ONLINE = Statement("select robot from presence where robot = :robot and online")
MOVE_PLACES = Statement("""
update holding h set account_id = :new from device_log l
where l.device_id = :robot and l.owner_id = :old and h.account_id = :old and h.place = l.place""")
# The robot goes with what it has and what was sent up of it.
MOVE = Statement("""
update device_log l set owner_id = a.id, owner_path = a.path from account a
where a.id = :new and l.device_id = :robot and l.owner_id = :old""")
MAKE_WAY = Statement("""
delete from device_log n using device_log l
where n.device_id = :robot and n.owner_id = :new and l.device_id = :robot and l.owner_id = :old
  and l.kind = n.kind and l.name = n.name""")
LEAVE = Statement("""
update device_log set on_robot = false,
  upload_state = case when upload_state = 'uploading' then 'failed' else upload_state end
where device_id = :robot and owner_id = :old""")
FORGET = Statement("delete from device_log where device_id = :robot and owner_id = :old and (place = '' or :all)")
