"""Since when a robot is in its mode, so that who waits longest comes first."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute("alter table robot_state add column mode_since bigint not null default 0")  # 0: from before this was kept


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
