"""Alarms are put off from a time on: maintenance that is planned."""

from alembic import op

revision = "0088"
down_revision = "0087"


def upgrade() -> None:
    op.execute("alter table alarm_snooze add column since timestamptz not null default now()")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
