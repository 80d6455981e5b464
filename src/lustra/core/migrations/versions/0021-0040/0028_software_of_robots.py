"""The software version that a robot says it runs."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.execute("alter table robot_state add column software text not null default ''")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
