"""How long what is kept, by customer; and a chain of the audit that holds when a person is erased.

The chain begins anew: the sealer goes over all rows that there are, with salts.
"""

from alembic import op

revision = "0009"
down_revision = "0008"

WHOLE = """
create table retention (
  account_id bigint not null references account on delete cascade, kind text not null,
  days int check (days between 0 and 3650), own_days int check (own_days between 1 and 3650),
  primary key (account_id, kind)
);
delete from audit_seal;
alter table audit_seal add column digest bytea not null, add column salt bytea,
  add column erased_by bigint references audit;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(WHOLE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
