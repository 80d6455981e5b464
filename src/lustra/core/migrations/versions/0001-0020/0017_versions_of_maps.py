"""When each version of a map was told or saved."""

from alembic import op

revision = "0017"
down_revision = "0016"

SAVED = "alter table map_version add column at timestamptz not null default now()"


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(SAVED)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
