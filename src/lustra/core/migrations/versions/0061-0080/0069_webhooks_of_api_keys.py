"""Webhooks that an API key made: bounded by it, and gone with it."""

from alembic import op

revision = "0069"
down_revision = "0063"

CHANGES = """
alter table webhook add column api_key_id text references api_key on delete cascade;
create index webhook_of_api_key on webhook (api_key_id) where api_key_id is not null;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(CHANGES)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
