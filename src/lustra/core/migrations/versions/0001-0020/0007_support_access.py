"""Support access: while a customer's is closed, dealers and staff do not see its maps, video and device passwords.

Customers that exist keep it open, so that nothing changes silently; new ones begin as LUSTRA_SUPPORT_DEFAULT says.
"""

from alembic import op

revision = "0007"
down_revision = "0006"

ACCOUNT = """
alter table account
  add column support_default text not null default 'always' check (support_default in ('off', 'always')),
  add column support_until timestamptz;
alter table account alter column support_default set default 'off';

-- Whose data these are: the account of level 3 at or above their owner; null above it.
create function support_customer(owner ltree) returns bigint language sql immutable as $$
  select case when nlevel(owner) > 2 then ltree2text(subpath(owner, 2, 1))::bigint end
$$;
create function support_open(owner ltree) returns boolean language sql stable as $$
  select support_customer(owner) is null or exists (
    select from account c where c.id = support_customer(owner)
      and (c.support_default = 'always' or c.support_until > now()))
$$;
create index audit_support on audit (((detail ->> 'customer')::bigint), id desc) where action = 'support.look';
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(ACCOUNT)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
