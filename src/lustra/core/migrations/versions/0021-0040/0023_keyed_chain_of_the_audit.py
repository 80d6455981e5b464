"""The chain of the audit gets a key, and its rows and seals are only added.

Erasing a person goes through the function audit_erase, which whoever may do it is granted: everybody else, and who
merely adds rows, needs no right to change or delete them. The sealer closes the chain without a key by itself.
"""

from alembic import op

revision = "0023"
down_revision = "0022"

WHOLE = """
alter table audit_seal add column erasure bytea, add column keyed boolean not null default false;
alter table audit_seal alter column keyed set default true;

create table audit_check (
  id bigint primary key default 1 check (id = 1), result jsonb not null, mac bytea not null
);

create function audit_refuse() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('lustra.erasing', true) = 'on' then
    return new;
  end if;
  raise exception 'rows of % are only added', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create trigger only_added before update or delete on audit for each row execute function audit_refuse();
create trigger only_added before update or delete on audit_seal for each row execute function audit_refuse();
create trigger never_emptied before truncate on audit for each statement execute function audit_refuse();
create trigger never_emptied before truncate on audit_seal for each statement execute function audit_refuse();

create function audit_erase(eraser bigint, changes jsonb) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from audit a where a.id = eraser and a.action = 'audit.erased')
    or exists (select from audit_seal s where s.audit_id = eraser) then
    raise exception 'an erasure is recorded first' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('lustra.erasing', 'on', true);
  update audit a set name = c.name, session_id = c.session_id, address = c.address, detail = c.detail
    from jsonb_to_recordset(changes)
      as c(id bigint, name text, session_id text, address text, detail jsonb)
    where a.id = c.id;
  update audit_seal s set salt = null, erased_by = c.erased_by, erasure = decode(c.erasure, 'hex')
    from jsonb_to_recordset(changes) as c(id bigint, erased_by bigint, erasure text)
    where s.audit_id = c.id and c.erasure is not null;
  perform set_config('lustra.erasing', 'off', true);
end $$;
revoke all on function audit_erase(bigint, jsonb) from public;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(WHOLE)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
