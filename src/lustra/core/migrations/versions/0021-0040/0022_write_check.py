"""A row that is written to see whether the database can write."""

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.execute(
        "create table write_check (id boolean primary key default true check (id), at timestamptz not null)"
        " with (fillfactor = 10)"  # room on its one page for the row's next versions
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
