"""Recordings of sensors as indexed MCAP, and what is in them.

`recording` is what the conversion says of it; the copy goes with the original.
"""

from alembic import op

revision = "0060"
down_revision = "0056"

COLUMNS = """
alter table device_log
  add column recording_state text not null default ''
    check (recording_state in ('', 'converting', 'ready', 'failed')),
  add column recording_reason text not null default '',
  add column recording_place text not null default '',
  add column recording jsonb;
create index device_log_recording_place on device_log (recording_place) where recording_place <> '';
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(COLUMNS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
