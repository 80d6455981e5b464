"""Recordings count towards what their owner may hold. Clips that were opened before do not: their sizes are not known,
and their links end within thirty days."""

from alembic import op

revision = "0097"
down_revision = "0096"

HELD = """
insert into holding (account_id, place, kind, size)
  select owner_id, place, 'recordings', size from video_record where place <> '' on conflict do nothing;
create index message_recordings_full on message (account_id, created_at) where kind = 'recordings_full';
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(HELD)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
