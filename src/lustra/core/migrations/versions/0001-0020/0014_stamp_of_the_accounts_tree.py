"""A stamp of all that the owners' tree shows of accounts: what was made of it before is good while the stamp is the same.

Set anew at the end of the transaction that changes something, when it waits for nothing else any more: so transactions
queue for the one row only while they commit, and never block each other crosswise. The second row of a transaction
finds its own mark and writes nothing.
"""

from alembic import op

revision = "0014"
down_revision = "0013"

STAMP = """
create table account_stamp (stamp uuid not null, set_by xid8 not null);
insert into account_stamp values (gen_random_uuid(), pg_current_xact_id());

create function account_stamped() returns trigger language plpgsql as $$ begin
  update account_stamp set stamp = gen_random_uuid(), set_by = pg_current_xact_id() where set_by <> pg_current_xact_id();
  return null;
end $$;
create constraint trigger account_stamped
  after insert or delete or update of name, level, roles, path, parent_id, shadow_of, deleted_at on account
  deferrable initially deferred for each row execute function account_stamped();
"""


def upgrade() -> None:
    op.execute(STAMP)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
