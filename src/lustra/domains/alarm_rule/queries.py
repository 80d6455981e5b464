"""SQL of rules: of each kind one statement that raises and clears what it sees of all robots, and one that says how
often it would have raised something in the last 30 days.
"""

from lustra.core.scope import Statement
from lustra.domains.alarm_rule.kinds import Name

HYSTERESIS = 5  # percent above its threshold, at which a level is good again
# What is seen now, as robot, subject (what of it) and note. `standing`: what is raised already.
SEEN: dict[Name, str] = {
    "low_battery": f"""
  select r.id as robot, '' as subject, '' as note
  from robot r join robot_state s on s.robot = r.id join presence p on p.robot = r.id
    left join standing t on t.robot = r.id and t.own
  where s.mode <> 'charging' and (p.online or t.robot is not null)
    and s.battery < r.threshold + case when t.robot is null then 0 else {HYSTERESIS} end""",
    "disinfectant_level": f"""
  select r.id as robot, '' as subject, '' as note
  from robot r join robot_state s on s.robot = r.id join presence p on p.robot = r.id
    left join standing t on t.robot = r.id and t.own
  where (p.online or t.robot is not null)
    and s.liquid < r.threshold + case when t.robot is null then 0 else {HYSTERESIS} end""",
    "task_missed": """
  select o.device_id as robot, o.kind || ' ' || o.schedule as subject, o.schedule as note
  from (
    select o.*, count(*) filter (where o.state <> 'missed')
      over (partition by o.device_id, o.kind, o.schedule order by o.start desc) as begun
    from robot_occurrence o join robot r on r.id = o.device_id and r.owner_id = o.owner_id
    where o.start > now() - interval '31 days'
      and o.state in ('missed', 'running', 'done', 'forced_end', 'interrupted')
  ) o join robot r on r.id = o.device_id
  where o.begun = 0 and exists (
    select from robot_plan p where p.device_id = o.device_id and p.kind = o.kind and p.name = o.schedule
      and p.deleted_at is null)
  group by o.device_id, o.kind, o.schedule, r.threshold
  having count(*) >= r.threshold and max(o.start) > now() - interval '8 days'""",
    "task_late": """
  select o.device_id as robot, o.kind || ' ' || o.schedule as subject, o.schedule as note
  from robot_occurrence o join robot r on r.id = o.device_id and r.owner_id = o.owner_id
  where o.state in ('planned', 'waiting', 'charging') and o.start > now() - interval '1 day'
    and o.start < now() - make_interval(mins => r.threshold::int) and (o.ends is null or o.ends > now())
  group by o.device_id, o.kind, o.schedule""",
    "not_cleaned": """
  select r.id as robot, '' as subject, '' as note
  from robot r cross join lateral (
    select h.hour from area_hour h where h.robot = r.id and h.owner_id = r.owner_id and h.area > 0
    order by h.hour desc limit 1
  ) l where l.hour < now() - make_interval(days => r.threshold::int)""",
    "upkeep_due": """
  select r.id as robot, u.id::text as subject, u.name as note
  from robot r join upkeep u on u.device_id = r.id where u.hours is not null and u.told >= r.threshold""",
    "clock_off": """
  select r.id as robot, '' as subject, '' as note
  from robot r join robot_state s on s.robot = r.id join presence p on p.robot = r.id
    left join standing t on t.robot = r.id and t.own
  where abs(s.clock_off) > r.threshold * 60000 and (p.online or t.robot is not null)""",
    "elevator_wait": """
  select r.id as robot, e.ride as subject, l.elevator_name as note
  from robot r join lift_ride e on e.device_id = r.id join elevator l on l.id = e.elevator_id
  where e.ended_at is null and e.boarded_at is null
    and e.created_at < now() - make_interval(mins => r.threshold::int)""",
}
# How often it would have been raised, of robots `robot`, by the threshold $2.
PAST: dict[Name, str] = {
    "low_battery": """
  select count(*) from task_report t join robot r on r.id = t.device_id and r.owner_id = t.owner_id
  where t.started > now() - interval '31 days' and t.ended > now() - interval '30 days' and t.battery_to < $2""",
    "task_missed": """
  select count(*) from (
    select m.start, row_number() over (partition by m.device_id, m.kind, m.schedule, m.begun order by m.start) as place
    from (
      select o.*, count(*) filter (where o.state <> 'missed')
        over (partition by o.device_id, o.kind, o.schedule order by o.start) as begun
      from robot_occurrence o join robot r on r.id = o.device_id and r.owner_id = o.owner_id
      where o.start > now() - interval '60 days'
        and o.state in ('missed', 'running', 'done', 'forced_end', 'interrupted')
    ) m where m.state = 'missed'
  ) k where k.place = $2 and k.start > now() - interval '30 days'""",
    "task_late": """
  select count(*) from robot_occurrence o join robot r on r.id = o.device_id and r.owner_id = o.owner_id
  where o.start between now() - interval '30 days' and now() and exists (
    select from jsonb_array_elements(o.units) u
      join task_report t on t.device_id = o.device_id and t.run = u ->> 'run' and u ->> 'run' <> ''
    having min(t.started) > o.start + make_interval(mins => $2::int))""",
    "not_cleaned": """
  select count(*) from (
    select h.hour, lead(h.hour) over (partition by h.robot order by h.hour) as next
    from area_hour h join robot r on r.id = h.robot and r.owner_id = h.owner_id
    where h.area > 0 and h.hour > now() - make_interval(days => 30 + $2::int)
  ) g where coalesce(g.next, now()) > g.hour + make_interval(days => $2::int)
    and g.hour + make_interval(days => $2::int) > now() - interval '30 days'""",
    "upkeep_due": """
  select (
    select count(*) from (
      select (u.used_before + worked(u.device_id, u.since)) as used, u.hours * 36 * $2 as due,
        worked(u.device_id, greatest(u.since, now() - interval '30 days')) as lately
      from upkeep u join robot r on r.id = u.device_id where u.hours is not null
    ) w where w.used >= w.due and w.used - w.lately < w.due
  ) + (
    select count(*) from upkeep_done n join robot r on r.id = n.device_id and r.owner_id = n.owner_id
    where n.done_at > now() - interval '30 days' and n.used >= n.hours * $2 / 100
  )""",
    "clock_off": """
  select count(*) from robot r join robot_state s on s.robot = r.id where abs(s.clock_off) > $2 * 60000""",
    "elevator_wait": """
  select count(*) from lift_ride e join robot r on r.id = e.device_id
  where e.created_at > now() - interval '30 days'
    and coalesce(e.boarded_at, e.ended_at, now()) > e.created_at + make_interval(mins => $2::int)""",
}


def raise_and_clear(seen: str) -> Statement:
    """$1 kind and code, $2 whether it is on where nobody decided, $3 by which threshold. The nearest account above
    decides."""
    return Statement(f"""
with rule as materialized (
  select o.owner_path, coalesce(n.enabled, $2::boolean) as enabled, coalesce(n.threshold, $3::float8) as threshold
  from (select distinct owner_path from device where deleted_at is null) o left join lateral (
    select s.enabled, s.threshold from alarm_rule s join account a on a.id = s.account_id
    where s.kind = $1 and a.path @> o.owner_path order by nlevel(a.path) desc limit 1) n on true
), robot as materialized (
  select d.id, d.owner_id, rule.threshold from device d join rule using (owner_path)
  where d.deleted_at is null and rule.enabled
), standing as materialized (
  select c.device_id as robot, c.key, a.owner_id = d.owner_id as own,
    regexp_replace(c.key, '^rule (.*) @[0-9]+$', '\\1') as subject
  from alarm_cause c join alarm a on a.id = c.alarm_id join device d on d.id = c.device_id
  where c.cleared_at is null and c.source = 'server' and c.code = $1 and starts_with(c.key, 'rule ')
), seen as materialized ({seen}
), raised as materialized (
  select alarm_raise(n.robot, 'server', 'rule ' || $1 || ' ' || n.subject || ' @' || epoch_ms(now()), $1, now(), 0,
    n.note)
  from seen n where not exists (
    select from standing t where t.robot = n.robot and t.own and t.subject = $1 || ' ' || n.subject)
), gone as materialized (
  select alarm_clear(t.robot, 'server', t.key, $1, now()) from standing t
  where not t.own or not exists (select from seen n where n.robot = t.robot and t.subject = $1 || ' ' || n.subject)
)
select (select count(*) from raised) as raised, (select count(*) from gone) as gone""")


OF_ACCOUNT = """
with robot as (select d.id, d.owner_id from device d where d.owner_path <@ text2ltree($1) and d.deleted_at is null)"""
EVALUATE: dict[Name, Statement] = {name: raise_and_clear(seen) for name, seen in SEEN.items()}
TRY: dict[Name, Statement] = {name: Statement(OF_ACCOUNT + past) for name, past in PAST.items()}
# Of the disinfectant reports say nothing: of each run what the history has of its last minute.
LAST_MINUTES = Statement(
    OF_ACCOUNT
    + """
  select c.data, extract(epoch from t.ended) * 1000 as ended,
    (select p.liquid from point p where p.robot = t.device_id
      and p.slot between extract(epoch from t.ended)::bigint - 60 and extract(epoch from t.ended)::bigint
      order by p.slot desc limit 1) as liquid
  from task_report t join robot r on r.id = t.device_id and r.owner_id = t.owner_id
    left join lateral (
      select k.data from chunk k where k.robot = t.device_id
        and k.minute between floor(extract(epoch from t.ended) / 600)::int * 10
          and floor(extract(epoch from t.ended) / 60)::int
      order by k.minute desc limit 1) c on true
  where t.started > now() - interval '31 days' and t.ended > now() - interval '30 days'
  order by t.ended desc limit $2"""
)
# By kind what holds at a place: its own row, or that of the nearest above.
HOLDING = Statement("""
select distinct on (s.kind) s.kind, s.enabled, s.threshold, a.id as "accountId"
from alarm_rule s join account a on a.id = s.account_id
where a.path @> text2ltree($1) order by s.kind, nlevel(a.path) desc""")
