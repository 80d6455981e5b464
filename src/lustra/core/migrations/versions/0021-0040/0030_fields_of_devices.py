"""A robot's address on the web, its port for data, and what it says of its disk."""

from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.execute("alter table device add column url text not null default '', add column traffic int")
    op.execute("alter table robot_state add column hard_disk text not null default ''")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
