"""Signed metadata by which robots trust packages, to the byte as it was signed."""

from alembic import op

revision = "0054"
down_revision = "0053"

TABLES = """
create table trust_metadata (
  role text not null check (role in ('root', 'targets', 'snapshot', 'timestamp')),
  version int not null check (version > 0), content text not null, primary key (role, version)
);
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(TABLES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
