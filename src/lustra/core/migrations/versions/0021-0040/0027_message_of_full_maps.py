"""Owners and administrators learn that a robot's map was not copied, since its owner holds as much as it may."""

from alembic import op

revision = "0027"
down_revision = "0026"

# It is the owner's, so that ingest, which may not write messages, may call it. Once a day for each robot and account.
TELL = """
create index message_maps_full on message (account_id, created_at) where kind = 'maps_full';
create function tell_maps_full(robot bigint, owner bigint, map_name text, used text, most text) returns void
language sql security definer set search_path = public as $$
  insert into message (account_id, kind, values)
  select a.id, 'maps_full', jsonb_build_object('by', '', 'deviceId', d.id, 'robot', d.name, 'owner', o.name,
    'name', map_name, 'used', used, 'limit', most)
  from device d join account o on o.id = owner
  join account a on a.deleted_at is null and (a.id = o.id or (a.level = 1 and a.shadow_of is null))
  where d.id = robot and not exists (
    select from message m where m.account_id = a.id and m.kind = 'maps_full' and m.created_at > now() - interval '1 day'
      and m.values ->> 'deviceId' = d.id::text)
$$;
revoke execute on function tell_maps_full(bigint, bigint, text, text, text) from public;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(TELL)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
