"""Tokens of robots that ask for updates by hawkBit's device API, and the digests that such clients compare."""

from alembic import op

revision = "0078"
down_revision = "0077"

CHANGES = """
create table update_token (
  device_id bigint primary key references device on delete cascade,
  digest text not null, created_at timestamptz not null default now(), seen_at timestamptz,
  attributes jsonb not null default '{}', message text not null default ''
);
alter table version_file add column sha1 text not null default '', add column md5 text not null default '';
"""
OF_ROBOT = "select d.owner_path::text from rows r join device d on d.id = r.device_id"


def upgrade() -> None:
    link = op.get_bind()
    link.connection.cursor().execute(CHANGES)
    link.exec_driver_sql("select tell_stale(%s, %s, %s)", ("update_token", "updateToken", OF_ROBOT))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
