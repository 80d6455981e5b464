"""Who asked for the control of a robot, and why somebody took it over."""

from alembic import op

revision = "0015"
down_revision = "0014"

COLUMNS = """
alter table control_lock
  add column reason text not null default '', add column asker_id bigint references account on delete set null,
  add column asker text not null default '', add column asked_at timestamptz;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(COLUMNS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
