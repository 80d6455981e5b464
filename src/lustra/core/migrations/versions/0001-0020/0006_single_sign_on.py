"""Single sign-on: which person of a provider's an account belongs to; codes that are good for one use."""

from alembic import op

revision = "0006"
down_revision = "0005"

ACCOUNT_SUBJECT = """
create table account_subject (
  issuer text not null check (issuer <> ''), subject text not null check (subject <> ''),
  account_id bigint not null references account on delete cascade,
  began_at timestamptz not null, seen_at timestamptz,
  primary key (issuer, subject), unique (account_id, issuer)
);
"""

ONE_TIME_CODE = """
create table one_time_code (
  hash bytea primary key, kind text not null, told jsonb not null, expires_at timestamptz not null
);
"""


def upgrade() -> None:
    for part in (ACCOUNT_SUBJECT, ONE_TIME_CODE):
        op.get_bind().connection.cursor().execute(part)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
