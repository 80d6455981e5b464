"""What a building's lift server asks its clients for, sealed."""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.get_bind().connection.cursor().execute("alter table elevator add column secret bytea")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
