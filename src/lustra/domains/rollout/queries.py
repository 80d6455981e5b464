"""SQL of what robots say of updates, by ingest's plain links, and of jobs."""

from lustra.core.scope import Statement, system

EVERY = system("what robots and the server do of themselves about roll-outs, whosever they are")
# Before it restarts a robot says what it goes back to. That it runs the new one is final.
STORE_STATE = Statement("""
update rollout_robot b set at = $3, state = $5, reason = $6, have = $7, updated_at = now(),
  former = case when $5 <> all($9) then b.former
    when r.version_kind = 'soft' then $10
    when r.version_kind = 'whole'
      then concat_ws(' · ', $11::text::jsonb ->> 'software', $11::text::jsonb ->> 'firmware',
        $11::text::jsonb ->> 'app')
    else coalesce($11::text::jsonb ->> r.version_kind, b.former) end,
  versions = case when $5 = any($9) and r.kind = 'update' then b.versions || $11::text::jsonb else b.versions end
from device d, rollout r
where r.id = b.rollout_id and d.id = b.device_id and d.serial_number = $1 and d.deleted_at is null and b.id = $2
  and b.at < $3 and b.state <> 'confirmed' and ((b.attempt = $4 and b.state = any($8)) or $5 = 'confirmed')""")
# What a robot says that it runs once it has started again.
STORE_VERSIONS = Statement("""
update device d set firmware_version = coalesce($2::text::jsonb ->> 'firmware', d.firmware_version),
  pad_version = coalesce($2::text::jsonb ->> 'app', d.pad_version)
where d.serial_number = $1 and d.deleted_at is null and $2::text::jsonb <> '{}'""")
STORE_AGAIN = Statement("""
update rollout_robot b set at = $3, state = 'waiting', reason = $5, sent_at = null, attempt = attempt + 1,
  updated_at = now()
from device d where d.id = b.device_id and d.serial_number = $1 and d.deleted_at is null and b.id = $2 and b.at < $3
  and b.attempt = $4 and b.state = any($6)""")
END_SILENT = Statement("""
update rollout_robot set state = 'failed', reason = 'robot_silent', updated_at = now()
where state = any($1) and updated_at < now() - $2::interval""")
RUNNING = Statement("select id from rollout where state = 'running' order by id")
# A robot with a token is there while it asks; it asks each five minutes.
ONLINE = Statement("""
select p.robot from presence p where p.online and p.robot = any(:robots)
  and not exists (select from update_token t where t.device_id = p.robot)
union all
select t.device_id from update_token t
where t.device_id = any(:robots) and t.seen_at > now() - interval '15 minutes'""")
STATES = Statement("""
select d.id, d.type_id, coalesce(nullif(s.software, ''), d.soft_version) as software, d.firmware_version as firmware,
  d.pad_version as app,
  case when t.device_id is null then coalesce(p.online, false)
    else coalesce(t.seen_at > now() - interval '15 minutes', false) end as online
from device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id
  left join update_token t on t.device_id = d.id
where d.id = any(:robots)""")

# What robots of a roll-out did before they ran its version, and since: by robot and task. Those that went on to another
# version since say nothing of this one any more, and another owner's runs are not compared.
RUNS = Statement("""
with robots as (
  select b.device_id, b.updated_at as since, d.owner_id from rollout_robot b join rollout r on r.id = b.rollout_id
  join device d on d.id = b.device_id and d.deleted_at is null and d.owner_path <@ r.owner_path
  where b.rollout_id = :rollout and b.state = 'confirmed' and not exists (
    select from rollout_robot n where n.device_id = b.device_id and n.id > b.id and n.state = 'confirmed')),
runs as (
  select b.since, t.* from robots b cross join lateral (
    select * from task_report w where w.device_id = b.device_id and w.started >= b.since
    order by w.started limit :most) t
  where t.owner_id = b.owner_id and not t.provisional and t.by_hand <> 'inserted'
  union all
  select b.since, t.* from robots b cross join lateral (
    select * from task_report w where w.device_id = b.device_id and w.ended <= b.since
      and w.started > b.since - :days * interval '1 day'
    order by w.started desc limit :most) t
  where t.owner_id = b.owner_id and not t.provisional and t.by_hand <> 'inserted')
select r.device_id, r.started >= r.since as newer, r.task_name, r.map_name, count(*)::int as runs,
  sum(extract(epoch from r.ended - r.started))::float8 as seconds, sum(a.alarms)::int as alarms,
  (sum(a.helped) + count(*) filter (where r."end" = 'failed'))::int as assists, sum(r.cleaned)::float8 as cleaned,
  coalesce(sum(r.coverage), 0)::float8 as covered, count(r.coverage)::int as measured,
  coalesce(sum(greatest(r.battery_from - r.battery_to, 0)), 0)::float8 as used,
  coalesce(sum(r.cleaned) filter (where r.battery_from is not null and r.battery_to is not null), 0)::float8 as powered
from runs r cross join lateral (
  select count(*) as alarms, count(*) filter (where w.taken_by is not null or w.resolved_by is not null) as helped
  from alarm w where w.device_id = r.device_id and w.type = 2 and w.raised_at between r.started and r.ended) a
group by r.device_id, newer, r.task_name, r.map_name order by r.device_id, r.task_name, r.map_name""")
