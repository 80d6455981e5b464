"""A robot's plan of backups says whether it is backed up before each update, by itself or beside a rhythm."""

from alembic import op

revision = "0092"
down_revision = "0091"


def upgrade() -> None:
    op.execute("alter table backup_plan add column before_updates boolean not null default false")
    op.execute("alter table backup_plan alter column every_days drop not null")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
