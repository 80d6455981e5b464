"""How far the streams of the bus are stored, for a database that turns out to be older than the bus."""

from alembic import op

revision = "0100"
down_revision = "0099"


def upgrade() -> None:
    op.execute("create table stream_position (consumer text primary key, sequence bigint not null)")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
