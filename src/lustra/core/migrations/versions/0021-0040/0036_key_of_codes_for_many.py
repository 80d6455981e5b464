"""The right to make codes for many robots, for the preset roles that make and sell robots."""

from alembic import op

revision = "0036"
down_revision = "0033"


def upgrade() -> None:
    op.execute("""
update role set keys = keys || '{device/index/authCodes}'
where id in (10, 15, 16) and 'device/index/authCode' = any(keys) and not 'device/index/authCodes' = any(keys)""")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
