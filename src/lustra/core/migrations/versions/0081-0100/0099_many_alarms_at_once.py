"""Many alarms at once are stored in a time that grows as their number does.

`alarm_raise_set` put each cause beside each alarm to find its own: two thousand took half a second. And references were
checked within `alarm_raise_all`, whose statements are planned anew each time, so the checks were too, three of a cause:
they took four times as long as the rest. They are checked once now, as the transaction ends.
"""

from alembic import op

revision = "0099"
down_revision = "0098"

DEFERRED = """
alter table alarm_cause alter constraint alarm_cause_device_id_fkey deferrable initially deferred,
  alter constraint alarm_cause_alarm_id_fkey deferrable initially deferred;
alter table alarm alter constraint alarm_device_id_fkey deferrable initially deferred,
  alter constraint alarm_owner_id_fkey deferrable initially deferred;
"""
RAISE = """
create or replace function alarm_raise_set(robots bigint[], origin text, causes text[], codes text[], moments timestamptz[],
  given int[], notes text[]) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at_robots bigint[]; at_causes text[]; raised bigint[]; gone timestamptz[]; first_gone boolean;
begin
  first_gone := cardinality(robots) > 1 and exists (
    select from unnest(robots, causes) s(robot, cause)
      join alarm_cause c on c.device_id = s.robot and c.key = s.cause and c.raised_at is null);
  if first_gone then  -- an end that came first: whether two are the same alarm depends on their order
    return (select sum(alarm_raise_set(robots[n:n], origin, causes[n:n], codes[n:n], moments[n:n], given[n:n], notes[n:n]))
      from generate_series(1, cardinality(robots)) n);
  end if;
  insert into alarm_setting (code) select distinct s.code from unnest(codes) s(code)
  where not exists (select from alarm_setting k where k.code = s.code) on conflict do nothing;
  with said as materialized (
    select distinct on (s.robot, s.cause) s.*
    from unnest(robots, causes, codes, moments, given, notes) with ordinality
      as s(robot, cause, code, moment, level, note, place)
    order by s.robot, s.cause, s.place
  ), cause as (
    insert into alarm_cause as c (device_id, key, code, source, raised_at)
    select robot, cause, code, origin, moment from said order by robot, cause
    on conflict (device_id, key) do update set raised_at = excluded.raised_at, code = excluded.code
    where c.raised_at is null returning c.device_id, c.key, c.cleared_at
  ), owned as materialized (
    select s.*, c.cleared_at as gone, o.owner_id, o.owner_path
    from said s join cause c on c.device_id = s.robot and c.key = s.cause
      cross join lateral owner_at(s.robot, epoch_ms(s.moment)) o
  ), thing as materialized (  -- what is one alarm
    select o.robot, o.code, o.owner_id, o.owner_path, count(*)::int as times, max(o.level) as level,
      min(o.place) as place,
      (array_agg(o.moment order by o.place))[1] as first_at, max(o.moment) as last_at,
      (array_agg(o.level order by o.place))[1] as first_level,
      coalesce((array_agg(o.note order by o.place desc) filter (where o.note <> ''))[1], '') as note
    from owned o group by o.robot, o.code, o.owner_id, o.owner_path
  ), present as materialized (
    select t.*, r.known, r.type, greatest(t.level, case t.first_level when 0 then r.level else t.first_level end) as begins,
      b.id as alarm_id
    from thing t join alarm_setting r on r.code = t.code left join lateral (
      select b.id from alarm b where b.device_id = t.robot and b.code = t.code and b.owner_id = t.owner_id
        and (b.state < 2 or b.resolved_by is null and b.resolved_at > t.first_at - make_interval(secs => r.reopen_s))
      order by b.state = 2, b.id desc limit 1
    ) b on true
  ), again as (
    update alarm a set count = a.count + p.times, last_at = greatest(a.last_at, p.last_at), cleared_at = null,
      resolved_at = null, state = case when a.state < 2 then a.state when p.known then 1 else 0 end,
      level = greatest(a.level, p.level), detail = coalesce(nullif(p.note, ''), a.detail)
    from present p where a.id = p.alarm_id returning a.id, a.device_id, a.code, a.owner_id
  ), fresh as (
    insert into alarm as a (device_id, owner_id, owner_path, code, type, level, state, source, count, raised_at,
      last_at, detail, map_name, run, x, y, yaw)
    select p.robot, p.owner_id, p.owner_path, p.code, p.type, p.begins, case when p.known then 1 else 0 end, origin,
      p.times, p.first_at, p.last_at, p.note, coalesce(s.map, ''), coalesce(s.run, ''), s.x, s.y, s.yaw
    from present p left join robot_state s on s.robot = p.robot and abs(s.at - epoch_ms(p.first_at)) < 60000
    where p.alarm_id is null order by p.place
    on conflict (device_id, code, owner_id) where state < 2
    do update set count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at), cleared_at = null
    returning a.id, a.device_id, a.code, a.owner_id
  )
  select array_agg(o.robot), array_agg(o.cause), array_agg(a.id), array_agg(o.gone)
  into at_robots, at_causes, raised, gone
  -- full, which is never done row by row: both sides count as one row to the planner, and may be thousands
  from owned o full join (select * from again union all select * from fresh) a
    on a.device_id = o.robot and a.code = o.code and a.owner_id = o.owner_id;
  update alarm_cause c set alarm_id = u.id from unnest(at_robots, at_causes, raised) u(robot, cause, id)
  where c.device_id = u.robot and c.key = u.cause;
  if array_remove(gone, null) <> '{}' then
    perform alarm_settle_all(array_agg(u.id), array_agg(u.moment)) from unnest(raised, gone) u(id, moment)
    where u.moment is not null;
  end if;
  return coalesce(cardinality(raised), 0);
end $$;
"""


def upgrade() -> None:
    cursor = op.get_bind().connection.cursor()
    cursor.execute(DEFERRED)
    cursor.execute(RAISE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
