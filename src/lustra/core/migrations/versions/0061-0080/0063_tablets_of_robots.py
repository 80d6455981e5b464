"""What each robot's tablet shall show, and how far it is with it."""

from alembic import op

revision = "0063"
down_revision = "0062"

TABLES = """
create sequence tablet_revision;
alter table tablet_branding add column revision bigint not null default nextval('tablet_revision');
create function new_tablet_revision() returns trigger language plpgsql as $$ begin
  new.revision := nextval('tablet_revision');
  return new;
end $$;
create trigger new_tablet_revision before update on tablet_branding for each row
  when (to_jsonb(old) - '{updated_at,changes}'::text[] <> to_jsonb(new) - '{updated_at,changes}'::text[])
  execute function new_tablet_revision();

create table tablet_delivery (
  device_id bigint not null references device on delete cascade,
  part text not null check (part in ('look')),
  revision bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'shown', 'failed')),
  reason text not null default '', tried_at timestamptz, shown_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (device_id, part)
);
create index tablet_delivery_open on tablet_delivery (tried_at) where state in ('waiting', 'sent');
"""
OF_ROBOT = "select d.owner_path::text from rows r join device d on d.id = r.device_id"


def upgrade() -> None:
    link = op.get_bind()
    link.connection.cursor().execute(TABLES)
    link.exec_driver_sql("select tell_stale(%s, %s, %s)", ("tablet_delivery", "tabletDelivery", OF_ROBOT))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
