"""Steps of roll-outs by groups of robots, and how many robots are asked in a minute."""

from alembic import op

revision = "0080"
down_revision = "0079"

CHANGES = """
alter table rollout add column step_groups jsonb not null default '[]', add column per_minute int not null default 0;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(CHANGES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
