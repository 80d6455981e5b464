"""SQL of what robots say, as ingest stores it: states, presence, the packed history, the audit."""

from lustra.core.scope import Statement, system
from lustra.live.clocks import LIMIT_MS
from lustra.protocol import telemetry
from lustra.protocol.flaws import INDISPENSABLE

INGEST = system("what all robots say, stored as it comes")
NO_LIQUID = -1.0  # in the history, of a robot without a tank

# States.
COLUMNS = ", ".join(telemetry.COLUMNS)
TYPES = ["text" if column in {"text[]", "jsonb"} else column for column in telemetry.COLUMNS.values()]
GIVEN = ", ".join(f"${place}::{column}[]" for place, column in enumerate(TYPES, 5))
READ_BACK = {
    "text[]": "string_to_array(n.{name}, chr(31))",
    "jsonb": "n.{name}::jsonb",
}
NEWEST = ", ".join(
    "greatest(n.at, n.known_at + 1)" if name == "at" else READ_BACK.get(column, "n.{name}").format(name=name)
    for name, column in telemetry.COLUMNS.items()
)
LASTING = {field.name for field in telemetry.fields() if field.lasting}
MOVED = ", ".join(
    f"coalesce(nullif(excluded.{name}, ''), robot_state.{name})" if name in LASTING else f"excluded.{name}"
    for name in telemetry.COLUMNS
)
POINT = ", ".join(field.name for field in telemetry.HISTORY)
POINT_VALUES = ", ".join(
    f"coalesce({field.name}, {NO_LIQUID})" if field.name == "liquid" else field.name for field in telemetry.HISTORY
)
KNOWN = ", ".join(f"s.{name} as known_{name}" for name in INDISPENSABLE)
FILLED = ", ".join(
    f"coalesce(c.{name}, w.known_{name}, {default!r}) as {name}" if name in INDISPENSABLE else f"c.{name}"
    for name, default in (dict.fromkeys(telemetry.COLUMNS) | INDISPENSABLE).items()
)
CLOCKS_BEHIND = Statement("""
select d.serial_number as sn, s.clock_off from robot_state s join device d on d.id = s.robot
where s.clock_off < 0 and d.deleted_at is null""")
STORE_STATES = Statement(f"""
with come as materialized (
  select distinct on (d.id, m.at) d.id as robot, m.*,
    (extract(epoch from m.heard) * 1000)::bigint + {LIMIT_MS} as latest,
    coalesce(a.id, d.owner_id) as owner_id, coalesce(a.path, d.owner_path) as owner_path
  from unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[], {GIVEN})
    as m(sn, heard, slot, clock_off, {COLUMNS})
  join device d on d.serial_number = m.sn and d.deleted_at is null
  left join former_owner f on f.device_id = d.id and (f.until is null or m.at < f.until)  -- its m² are theirs
  left join account a on a.id = f.owner_id
  order by d.id, m.at, f.id, m.total desc
), was as materialized (  -- locked in one order, so that a second ingest waits and then sees what the first wrote
  select s.robot, s.total, case when s.at <= c.latest then s.at end as at,
    case when s.at <= c.latest then s.run end as run, s.run_since, s.run_battery, s.run_liquid,
    case when s.at <= c.latest then s.mode end as mode, s.help, s.mode_since, s.stream, s.seq, {KNOWN}
  from robot_state s join (select robot, max(latest) as latest from come group by robot) c using (robot)
  order by s.robot for update of s
), filled as (  -- a stream is as new as its newest state
  select c.robot, c.slot, c.heard, c.clock_off, c.latest, c.owner_id, c.owner_path, {FILLED},
    case when c.stream = '' then c.at else max(c.at) over (partition by c.robot, c.stream) end as stream_at
  from come c left join was w using (robot)
), kept as (
  insert into point (robot, slot, at, {POINT})
  select robot, slot, at, {POINT_VALUES} from filled order by robot, slot, at
  on conflict do nothing returning 1
), fresh as (
  select c.*, c.total - coalesce(
    lag(c.total) over (partition by c.robot order by c.stream_at, c.seq, c.at), w.total, c.total) as grown
  from filled c left join was w using (robot)
  where w.at is null or case when c.stream <> '' and c.stream = w.stream then c.seq > w.seq else c.at > w.at end
), swept as (
  insert into area_hour (robot, hour, owner_id, owner_path, area)
  select robot, date_trunc('hour', to_timestamp(at / 1000.0)), owner_id, owner_path, sum(grown)
  from fresh where grown > 0 group by 1, 2, 3, 4
  on conflict (robot, hour, owner_id) do update set area = area_hour.area + excluded.area
), newest as (
  select distinct on (f.robot) f.*, f.run <> '' and f.run = w.run as same_run, w.run_since, w.run_battery, w.run_liquid,
    f.mode = w.mode and f.help = w.help as same_mode, w.mode_since, w.at as known_at
  from fresh f left join was w using (robot) order by f.robot, f.stream_at desc, f.seq desc, f.at desc
), moved as (
  insert into robot_state (robot, {COLUMNS}, clock_off, run_since, run_battery, run_liquid, mode_since)
  select n.robot, {NEWEST}, n.clock_off,
    case when same_run then run_since else at end,
    case when same_run then run_battery else battery end, case when same_run then run_liquid else liquid end,
    case when same_mode then mode_since else at end
  from newest n
  on conflict (robot) do update set ({COLUMNS}, clock_off, run_since, run_battery, run_liquid, mode_since) =
    ({MOVED}, excluded.clock_off, excluded.run_since, excluded.run_battery, excluded.run_liquid, excluded.mode_since)
  where robot_state.at < excluded.at or robot_state.at > (select max(latest) from come)
), said as (
  select c.robot, max(c.heard) as heard, max(c.at) > min(o.off_at) or min(o.off_at) > max(c.latest) as back
  from come c join presence o using (robot) group by c.robot
), present as (
  update presence p set
    heard = greatest(p.heard, s.heard), online = p.online or s.back,
    since = case when not p.online and s.back then s.heard else p.since end,
    reason = case when s.back then '' else p.reason end
  from said s join presence o using (robot) where p.robot = s.robot
  returning p.robot, p.since, p.online and not o.online as back
), spans as (
  insert into online_span (robot, began) select robot, since from present where back on conflict do nothing
)
select (select count(*) from kept) as kept,
  (select coalesce(array_agg(d.serial_number), '{{}}') from present p join device d on d.id = p.robot
   where p.back) as back
""")
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
