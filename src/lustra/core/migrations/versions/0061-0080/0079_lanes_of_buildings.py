"""Lanes of a building, kept with its map for reference; null: it has none."""

from alembic import op

revision = "0079"
down_revision = "0078"

CHANGES = """
alter table floor_map add column lane_graph jsonb;
alter table map_version add column lane_graph jsonb;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(CHANGES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
