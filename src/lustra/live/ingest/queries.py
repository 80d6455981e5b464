"""SQL of what robots say, as ingest stores it: states, presence, the packed history, the audit."""

from lustra.core.scope import Statement, system
from lustra.protocol import telemetry
from lustra.protocol.flaws import INDISPENSABLE

INGEST = system("what all robots say, stored as it comes")
NO_LIQUID = -1.0  # in the history, of a robot without a tank

# States. The newest of a batch are copied into a table of the link's own, and go from there into their rows.
COLUMNS = ", ".join(telemetry.COLUMNS)
LASTING = {field.name for field in telemetry.fields() if field.lasting}
MOVED = ", ".join(
    f"coalesce(nullif(excluded.{name}, ''), robot_state.{name})" if name in LASTING else f"excluded.{name}"
    for name in telemetry.COLUMNS
)
SINCE = "clock_off, run_since, run_battery, run_liquid, mode_since"
POINT = ", ".join(field.name for field in telemetry.HISTORY)
POINT_GIVEN = ", ".join(f"${place}::real[]" for place, _ in enumerate(telemetry.HISTORY, 4))
CLOCKS_BEHIND = Statement("""
select d.serial_number as sn, s.clock_off from robot_state s join device d on d.id = s.robot
where s.clock_off < 0 and d.deleted_at is null""")
# An ingest that is frozen loses its transaction, and with it the lock that the others wait for: between two statements
# soon, within the preparation of one later. Within a COPY the database looks at no clock: there another ingest ends it.
END_WHEN_FROZEN = "set local idle_in_transaction_session_timeout = '5s'; set local transaction_timeout = '20s'"
LOCK_STATES = "select pg_advisory_xact_lock(hashtext('states'))"  # of all partitions
SHARE_STATES = "select pg_advisory_xact_lock_shared(hashtext('states'))"
LOCK_PARTITIONS = "select pg_advisory_xact_lock(hashtext('states'), partition) from unnest($1::int[]) partition"
END_FROZEN = """
select pg_terminate_backend(a.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory' and l.granted and a.datname = current_database() and a.xact_start < now() - $1::interval
  and case l.objsubid when 1 then l.objid else l.classid end = (hashtext('states')::bigint & 4294967295)::oid"""
LOAD_KNOWN = Statement(f"""
select d.id as robot, d.serial_number as sn, d.owner_id, d.owner_path::text, p.online, p.off_at, s.at, s.stream, s.seq,
  s.total, s.run, s.run_since, s.run_battery, s.run_liquid, s.help, s.mode_since,
  {", ".join(f"s.{name}" for name in INDISPENSABLE)}
from device d join presence p on p.robot = d.id left join robot_state s on s.robot = d.id
where d.serial_number = any($1::text[]) and d.deleted_at is null order by d.id""")
INCOMING = "create temporary table if not exists incoming_state (like robot_state) on commit delete rows"
MOVE_STATES = Statement(f"""
insert into robot_state (robot, {COLUMNS}, {SINCE}) select robot, {COLUMNS}, {SINCE} from incoming_state
on conflict (robot) do update set ({COLUMNS}, clock_off, run_since, run_battery, run_liquid, mode_since) =
  ({MOVED}, excluded.clock_off, excluded.run_since, excluded.run_battery, excluded.run_liquid, excluded.mode_since)""")
STORE_POINTS = Statement(f"""
insert into point (robot, slot, at, {POINT})
select robot, slot, at, {POINT} from unnest($1::int[], $2::bigint[], $3::bigint[], {POINT_GIVEN})
  as n(robot, slot, at, {POINT})
on conflict do nothing""")
FORMER_OWNERS = Statement("""
select f.device_id as robot, f.until, a.id as owner_id, a.path::text as owner_path
from former_owner f join account a on a.id = f.owner_id where f.device_id = any($1::int[]) order by f.id""")
ADD_AREAS = Statement("""
insert into area_hour (robot, hour, owner_id, owner_path, area)
select robot, date_trunc('hour', to_timestamp(hour / 1000.0)), owner, path::ltree, area
from unnest($1::int[], $2::bigint[], $3::bigint[], $4::text[], $5::float8[]) as n(robot, hour, owner, path, area)
on conflict (robot, hour, owner_id) do update set area = area_hour.area + excluded.area""")
HEAR = Statement("""
update presence p set heard = greatest(p.heard, n.heard)
from unnest($1::int[], $2::timestamptz[]) as n(robot, heard) where p.robot = n.robot""")
COME_BACK = Statement("""
with back as (
  update presence p set online = true, since = n.heard, reason = ''
  from unnest($1::int[], $2::timestamptz[]) as n(robot, heard) where p.robot = n.robot and not p.online
  returning p.robot, p.since
), spans as (
  insert into online_span (robot, began) select robot, since from back on conflict do nothing
)
select d.serial_number as sn from back b join device d on d.id = b.robot""")
STORE_AUDIT = Statement("""
insert into audit (created_at, account_id, acting_id, name, session_id, address, action, code, detail, device_id)
select h.at, h.account, h.acting, h.name, h.session, h.address, h.action, h.code, h.detail::jsonb, d.id
from unnest($1::timestamptz[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[],
  $9::text[], $10::text[]) as h(at, account, acting, name, session, address, action, code, detail, sn)
left join device d on d.serial_number = h.sn and d.deleted_at is null
on conflict ((detail ->> 'key')) where detail ? 'key' do nothing""")
COUNT_ROBOTS = Statement("""
select count(*) filter (where p.online) as online, count(*) filter (where not p.online) as offline
from presence p join device d on d.id = p.robot where d.deleted_at is null""")
# Points of the history, packed and not.
PACKED = ("at", *(field.name for field in telemetry.HISTORY))
LATE_UNTIL = "select late_until from packed_until"
LOCK_PACKED = "select slot from packed_until for update"
CLAIM_PACKING = """update packed_until set claimed_until = now() + $1::interval where claimed_until <= now()
  returning slot"""
RENEW_CLAIM = "update packed_until set claimed_until = now() + $1::interval"
ANNOUNCE_PACKED = "update packed_until set late_until = greatest(late_until, $1)"
STORE_PACKED = "update packed_until set (slot, claimed_until) = (greatest(slot, $1), now())"
ROBOTS_WITH_STATE = Statement("select robot from robot_state order by robot")
POINTS_BY_ROBOT = f"""cross join lateral (select {", ".join(f"array_agg(p.{name}) as {name}" for name in PACKED)}
  from point p where p.robot = k.robot and p.slot >= {{since}} and p.slot < {{until}}) p where p.at is not null"""
POINTS_BETWEEN = Statement(
    f"select k.robot, p.* from unnest($1::int[]) k(robot) {POINTS_BY_ROBOT.format(since='$2', until='$3')}"
)
# Of a minute that its transaction still notes anew, the next one sees to.
NOTE_LATE_MINUTES = Statement("""
insert into late_minute (robot, minute) select * from unnest($1::int[], $2::int[])
on conflict (robot, minute) do update set minute = excluded.minute""")
TAKE_LATE_MINUTES = Statement("""
delete from late_minute where (robot, minute) in (
  select robot, minute from late_minute order by robot, minute limit $1 for update skip locked)
returning robot, minute""")
TAKE_LATE_MINUTES_OF_HOUR = Statement(
    "delete from late_minute where minute >= $1 and minute < $1 + 60 returning robot, minute"
)
POINTS_OF_MINUTES = Statement(f"""select k.robot, p.* from unnest($1::int[], $2::int[]) k(robot, minute)
  {POINTS_BY_ROBOT.format(since="k.minute::bigint * 60", until="(k.minute::bigint + 1) * 60")}""")
TAKE_LATE_POINTS = Statement(f"""with went as (delete from point_rest where slot < $1 returning *)
select robot, {", ".join(PACKED)} from went""")
STORED_CHUNKS = Statement("""
select c.* from chunk c join unnest($1::int[], $2::int[]) as k(robot, minute) using (robot, minute)
  for update of c""")
STORE_CHUNKS = Statement("""insert into chunk select * from unnest($1::int[], $2::int[], $3::bytea[])
  on conflict (robot, minute) do update set data = excluded.data where chunk.data <> excluded.data""")
# Ten minutes together. `$2`, `$3`: up to which minute all shall lie so, and be coarse.
LOCK_LIMITS = Statement("""select robot, until, coarse_until from compaction where robot = any($1::int[])
  order by robot for share""")
COMPACTION_DUE = Statement("""select robot from compaction where robot > $1 and (until < $2 or coarse_until < $3)
  order by robot limit 1""")
LOCK_COMPACTION = Statement("""select c.until, c.coarse_until,
    (select min(minute) from chunk where robot = $1 and minute >= c.until) as next,
    (select min(minute) from chunk where robot = $1 and minute >= c.coarse_until) as next_coarse
  from compaction c where c.robot = $1 for update of c""")
CHUNKS_BETWEEN = Statement("""select minute, data from chunk where robot = $1 and minute >= $2 and minute < $3
  order by minute for update""")
REMOVE_CHUNKS = Statement("delete from chunk where robot = $1 and minute = any($2::int[])")
STORE_COMPACTION = Statement("update compaction set (until, coarse_until) = ($2, $3) where robot = $1")
MARK_SILENT = Statement("""
with silent as (
  update presence set online = false, since = case when online then heard else since end, reason = 'no_heartbeat'
  where online and heard < $1 or reason = 'restarting' and since < $1 - $2::interval returning robot, since, reason
), closed as (
  update online_span s set ended = greatest(silent.since, s.began) from silent
  where s.robot = silent.robot and s.ended is null
)
select d.serial_number as sn, silent.since, silent.reason from silent join device d on d.id = silent.robot""")
# A state that was said after the good-bye has come already: the robot is back.
MARK_SWITCHED_OFF = Statement("""
with gone as (
  update presence p set online = false, since = $3, reason = $4, off_at = $2
  from device d left join robot_state s on s.robot = d.id
  where d.serial_number = $1 and d.deleted_at is null and p.robot = d.id and (p.off_at < $2 or p.off_at > $5)
    and (coalesce(s.at, 0) < $2 or s.at > $5)
  returning p.robot, p.since, p.reason
), closed as (
  update online_span s set ended = greatest(gone.since, s.began) from gone
  where s.robot = gone.robot and s.ended is null
)
select $1 as sn, since, reason from gone""")
FORGET_POINTS = Statement("delete from point where robot = :robot")
FORGET_CHUNKS = Statement("delete from chunk where robot = :robot")
FORGET_REFUSAL = Statement("delete from robot_refusal where robot = :robot")
STORE_REFUSAL = Statement("""
insert into robot_refusal (robot, at, kind, reference, field, reason)
select d.id, now(), $2, $3, $4, $5 from device d where d.serial_number = $1 and d.deleted_at is null
on conflict (robot) do update set (at, kind, reference, field, reason) =
  (excluded.at, excluded.kind, excluded.reference, excluded.field, excluded.reason)""")

# Positions: how far streams of the bus are stored. A standby that took over writes another timeline.
TRY_LOCK_POSITIONS = "select pg_try_advisory_xact_lock(hashtext('positions'))"
DATABASE_SERVER = """
select system_identifier || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system()"""
LOAD_POSITIONS = Statement("select consumer, sequence from stream_position order by consumer")
STORE_POSITIONS = Statement("""
insert into stream_position (consumer, sequence) select * from unnest($1::text[], $2::bigint[])
on conflict (consumer) do update set sequence = excluded.sequence""")
