"""Alarms of many robots are raised, cleared and handed on together.

`alarm_raise_all`, `alarm_clear_all` and `alarm_resync_all` take what many robots say in one statement each, and do what
`alarm_raise`, `alarm_clear` and `alarm_resync` did one by one, which are of one row now. Of what one statement has
raised, one job an owner and code notifies, one statement writes the changes for other systems, and robots that fall
silent together, or come back, are one set. A code may want that what is gone stays away before it is resolved.
"""

from alembic import op

revision = "0086"
down_revision = "0085"

FUNCTIONS = """
alter table alarm_setting add column off_delay_s int not null default 0 check (off_delay_s between 0 and 86400);

-- It is over when no cause of it is left, for as long as its code wants; a job looks again then. What nobody has decided
-- on waits for a person.
create function alarm_settle_all(settled bigint[], moments timestamptz[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    update alarm a set cleared_at = m.moment,
      state = case when a.state = 1 and (not m.waits or m.over <= now()) then 2 else a.state end,
      resolved_at = case when a.state = 1 and (not m.waits or m.over <= now()) then m.over end
    from (
      select distinct on (u.id) u.id, u.moment,
        u.moment + make_interval(secs => s.off_delay_s) as over, s.off_delay_s > 0 as waits
      from unnest(settled, moments) with ordinality as u(id, moment, place) join alarm b on b.id = u.id
        join alarm_setting s on s.code = b.code
      order by u.id, u.place desc
    ) m
    where a.id = m.id and a.state < 2
      and not exists (select from alarm_cause c where c.alarm_id = a.id and c.cleared_at is null)
    returning a.id, a.code, a.state, m.over, m.waits
  )
  select procrastinate_defer_jobs_v1(array_agg(
    row('alarms', 'alarm.settle', 0, null, null, jsonb_build_object('alarms', n.ids), n.over)
      ::procrastinate_job_to_defer_v1))
  from (
    select jsonb_agg(g.id order by g.id) as ids, max(g.over) as over from gone g where g.state = 1 and g.waits
    group by g.code
  ) n
$$;

-- How many causes were not known before. `given`: their levels, 0: that of the setting.
create function alarm_raise_set(robots bigint[], origin text, causes text[], codes text[], moments timestamptz[],
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
  from owned o join (select * from again union all select * from fresh) a
    on a.device_id = o.robot and a.code = o.code and a.owner_id = o.owner_id;
  update alarm_cause c set alarm_id = u.id from unnest(at_robots, at_causes, raised) u(robot, cause, id)
  where c.device_id = u.robot and c.key = u.cause;
  if array_remove(gone, null) <> '{}' then
    perform alarm_settle_all(array_agg(u.id), array_agg(u.moment)) from unnest(raised, gone) u(id, moment)
    where u.moment is not null;
  end if;
  return coalesce(cardinality(raised), 0);
end $$;

create function alarm_clear_set(robots bigint[], origin text, causes text[], codes text[], moments timestamptz[])
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare settled bigint[]; ends timestamptz[]; begin
  with said as materialized (
    select distinct on (s.robot, s.cause) s.*
    from unnest(robots, causes, codes, moments) with ordinality as s(robot, cause, code, moment, place)
    order by s.robot, s.cause, s.place
  ), cause as (
    insert into alarm_cause as c (device_id, key, code, source, cleared_at)
    select robot, cause, code, origin, moment from said order by robot, cause
    on conflict (device_id, key) do update set cleared_at = greatest(excluded.cleared_at, c.raised_at)
    where c.cleared_at is null returning c.device_id, c.key, c.alarm_id
  )
  select array_agg(c.alarm_id order by s.place), array_agg(s.moment order by s.place) into settled, ends
  from said s join cause c on c.device_id = s.robot and c.key = s.cause where c.alarm_id is not null;
  perform alarm_settle_all(settled, ends);
end $$;

-- Planned for as many rows as there are, where there are more than a few.
create function plan_for(number int) returns void language plpgsql as $$ begin
  if number > 16 then
    perform set_config('plan_cache_mode', 'force_custom_plan', true);  -- until the calling function is left
  end if;
end $$;

create function alarm_raise_all(robots bigint[], origin text, causes text[], codes text[], moments timestamptz[],
  given int[], notes text[]) returns int
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = auto as $$ begin
  perform plan_for(cardinality(robots));
  return alarm_raise_set(robots, origin, causes, codes, moments, given, notes);
end $$;

create function alarm_clear_all(robots bigint[], origin text, causes text[], codes text[], moments timestamptz[])
returns void language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = auto as $$ begin
  perform plan_for(cardinality(robots));
  perform alarm_clear_set(robots, origin, causes, codes, moments);
end $$;

-- `owners` and `causes`: what robots say is open takes the place of what was known. Whose word is not older than that.
create function alarm_resync_all(robots bigint[], moments timestamptz[], owners bigint[], causes text[])
returns setof bigint language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = auto as $$
declare newest bigint[]; ats timestamptz[]; begin
  perform plan_for(cardinality(robots));
  with kept as (
    insert into alarm_resync as r (device_id, at)
    select s.robot, s.moment from unnest(robots, moments) s(robot, moment) order by s.robot
    on conflict (device_id) do update set at = excluded.at where r.at < excluded.at returning r.device_id, r.at
  )
  select array_agg(k.device_id), array_agg(k.at) into newest, ats from kept k;
  perform alarm_clear_set(array_agg(c.device_id), 'robot', array_agg(c.key), array_agg(c.code), array_agg(n.moment))
  from unnest(newest, ats) n(robot, moment) join alarm_cause c on c.device_id = n.robot
  where c.cleared_at is null and c.source <> 'server' and c.raised_at <= n.moment
    and not exists (select from unnest(owners, causes) k(robot, cause) where k.robot = c.device_id and k.cause = c.key);
  return query select unnest(newest);
end $$;

drop function alarm_raise;
create function alarm_raise(robot bigint, origin text, cause text, said text, moment timestamptz, given int, note text)
returns int language sql security definer set search_path = public, pg_temp as $$
  select alarm_raise_set(array[robot], origin, array[cause], array[said], array[moment], array[given], array[note])
$$;

create or replace function alarm_clear(robot bigint, origin text, cause text, said text, moment timestamptz)
returns void language sql security definer set search_path = public, pg_temp as $$
  select alarm_clear_set(array[robot], origin, array[cause], array[said], array[moment])
$$;
drop function alarm_resync;
drop function alarm_settle;

drop trigger raise_presence on presence;
-- Who said good-bye is no alarm.
create or replace function alarm_of_presence() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare back bigint[]; heard timestamptz[]; lost bigint[]; silent timestamptz[]; begin
  select array_agg(t.robot) filter (where t.online), array_agg(t.since) filter (where t.online),
    array_agg(t.robot) filter (where t.reason = 'no_heartbeat'), array_agg(t.since) filter (where t.reason = 'no_heartbeat')
  into back, heard, lost, silent
  from (  -- grouped and not joined: a plan is made once, and holds for one row and for thousands
    select u.robot, bool_or(u.online) filter (where u.is_new) as online, max(u.since) filter (where u.is_new) as since,
      max(u.reason) filter (where u.is_new) as reason
    from (select robot, online, since, reason, true as is_new from came
      union all select robot, online, since, reason, false from went) u
    group by u.robot having bool_or(u.online) <> bool_and(u.online)
  ) t;
  if back is not null then
    perform alarm_clear_all(array_agg(c.device_id), 'server', array_agg(c.key), array_agg(c.code),
      array_agg(b.since))
    from unnest(back, heard) b(robot, since) join alarm_cause c on c.device_id = b.robot
    where c.source = 'server' and c.code = 'offline' and c.cleared_at is null having count(*) > 0;
  end if;
  if lost is not null then
    perform alarm_raise_all(lost, 'server', array_agg('offline ' || epoch_ms(m.at) order by m.place),
      array_agg('offline'::text), silent, array_agg(0), array_agg(''::text))
    from unnest(silent) with ordinality m(at, place);
  end if;
  return null;
end $$;
create trigger raise_presence after update on presence referencing old table as went new table as came
  for each statement execute function alarm_of_presence();

drop trigger change_alarm on alarm;
drop trigger change_alarm_again on alarm;
create or replace function change_of_alarm() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  insert into change_entry (kind, owner_id, device_id, serial, data)
  select case when a.state = 2 then 'alarm.resolved' else 'alarm.raised' end, a.owner_id, a.device_id,
    coalesce(d.serial_number, ''), jsonb_build_object('warnId', a.id, 'code', a.code, 'type', a.type,
      'level', a.level, 'time', a.raised_at, 'resolveDate', a.resolved_at)
  from rows a left join device d on d.id = a.device_id order by a.id;
  return null;
end $$;
create function change_of_alarm_again() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  insert into change_entry (kind, owner_id, device_id, serial, data)
  select case when a.state = 2 then 'alarm.resolved' else 'alarm.raised' end, a.owner_id, a.device_id,
    coalesce(d.serial_number, ''), jsonb_build_object('warnId', a.id, 'code', a.code, 'type', a.type,
      'level', a.level, 'time', a.raised_at, 'resolveDate', a.resolved_at)
  from (
    select u.id from (select id, state from rows union all select id, state from before) u
    group by u.id having bool_or(u.state = 2) <> bool_and(u.state = 2)
  ) turned join alarm a on a.id = turned.id left join device d on d.id = a.device_id order by a.id;
  return null;
end $$;
create trigger change_alarm after insert on alarm referencing new table as rows
  for each statement execute function change_of_alarm();
create trigger change_alarm_again after update on alarm referencing old table as before new table as rows
  for each statement execute function change_of_alarm_again();

drop trigger notify_of_alarm on alarm;
create or replace function notify_of_alarm() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$ begin
  perform procrastinate_defer_jobs_v1(array_agg(
    row('alarms', 'alarm.notify', 0, null, null, jsonb_build_object('alarms', n.ids),
      case when n.wait > 0 then now() + make_interval(secs => n.wait) end)::procrastinate_job_to_defer_v1))
  from (
    select s.notify_after_s as wait, jsonb_agg(a.id order by a.id) as ids
    from rows a join alarm_setting s on s.code = a.code group by a.owner_id, a.code, s.notify_after_s
  ) n;
  return null;
end $$;
create trigger notify_of_alarm after insert on alarm referencing new table as rows
  for each statement execute function notify_of_alarm();
update procrastinate_jobs set args = jsonb_build_object('alarms', jsonb_build_array(args -> 'alarm'))
where task_name = 'alarm.notify' and status in ('todo', 'doing') and args ? 'alarm';

revoke execute on function alarm_settle_all, alarm_raise_set, alarm_clear_set, alarm_raise_all, alarm_clear_all,
  alarm_resync_all, alarm_raise, change_of_alarm_again, plan_for from public;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(FUNCTIONS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
