"""How far a robot's clock is off, in ms: ahead above 0, right 0."""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.execute("alter table robot_state add column clock_off bigint not null default 0")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
