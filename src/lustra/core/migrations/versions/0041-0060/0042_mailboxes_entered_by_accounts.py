"""When an account entered its mailboxes itself: no link for a new password goes there for some days."""

from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    op.execute("alter table account add column email_at timestamptz")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
