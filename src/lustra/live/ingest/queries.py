"""SQL of what robots say, as ingest stores it: states, presence, the packed history, the audit."""

from lustra.core.scope import Statement, system
from lustra.protocol import telemetry
from lustra.protocol.flaws import INDISPENSABLE

INGEST = system("what all robots say, stored as it comes")
NO_LIQUID = -1.0  # in the history, of a robot without a tank

# States. A batch is taken by column; `n` are its rows.
GIVEN_AS = {"text[]": "text", "jsonb": "text"}  # arrays of these have one length in PostgreSQL
READ_BACK = {"text[]": "string_to_array(n.{name}, chr(31))", "jsonb": "n.{name}::jsonb"}
COLUMNS = ", ".join(telemetry.COLUMNS)
GIVEN = ", ".join(f"${n}::{GIVEN_AS.get(column, column)}[]" for n, column in enumerate(telemetry.COLUMNS.values(), 2))
NEWEST = ", ".join(READ_BACK.get(column, "n.{name}").format(name=name) for name, column in telemetry.COLUMNS.items())
LASTING = {field.name for field in telemetry.fields() if field.lasting}
MOVED = ", ".join(
    f"coalesce(nullif(excluded.{name}, ''), robot_state.{name})" if name in LASTING else f"excluded.{name}"
    for name in telemetry.COLUMNS
)
SINCE = "clock_off, run_since, run_battery, run_liquid, mode_since"
SINCE_TYPES = ("bigint", "bigint", "real", "real", "bigint")
SINCE_GIVEN = ", ".join(f"${n}::{column}[]" for n, column in enumerate(SINCE_TYPES, 2 + len(telemetry.COLUMNS)))
POINT = ", ".join(field.name for field in telemetry.HISTORY)
POINT_GIVEN = ", ".join(f"${place}::real[]" for place, _ in enumerate(telemetry.HISTORY, 4))
POINT_VALUES = ", ".join(
    f"coalesce({field.name}, {NO_LIQUID})" if field.name == "liquid" else field.name for field in telemetry.HISTORY
)
CLOCKS_BEHIND = Statement("""
select d.serial_number as sn, s.clock_off from robot_state s join device d on d.id = s.robot
where s.clock_off < 0 and d.deleted_at is null""")
# An ingest that is frozen between two statements loses its transaction, and with it the lock that the others wait for.
END_WHEN_FROZEN = "set local idle_in_transaction_session_timeout = '5s'"
LOCK_STATES = "select pg_advisory_xact_lock(hashtext('states'))"
LOAD_KNOWN = Statement(f"""
select d.id as robot, d.serial_number as sn, d.owner_id, d.owner_path::text, p.online, p.off_at, s.at, s.stream, s.seq,
  s.total, s.run, s.run_since, s.run_battery, s.run_liquid, s.help, s.mode_since,
  {", ".join(f"s.{name}" for name in INDISPENSABLE)}
from device d join presence p on p.robot = d.id left join robot_state s on s.robot = d.id
where d.serial_number = any($1::text[]) and d.deleted_at is null order by d.id""")
MOVE_STATES = Statement(f"""
insert into robot_state (robot, {COLUMNS}, {SINCE})
select n.robot, {NEWEST}, {SINCE} from unnest($1::int[], {GIVEN}, {SINCE_GIVEN}) as n(robot, {COLUMNS}, {SINCE})
on conflict (robot) do update set ({COLUMNS}, clock_off, run_since, run_battery, run_liquid, mode_since) =
  ({MOVED}, excluded.clock_off, excluded.run_since, excluded.run_battery, excluded.run_liquid, excluded.mode_since)""")
STORE_POINTS = Statement(f"""
insert into point (robot, slot, at, {POINT})
select robot, slot, at, {POINT_VALUES} from unnest($1::int[], $2::bigint[], $3::bigint[], {POINT_GIVEN})
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
PACKED = ", ".join(("robot", "at", *(field.name for field in telemetry.HISTORY)))
PACKED_UNTIL = "select slot from packed_until for update"
FINISHED_POINTS = Statement(f"select {PACKED} from point where slot >= $1 and slot < $2 order by robot, at")
TAKE_LATE_POINTS = Statement(f"""with went as (delete from point_rest where slot < $1 returning *)
select {PACKED} from went order by robot, at""")
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
