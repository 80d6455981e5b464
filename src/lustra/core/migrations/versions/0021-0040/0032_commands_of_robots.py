"""The commands that a robot says it has; serial numbers with dots, dashes and underscores."""

from alembic import op

revision = "0032"
down_revision = "0031"

# `commands`: those of its local API that it has; null: all of its protocol.
DEVICE = """
alter table device add column commands text[],
  drop constraint device_serial_number_check,
  add check (serial_number ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$');
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(DEVICE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
