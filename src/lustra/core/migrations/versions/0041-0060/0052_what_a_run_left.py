"""What a run left of its area, cell by cell, as its robot reports it."""

from alembic import op

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    op.execute("alter table task_report add missed jsonb, add unreachable jsonb")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
