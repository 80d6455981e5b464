"""Bytes that each account holds, by kind, and the only way to hold more."""

from alembic import op

revision = "0026"
down_revision = "0025"

HOLDING = """
create table holding (
  account_id bigint not null references account on delete cascade, place text not null,
  kind text not null, size bigint not null check (size >= 0), primary key (account_id, place)
);
create index holding_kind on holding (account_id, kind) include (size);
create index holding_place on holding (place);
insert into holding (account_id, place, kind, size)
  select owner_id, place, 'files', size from stored_file where place <> '' on conflict do nothing;
insert into holding (account_id, place, kind, size)
  select account_id, place, 'adverts', size from advert where place <> '' on conflict do nothing;

-- Answers -1, or what is used when there is no room. It is the owner's, so that a role which may not touch the table
-- may call it.
create function hold_object(whose bigint, what text, object_place text, bytes bigint, most bigint) returns bigint
language plpgsql security definer set search_path = public as $$
declare used bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('holding ' || whose, 0));
  if exists (select from holding where account_id = whose and place = object_place) then return -1; end if;
  select coalesce(sum(size), 0) into used from holding where account_id = whose and kind = what;
  if most > 0 and used + bytes > most then return used; end if;
  insert into holding (account_id, place, kind, size) values (whose, object_place, what, bytes);
  return -1;
end $$;
revoke execute on function hold_object(bigint, text, text, bigint, bigint) from public;
"""


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(HOLDING)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")
