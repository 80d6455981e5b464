"""The roles of our own database: who owns the tables, and whom each process logs in as (core/database/database_rights).

Rule: the superuser that initdb makes is used here and by backup and restore alone. A cluster of an older version, in
which it owned everything, is handed over to the owner at the next start.
"""

from collections.abc import Mapping

import asyncpg

from lustra.core.database.database_rights import ROLES

OWNER = "lustra_owner"
MEMBERS = "not exists (select from pg_depend d where d.objid = {}.oid and d.deptype = 'e')"  # of no extension
HANDED_OVER = f"""
select format('alter table %I owner to {OWNER}', relname) from pg_class c
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and {MEMBERS.format("c")}
union all
select format('alter sequence %I owner to {OWNER}', relname) from pg_class c
  where relnamespace = 'public'::regnamespace and relkind = 'S'
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('e', 'i', 'a'))
union all
select format('alter routine %s owner to {OWNER}', p.oid::regprocedure) from pg_proc p
  where pronamespace = 'public'::regnamespace and {MEMBERS.format("p")}
union all
select format('alter type %s owner to {OWNER}', t.oid::regtype) from pg_type t
  left join pg_class c on c.oid = t.typrelid
  where typnamespace = 'public'::regnamespace and (typtype in ('e', 'd') or (typtype = 'c' and c.relkind = 'c'))
  and {MEMBERS.format("t")}
"""  # noqa: S608  of constants


async def make_roles(dsn: str, passwords: Mapping[str, str]) -> None:
    """`dsn`: of the superuser. Safe to run again; passwords are set to what is given."""
    link = await asyncpg.connect(dsn)
    try:
        async with link.transaction():
            for role in (OWNER, *ROLES):
                if not await link.fetchval("select true from pg_roles where rolname = $1", role):
                    await link.execute(f"create role {role}")
                password = await link.fetchval("select quote_literal($1::text)", passwords[role])
                await link.execute(f"alter role {role} login nosuperuser nocreatedb nocreaterole password {password}")
            database = await link.fetchval("select quote_ident(current_database())")
            await link.execute(f"alter database {database} owner to {OWNER}")
            for row in await link.fetch(HANDED_OVER):
                await link.execute(row[0])
    finally:
        await link.close()
