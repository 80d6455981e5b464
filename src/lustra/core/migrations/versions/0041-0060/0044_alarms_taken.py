"""Who is on an alarm: the others see it, and need not go."""

from alembic import op

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    op.execute("alter table alarm add taken_by bigint references account on delete set null, add taken_at timestamptz")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
