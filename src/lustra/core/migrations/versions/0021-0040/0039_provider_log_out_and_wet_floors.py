"""What a log-out at the provider of single sign-on shows there; ingest, which may not write messages, warns of wet floors."""

from alembic import op

revision = "0039"
down_revision = "0038"

# It is the owner's, as tell_maps_full. Once for each start of a schedule.
TELL = """
create function tell_wet_floor(sn text, schedule text, start bigint, maps text[], dries interval) returns void
language sql security definer set search_path = public as $$
  insert into message (account_id, kind, values)
  select d.owner_id, 'wet_floor',
    jsonb_build_object('by', '', 'robot', d.name, 'schedule', schedule, 'map', wet.map_name, 'start', start)
  from device d cross join lateral (
    select r.map_name from task_report r
    where r.device_id = d.id and r.owner_id = d.owner_id and r.map_name = any(maps)
      and r.started < to_timestamp(start / 1000.0) and r.ended > to_timestamp(start / 1000.0) - dries
    order by r.ended desc limit 1
  ) wet
  where d.serial_number = sn and d.deleted_at is null and to_timestamp(start / 1000.0) > now() - interval '1 hour'
    and not exists (
      select from message m where m.account_id = d.owner_id and m.kind = 'wet_floor'
        and m.values @> jsonb_build_object('robot', d.name, 'schedule', schedule, 'start', start))
$$;
revoke execute on function tell_wet_floor(text, text, bigint, text[], interval) from public;
"""


def upgrade() -> None:
    op.execute("alter table login add column id_token bytea")
    op.get_bind().connection.cursor().execute(TELL)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
