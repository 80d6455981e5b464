"""Sums of reports by owner, so that a chart of a year over ten thousand robots reads a row a customer and month.

They follow `report_sum`, whatever changes it: a late report, a correction, another zone of a site, an account that
moves. What is cleared stays, as there.
"""

from alembic import op

revision = "0075"
down_revision = "0074"

FIGURES = "runs, cleared, seconds, work_area, planned, cleaned, liquid_ml, distance, faults"
SUMS = ", ".join(f"sum(n * {name})" for name in FIGURES.split(", "))
GROWN = ", ".join(f"{name} = o.{name} + excluded.{name}" for name in FIGURES.split(", "))

OWNERS = f"""
create table owner_sum (
  owner_id bigint not null references account, grain text not null, day date not null,
  owner_path ltree not null,
  runs bigint not null, cleared bigint not null, seconds numeric not null, work_area numeric not null,
  planned numeric not null, cleaned numeric not null, liquid_ml numeric not null, distance numeric not null,
  faults bigint not null,
  primary key (owner_id, grain, day)
);
create index owner_sum_owner on owner_sum using gist (owner_path);

create function add_to_owners(rows text) returns text language sql immutable as $$
  select 'insert into owner_sum as o (owner_id, grain, day, owner_path, {FIGURES})
  select r.owner_id, r.grain, r.day, a.path, {SUMS}
  from (' || rows || ') r join account a on a.id = r.owner_id
  group by 1, 2, 3, 4 order by 1, 2, 3
  on conflict (owner_id, grain, day) do update set {GROWN}'
$$;

create function sum_owners() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    execute add_to_owners('select c.*, 1 as n from come c');
  elsif tg_op = 'UPDATE' then
    execute add_to_owners('select c.*, 1 as n from come c union all select g.*, -1 from gone g');
  else
    execute add_to_owners('select g.*, -1 as n from gone g');
  end if;
  return null;
end $$;
create trigger owners_added after insert on report_sum referencing new table as come
  for each statement execute function sum_owners();
create trigger owners_changed after update on report_sum referencing old table as gone new table as come
  for each statement execute function sum_owners();
create trigger owners_gone after delete on report_sum referencing old table as gone
  for each statement execute function sum_owners();

create or replace function sums_of_account() returns trigger language plpgsql as $$ begin
  update report_sum set owner_path = new.path where owner_id = new.id;
  update owner_sum set owner_path = new.path where owner_id = new.id;
  update online_day set owner_path = new.path where owner_id = new.id;
  return null;
end $$;

revoke execute on function sum_owners from public;
do $$ begin execute add_to_owners('select s.*, 1 as n from report_sum s'); end $$;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(OWNERS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
