"""A camera that sends says whether its robot stands in a room that the map marks: nothing is shown there."""

from alembic import op

revision = "0093"
down_revision = "0092"


def upgrade() -> None:
    op.execute("alter table live_video add column private boolean not null default false")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
