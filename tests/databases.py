"""Databases for tests: a cluster that need not last, and the roles as which processes of ours log in there.

Each test has links of its own: what a link asks and computes before its first statement is most of what a small test
costs, so it is made cheap here.
"""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine

from lustra.core import db as core_db
from lustra.core.database.database_rights import ROLES
from lustra.stack.roles import OWNER

if TYPE_CHECKING:
    from sqlalchemy import Engine

PASSWORDS = {role: f"secret-of-{role}" for role in (OWNER, *ROLES)}
FAST_SETTINGS = (
    "fsync = off",  # nothing here need survive a power loss
    "synchronous_commit = off",
    "full_page_writes = off",
    "autovacuum = off",  # a database lives for a second
)
SHAPES = {
    "columns": "select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns"
    " where table_schema = 'public'",
    "indexes": "select indexdef from pg_indexes where schemaname = 'public'",
    "constraints": "select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint"
    " where connamespace = 'public'::regnamespace",
    "triggers": "select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal",
    "functions": "select proname, md5(prosrc) from pg_proc where pronamespace = 'public'::regnamespace",
}


def as_role(dsn: str, role: str) -> str:
    parts = urlsplit(dsn)
    return urlunsplit(parts._replace(netloc=f"{role}:{PASSWORDS[role]}@{parts.netloc.split('@')[1]}"))


async def statement(dsn: str, sql: str) -> None:
    link = await asyncpg.connect(dsn)
    await link.execute(sql)
    await link.close()


async def make_fast(dsn: str) -> None:
    """`dsn`: of the superuser, in the database "postgres". Passwords that are set there from now on cost a log-in one
    round of hashing in place of 4,096."""
    link = await asyncpg.connect(dsn)
    for setting in FAST_SETTINGS:
        await link.execute(f"ALTER SYSTEM SET {setting}")
    await link.execute("SELECT pg_reload_conf()")
    await link.execute("ALTER DATABASE postgres SET scram_iterations = 1")
    await link.execute("SET scram_iterations = 1")
    await link.execute(f"ALTER ROLE CURRENT_USER PASSWORD '{urlsplit(dsn).password}'")
    await link.close()


def remember_types() -> None:
    """asyncpg's links ask for a type (`bigint[]`, `ltree`) once each, by a walk through the catalogue that takes longer
    than all other statements of a test. Copies of one template have the same types, so one answer does for all."""
    known: dict[Any, Any] = {}
    ask = asyncpg.Connection._introspect_types

    async def types_of(self: Any, oids: Any, seconds: float | None) -> Any:
        key = (self._addr, frozenset(oids))
        if key not in known:
            known[key] = (await ask(self, oids, seconds))[0]
        return known[key], SimpleNamespace(name="remembered")  # a name: no statement of the link was overwritten

    asyncpg.Connection._introspect_types = cast("Any", types_of)


def share_statements() -> None:
    """SQLAlchemy writes each statement once an engine, which takes longer than to run it. The engines of the tests
    speak to copies of one template, so what is written for the first that has seen it does for all."""
    make = core_db.engine
    known: list[Engine] = []

    def engine(dsn: str, **options: Any) -> AsyncEngine:
        new = make(dsn, **options)
        if first := next((other for other in known if other.dialect.server_version_info), None):
            new.sync_engine.dialect = first.dialect  # statements are kept by dialect
            new.sync_engine._compiled_cache = first._compiled_cache
        else:
            known.append(new.sync_engine)
        return new

    core_db.engine = engine


async def shape(dsn: str) -> dict[str, list[tuple[Any, ...]]]:
    """What a schema is made of, by kind, in an order of its own."""
    link = await asyncpg.connect(dsn)
    try:
        return {name: sorted(map(tuple, await link.fetch(query)), key=repr) for name, query in SHAPES.items()}
    finally:
        await link.close()
