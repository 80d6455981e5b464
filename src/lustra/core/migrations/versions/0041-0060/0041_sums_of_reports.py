"""Sums of reports by day and month, and the time that robots were connected by day, kept as their rows are written.

A run counts whole on the day on which it began at its robot's site, for its owner of then. A report that comes late, is
corrected or deleted corrects its day, and a site that gets another zone has its days made anew: each trigger adds what
stands now and takes away what stood before. Areas are exact decimals, so sums never depend on their order. Runs that
are known from states alone (`provisional`) change by the second: they are summed as they are asked for. Who clears old
data sets `lustra.keep_sums`: the sums stay, and `cleared` says how many of their runs are listed no more. What a day
has by the hour stands in area_hour.
"""

from alembic import op

revision = "0041"
down_revision = "0040"

TABLES = """
create table report_sum (
  device_id bigint not null references device on delete cascade,
  grain text not null check (grain in ('day', 'month')), day date not null,
  owner_id bigint not null references account, owner_path ltree not null,
  building text not null, floor text not null, map_name text not null,
  runs int not null, cleared int not null, seconds numeric not null, work_area numeric not null,
  planned numeric not null, cleaned numeric not null, liquid_ml numeric not null, distance numeric not null,
  faults int not null,
  primary key (device_id, grain, day, owner_id, building, floor, map_name)
);
create index report_sum_day on report_sum (grain, day);
create index report_sum_owner on report_sum using gist (owner_path);

create table online_day (
  device_id bigint not null references device on delete cascade, day date not null,
  owner_id bigint not null references account, owner_path ltree not null, seconds numeric not null,
  primary key (device_id, day, owner_id)
);
create index online_day_day on online_day (day);
create index online_day_owner on online_day using gist (owner_path);

alter table task_report
  add column by_hand text not null default '' check (by_hand in ('', 'edited', 'inserted')),
  add column editor_id bigint references account on delete set null,
  add column edited_at timestamptz, add column original jsonb, add column changes jsonb not null default '{}';
"""

# `rows`: reports, each with its robot's zone, `n` (how often it counts, or no more) and `cleared`.
SUMS = """
create function add_to_sums(rows text) returns text language sql immutable as $$
  select 'insert into report_sum as s
  select r.device_id, g.grain, date_trunc(g.grain, r.started at time zone r.zone)::date, r.owner_id, a.path,
    r.building, r.floor, r.map_name, sum(r.n), sum(r.cleared), sum(r.n * extract(epoch from r.ended - r.started)),
    sum(r.n * r.planned::text::numeric), sum(r.n * coalesce(r.reachable, r.planned)::text::numeric),
    sum(r.n * r.cleaned::text::numeric), sum(r.n * coalesce(r.liquid_ml, 0)::text::numeric),
    sum(r.n * coalesce(r.distance, 0)::text::numeric), sum(r.n * cardinality(r.faults))
  from (' || rows || ') r join account a on a.id = r.owner_id cross join (values (''day''), (''month'')) g(grain)
  where not r.provisional
  group by 1, 2, 3, 4, 5, 6, 7, 8
  order by 1, 2, 3, 4, 6, 7, 8
  on conflict (device_id, grain, day, owner_id, building, floor, map_name) do update set
    runs = s.runs + excluded.runs, cleared = s.cleared + excluded.cleared, seconds = s.seconds + excluded.seconds,
    work_area = s.work_area + excluded.work_area, planned = s.planned + excluded.planned,
    cleaned = s.cleaned + excluded.cleaned, liquid_ml = s.liquid_ml + excluded.liquid_ml,
    distance = s.distance + excluded.distance, faults = s.faults + excluded.faults'
$$;

create function sum_reports() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  come text := 'select c.*, d.zone, 1 as n, 0 as cleared from come c join device d on d.id = c.device_id';
  gone text := 'select c.*, d.zone, -1 as n, 0 as cleared from gone c join device d on d.id = c.device_id';
begin
  if tg_op = 'INSERT' then
    execute add_to_sums(come);
  elsif tg_op = 'UPDATE' then
    execute add_to_sums(come || ' union all ' || gone);
  elsif coalesce(current_setting('lustra.keep_sums', true), '') = 'on' then
    execute add_to_sums('select c.*, d.zone, 0 as n, 1 as cleared from gone c join device d on d.id = c.device_id');
  else
    execute add_to_sums(gone);
  end if;
  return null;
end $$;
create trigger sums_added after insert on task_report referencing new table as come
  for each statement execute function sum_reports();
create trigger sums_changed after update on task_report referencing old table as gone new table as come
  for each statement execute function sum_reports();
create trigger sums_gone after delete on task_report referencing old table as gone
  for each statement execute function sum_reports();
"""

ONLINE = """
-- Each day's part counts for who owned the robot as that part began. `n`: 1, or -1 to take it away.
create function add_online(robot bigint, since timestamptz, until timestamptz, zone text, n int) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into online_day as s
  select robot, part.day, o.owner_id, o.owner_path, sum(n * extract(epoch from part.until - part.since))
  from (
    select day::date, greatest(since, day::timestamp at time zone zone) as since,
      least(until, (day::date + 1)::timestamp at time zone zone) as until
    from generate_series((since at time zone zone)::date::timestamp, (until at time zone zone)::date::timestamp,
      interval '1 day') day
  ) part, owner_at(robot, epoch_ms(part.since)) o
  where part.until > part.since
  group by 1, 2, 3, 4
  on conflict (device_id, day, owner_id) do update set seconds = s.seconds + excluded.seconds
$$;

create function sum_online() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare site text := (select d.zone from device d where d.id = new.robot); begin
  if tg_op = 'UPDATE' and old.ended is not null then
    perform add_online(old.robot, old.began, old.ended, site, -1);
  end if;
  if new.ended is not null then
    perform add_online(new.robot, new.began, new.ended, site, 1);
  end if;
  return null;
end $$;
create trigger online_added after insert on online_span for each row
  when (new.ended is not null) execute function sum_online();
create trigger online_ended after update on online_span for each row
  when (new.ended is distinct from old.ended) execute function sum_online();
"""

MOVED = """
create function sums_of_zone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute add_to_sums(format(
    'select c.*, %2$L as zone, 1 as n, 0 as cleared from task_report c where c.device_id = %1$s
     union all select c.*, %3$L, -1, 0 from task_report c where c.device_id = %1$s', new.id, new.zone, old.zone));
  perform add_online(o.robot, o.began, o.ended, z.zone, z.n)
  from online_span o cross join (values (new.zone, 1), (old.zone, -1)) z(zone, n)
  where o.robot = new.id and o.ended is not null;
  return null;
end $$;
create trigger sums_of_zone after update of zone on device for each row
  when (old.zone <> new.zone) execute function sums_of_zone();

create function sums_of_account() returns trigger language plpgsql as $$ begin
  update report_sum set owner_path = new.path where owner_id = new.id;
  update online_day set owner_path = new.path where owner_id = new.id;
  return null;
end $$;
create trigger sums_of_account after update of path on account
  for each row when (old.path::text is distinct from new.path::text) execute function sums_of_account();

revoke execute on function sum_reports, sum_online, sums_of_zone, add_online from public;
"""

FORMER = """
do $$ begin
  execute add_to_sums('select c.*, d.zone, 1 as n, 0 as cleared from task_report c join device d on d.id = c.device_id');
  perform add_online(o.robot, o.began, o.ended, d.zone, 1)
  from online_span o join device d on d.id = o.robot where o.ended is not null;
end $$;
"""


def upgrade() -> None:
    for part in (TABLES, SUMS, ONLINE, MOVED, FORMER):
        op.get_bind().connection.cursor().execute(part)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
