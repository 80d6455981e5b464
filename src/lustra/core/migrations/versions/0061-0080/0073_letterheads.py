"""What documents of an account look like, and whether its month comes by mail."""

from alembic import op

revision = "0073"
down_revision = "0072"

LETTERHEAD = """
create table letterhead (
  account_id bigint primary key references account on delete cascade,
  logo text not null default '', colour text not null default '',
  monthly bool not null default false, mailed_month text not null default '',
  updated_at timestamptz not null default now(), changes jsonb not null default '{}'
);
"""
OF_ACCOUNT = "select a.path::text from account a join rows r on a.id = r.account_id"


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(LETTERHEAD)
    op.get_bind().exec_driver_sql("select tell_stale(%s, %s, %s)", ("letterhead", "letterhead", OF_ACCOUNT))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
