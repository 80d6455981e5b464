"""How far each robot is with the configuration parameters."""

from alembic import op

revision = "0083"
down_revision = "0082"

TABLE = """
create table parameter_delivery (
  device_id bigint primary key references device on delete cascade,
  revision bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'shown', 'failed')),
  reason text not null default '', refused_key text not null default '', unknown_keys text[] not null default '{}',
  tried_at timestamptz, shown_at timestamptz, updated_at timestamptz not null default now()
);
create index parameter_delivery_open on parameter_delivery (tried_at) where state in ('waiting', 'sent');
"""
OF_ROBOT = "select d.owner_path::text from rows r join device d on d.id = r.device_id"


def upgrade() -> None:
    link = op.get_bind()
    link.connection.cursor().execute(TABLE)
    link.exec_driver_sql("select tell_stale(%s, %s, %s)", ("parameter_delivery", "parameterDelivery", OF_ROBOT))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
