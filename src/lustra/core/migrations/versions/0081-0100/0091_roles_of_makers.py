"""Signed metadata of roles of makers, by names of their own."""

from alembic import op

revision = "0091"
down_revision = "0090"

ROLES = """
alter table trust_metadata drop constraint trust_metadata_role_check;
alter table trust_metadata add constraint trust_metadata_role_check check (role ~ '^[a-z][a-z0-9-]{0,31}$');
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(ROLES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
