"""Partitions of points are made and dropped by functions: who fills them need not own the table."""

from alembic import op

revision = "0025"
down_revision = "0024"

FUNCTIONS = """
create function make_points(hour bigint) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$
declare
  name constant text := format('point_%s', hour);
  since constant bigint := hour * 3600;
  until constant bigint := (hour + 1) * 3600;
begin
  lock table point in share row exclusive mode;
  if to_regclass(name) is not null then
    return;
  end if;
  execute format('create table %I (like point including all)', name);
  execute format('with went as (delete from point_rest where slot >= %s and slot < %s returning *)'
    ' insert into %I select * from went', since, until, name);
  execute format('alter table point attach partition %I for values from (%s) to (%s)', name, since, until);
end $$;

create function lock_points(hour bigint) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$ begin
  execute format('lock table %I in access exclusive mode', format('point_%s', hour));
end $$;

create function drop_points(hour bigint) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$ begin
  execute format('drop table %I', format('point_%s', hour));
end $$;

revoke execute on function make_points(bigint), lock_points(bigint), drop_points(bigint) from public;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(FUNCTIONS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
