"""What the runs of one group have in common, and what a robot works with."""

from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.execute("alter table task_report add column gid text not null default ''")
    op.execute("create index task_report_gid on task_report (gid) where gid <> ''")
    op.execute("alter table robot_state add column clean_mode text not null default ''")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
