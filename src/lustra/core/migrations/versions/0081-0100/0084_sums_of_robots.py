"""Sums of reports by robot and days, ten days, month and quarter, so that a year of ten thousand robots is taken apart
from a dozen rows a robot, whatever its maps.

They follow the days of `report_sum`, whatever changes those, as `owner_sum` does. Who owned a robot then stands first in
their key: a customer's year is read without the others'. Where an account stands in the tree is asked of the account.
"""

from alembic import op

revision = "0084"
down_revision = "0083"

FIGURES = "runs, cleared, seconds, work_area, planned, cleaned, liquid_ml, distance, faults"
SUMS = ", ".join(f"sum(n * {name})" for name in FIGURES.split(", "))
GROWN = ", ".join(f"{name} = o.{name} + excluded.{name}" for name in FIGURES.split(", "))

ROBOTS = f"""
create table robot_sum (
  owner_id bigint not null references account,
  grain text not null check (grain in ('day', 'ten', 'month', 'quarter')), day date not null,
  device_id bigint not null references device on delete cascade,
  runs int not null, cleared int not null, faults int not null, seconds numeric not null, work_area numeric not null,
  planned numeric not null, cleaned numeric not null, liquid_ml numeric not null, distance numeric not null
) with (fillfactor = 80);

-- A month's first ten days, its second, and what is left of it.
create function first_of(grain text, day date) returns date language sql immutable as $$
  select case grain when 'day' then day
    when 'ten' then date_trunc('month', day)::date + least((extract(day from day)::int - 1) / 10, 2) * 10
    else date_trunc(grain, day)::date end
$$;

-- Of a robot that is being deleted nothing is left to correct.
create function add_to_robots(rows text) returns text language sql immutable as $$
  select 'insert into robot_sum as o (owner_id, grain, day, device_id, {FIGURES})
  select r.owner_id, g.grain, first_of(g.grain, r.day), r.device_id, {SUMS}
  from (' || rows || ') r join device d on d.id = r.device_id
    cross join (values (''day''), (''ten''), (''month''), (''quarter'')) g(grain)
  where r.grain = ''day''
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (owner_id, grain, day, device_id) do update set {GROWN}'
$$;

create function sum_robots() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    execute add_to_robots('select c.*, 1 as n from come c');
  elsif tg_op = 'UPDATE' then
    execute add_to_robots('select c.*, 1 as n from come c union all select g.*, -1 from gone g');
  else
    execute add_to_robots('select g.*, -1 as n from gone g');
  end if;
  return null;
end $$;
create trigger robots_added after insert on report_sum referencing new table as come
  for each statement execute function sum_robots();
create trigger robots_changed after update on report_sum referencing old table as gone new table as come
  for each statement execute function sum_robots();
create trigger robots_gone after delete on report_sum referencing old table as gone
  for each statement execute function sum_robots();

revoke execute on function sum_robots from public;
"""
# What stands already: each grain from the finer one, in memory, and the indexes afterwards; a year of 10,000 robots is
# four million days.
ADDED = ", ".join(f"sum(s.{name})" for name in FIGURES.split(", "))
FILLED = f"""
set local work_mem = '256MB';
set local maintenance_work_mem = '256MB';
insert into robot_sum (owner_id, grain, day, device_id, {FIGURES})
  select s.owner_id, 'day', s.day, s.device_id, {ADDED} from report_sum s join device d on d.id = s.device_id
  where s.grain = 'day' group by s.owner_id, s.day, s.device_id order by s.owner_id, s.day, s.device_id;
insert into robot_sum (owner_id, grain, day, device_id, {FIGURES})
  select s.owner_id, 'ten', first_of('ten', s.day), s.device_id, {ADDED} from robot_sum s
  where s.grain = 'day' group by 1, 3, 4 order by 1, 3, 4;
insert into robot_sum (owner_id, grain, day, device_id, {FIGURES})
  select s.owner_id, 'month', first_of('month', s.day), s.device_id, {ADDED} from robot_sum s
  where s.grain = 'ten' group by 1, 3, 4 order by 1, 3, 4;
insert into robot_sum (owner_id, grain, day, device_id, {FIGURES})
  select s.owner_id, 'quarter', first_of('quarter', s.day), s.device_id, {ADDED} from robot_sum s
  where s.grain = 'month' group by 1, 3, 4 order by 1, 3, 4;
alter table robot_sum add primary key (owner_id, grain, day, device_id);
create index robot_sum_device on robot_sum (device_id, grain, day);
reset work_mem;
reset maintenance_work_mem;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(ROBOTS + FILLED)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
