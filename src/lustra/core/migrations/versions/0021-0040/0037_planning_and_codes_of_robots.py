"""How many ways a robot still works out; the right to make codes for many robots, for presets that make and sell them."""

from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.execute("alter table robot_state add column planning int not null default 0")
    op.execute("""
update role set keys = keys || '{device/index/authCodes}'
where id in (10, 15, 16) and 'device/index/authCode' = any(keys) and not 'device/index/authCodes' = any(keys)""")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
