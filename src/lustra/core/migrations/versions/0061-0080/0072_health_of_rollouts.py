"""How robots do on a version that is rolled out, beside how they did before."""

from alembic import op

revision = "0072"
down_revision = "0071"

CHANGES = """
alter table rollout
  add column health_runs int not null default 0,
  add column health_days int not null default 7,
  add column health_limits jsonb not null default '{}',
  add column health jsonb not null default '[]',
  add column health_step int not null default -1;
alter table rollout_robot add column runs int;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(CHANGES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
