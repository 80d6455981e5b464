"""SQL of what robots say of updates, by ingest's plain links, and of jobs."""

from lustra.core.scope import Statement, system
from lustra.domains.backup.api import UNSAVED

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
# Whether a robot is there: one with a token (t) while it asks, each five minutes, another by its presence (p).
_ONLINE = """case when t.device_id is null then coalesce(p.online, false)
    else coalesce(t.seen_at > now() - interval '15 minutes', false) end"""
TALLY = Statement(f"""
select b.step, count(*) as robots,
  count(*) filter (where b.state in ('waiting', 'downloading', 'verifying', 'installing', 'restarting')) as open,
  count(*) filter (where b.state = 'waiting' and not {_ONLINE}) as away,
  count(*) filter (where b.state in ('fell_back', 'failed')) as bad, max(b.updated_at) as moved_at
from rollout_robot b left join presence p on p.robot = b.device_id left join update_token t on t.device_id = b.device_id
where b.rollout_id = :rollout group by b.step""")
# Those that are asked over the bus: they are there, and have not been asked; those with a token ask themselves.
_WAITING = """
from rollout_robot b join device d on d.id = b.device_id join presence p on p.robot = d.id and p.online
where b.rollout_id = :rollout and b.state = 'waiting' and b.sent_at is null and b.step <= :step
  and not exists (select from update_token t where t.device_id = d.id)"""
# Those that must be backed up before, as many as are begun in one go.
UNSAVED_ROBOTS = Statement(f"""
select d.id, b.created_at {_WAITING} and d.zone = any(:zones) and {UNSAVED} order by b.id limit 100""")
WAIT_FOR_BACKUP = Statement(f"""
update rollout_robot set reason = 'backup_first'
where reason <> 'backup_first' and id in (select b.id {_WAITING} and d.zone = any(:zones) and {UNSAVED})""")
WAITING_ZONES = Statement(f"select distinct d.zone {_WAITING}")
WAITING = Statement(f"""
select b.id, d.serial_number, d.type_id, d.zone, (select k.name from device_type k where k.id = d.type_id) as type_name
{_WAITING} and d.zone = any(:zones) and not {UNSAVED}
order by b.reason = 'robot_silent', b.id limit :most""")
WAIT_FOR_HOURS = Statement(f"""
update rollout_robot set reason = 'outside_hours'
where reason <> 'outside_hours' and id in (select b.id {_WAITING} and d.zone = any(:zones))""")
STATES = Statement(f"""
select d.id, d.type_id, coalesce(nullif(s.software, ''), d.soft_version) as software, d.firmware_version as firmware,
  d.pad_version as app,
  {_ONLINE} as online
from device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id
  left join update_token t on t.device_id = d.id
where d.id = any(:robots)""")

# Robots that ask by themselves (ddi.py), many by one statement (core/database/batches). What a robot's own token opens;
# that it asks is written down once a minute.
_KNOWN = """
known as (
  select a.n, a.action, d.id, d.type_id, d.zone, t.seen_at, t.attributes = '{}' as is_new
  from asked a join device d on d.serial_number = a.sn and d.deleted_at is null
  join update_token t on t.device_id = d.id and t.digest = a.digest)"""
# `action`: that alone; null: whatever is due. `sent`: how many robots were asked in this minute, where that counts.
FIND_DUE = Statement(f"""
with asked as (
  select * from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as a(sn, digest, action, n)),
{_KNOWN},
seen as (
  update update_token t set seen_at = now() from known k
  where t.device_id = k.id and coalesce(k.seen_at < now() - interval '1 minute', true))
select k.n, k.is_new, k.type_id, k.zone, w.* from known k left join lateral (
  select b.id as action, b.state, b.reason, b.sent_at, b.versions, r.kind, r.version_kind, r.build_id, r.name,
    r.charging, r.from_minute, r.to_minute, r.per_minute, b.device_id, b.created_at as planned_at, {UNSAVED} as unsaved,
    case when r.per_minute > 0 and b.sent_at is null then (
      select count(*) from rollout_robot s where s.rollout_id = r.id and s.sent_at >= date_trunc('minute', now()))
    end as sent,
    (select coalesce(jsonb_agg(jsonb_build_object('part', p.each ->> 'part', 'version', p.each ->> 'version',
        'id', f.id, 'path', f.path, 'place', f.place, 'size', f.size, 'sha256', f.sha256, 'sha1', f.sha1, 'md5', f.md5)
        order by p.place), '[]')
      from jsonb_array_elements(r.packages -> k.type_id::text) with ordinality as p(each, place)
      join version_file f on f.id = (p.each ->> 'fileId')::bigint) as packages
  from rollout_robot b join rollout r on r.id = b.rollout_id join device d on d.id = b.device_id
  where b.device_id = k.id and (k.action is null or b.id = k.action) and r.state = 'running' and b.step <= r.step
    and b.state in ('waiting', 'downloading', 'verifying', 'installing', 'restarting')) w on true""")
# The robot knows of it: those for which this minute has room.
BEGIN = Statement("""
with asked as (select * from unnest($1::bigint[]) with ordinality as a(action, n)),
fresh as (
  select b.id, b.rollout_id, r.per_minute, row_number() over (partition by b.rollout_id order by a.n) as place
  from asked a join rollout_robot b on b.id = a.action and b.sent_at is null join rollout r on r.id = b.rollout_id),
room as (
  select f.rollout_id, max(f.per_minute) - (
    select count(*) from rollout_robot s where s.rollout_id = f.rollout_id and s.sent_at >= date_trunc('minute', now())
  ) as robots
  from fresh f where f.per_minute > 0 group by f.rollout_id),
begun as (
  update rollout_robot b set sent_at = now(), updated_at = now(), reason = ''
  from fresh f left join room m on m.rollout_id = f.rollout_id
  where b.id = f.id and f.place <= coalesce(m.robots, f.place) returning b.id)
select a.n from asked a left join begun g on g.id = a.action left join rollout_robot b on b.id = a.action
where g.id is not null or b.sent_at is not null""")
STORE_ATTRIBUTES = Statement(f"""
with asked as (
  select *, null as action
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as a(sn, digest, attributes, n)),
{_KNOWN}
update update_token t set attributes = a.attributes::jsonb
from known k join asked a on a.n = k.n where t.device_id = k.id returning k.n""")
# `state` null: it says nothing of that. `stored`: false once nobody waits for it any more, though that it runs the
# version counts even then.
STORE_FEEDBACK = Statement(f"""
with asked as (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    with ordinality as a(sn, digest, action, state, reason, message, n)),
{_KNOWN},
stored as (
  update rollout_robot b set state = a.state, reason = a.reason, updated_at = now()
  from known k join asked a on a.n = k.n
  where b.id = k.action and b.device_id = k.id and a.state is not null
    and (b.state in ('waiting', 'downloading', 'verifying', 'installing', 'restarting')
      or (a.state = 'confirmed' and b.state <> 'confirmed'))
  returning k.n, k.id, k.type_id, b.rollout_id, b.versions, a.state, a.message),
said as (
  update update_token t set message = s.message from stored s where t.device_id = s.id and s.message is not null),
runs as (
  select s.id, jsonb_object_agg(p.each ->> 'part', case r.kind when 'back' then s.versions ->> (p.each ->> 'part')
    else p.each ->> 'version' end) as versions
  from stored s join rollout r on r.id = s.rollout_id
  cross join jsonb_array_elements(r.packages -> s.type_id::text) as p(each)
  where s.state = 'confirmed' group by s.id),
versions as (
  update device d set soft_version = coalesce(u.versions ->> 'software', d.soft_version),
    firmware_version = coalesce(u.versions ->> 'firmware', d.firmware_version),
    pad_version = coalesce(u.versions ->> 'app', d.pad_version)
  from runs u where d.id = u.id)
select k.n, b.id is not null as known, s.n is not null as stored
from known k left join rollout_robot b on b.id = k.action and b.device_id = k.id left join stored s on s.n = k.n""")

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
