"""How many ways a robot still works out."""

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.execute("alter table robot_state add column planning int not null default 0")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
