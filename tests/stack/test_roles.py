"""Each process has a role of its own in the database, with the rights that its work needs and no more."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
import pytest

from lustra.core.database.database_rights import ELEVATORS, INGEST, ROLES, SERVER, WORKER
from lustra.core.migrations import upgrade
from lustra.live.ingest import pack
from lustra.stack.roles import OWNER, make_roles
from tests.conftest import Stack
from tests.databases import PASSWORDS, as_role, statement

Connected = Callable[[str], Awaitable[asyncpg.Connection]]


@pytest.fixture
async def connected(database: str) -> AsyncIterator[Connected]:
    """A database that its superuser has made, as older versions did, handed over to the owner."""
    await make_roles(database, PASSWORDS)
    await asyncio.to_thread(upgrade, as_role(database, OWNER))
    async with AsyncExitStack() as links:

        async def connect(role: str) -> asyncpg.Connection:
            link = await asyncpg.connect(as_role(database, role))
            links.push_async_callback(link.close)
            return link

        yield connect


async def test_no_role_of_ours_is_superuser_or_makes_others(connected: Connected):
    link = await connected(OWNER)
    rows = await link.fetch(
        "select rolname from pg_roles where rolname = any($1) and (rolsuper or rolcreaterole or rolcreatedb"
        " or rolreplication or rolbypassrls or pg_has_role(oid, 'pg_execute_server_program', 'member'))",
        [OWNER, *ROLES],
    )
    assert rows == []


async def test_the_owner_migrates_an_empty_database_without_a_superusers_help(stack: Stack):
    await make_roles(stack.postgres, PASSWORDS)
    await statement(stack.postgres, f"create database of_the_owner owner {OWNER} template template0")
    dsn = as_role(stack.postgres.rsplit("/", 1)[0] + "/of_the_owner", OWNER)
    try:
        await asyncio.to_thread(upgrade, dsn)
    finally:
        await statement(stack.postgres, "drop database of_the_owner with (force)")


DENIED = [
    (INGEST, "select password from account"),
    (INGEST, "select * from account"),
    (INGEST, "select token from login"),
    (INGEST, "select * from api_key"),
    (INGEST, "update account set level = 1"),
    (INGEST, "update audit set action = ''"),
    (INGEST, "delete from audit"),
    (INGEST, "delete from audit_seal"),
    (INGEST, "select * from device_password"),
    (SERVER, "update audit set action = ''"),
    (SERVER, "update audit_seal set hash = ''"),
    (SERVER, "delete from audit"),
    (SERVER, "truncate audit"),
    (SERVER, "alter table audit disable trigger all"),
    (SERVER, "alter table account add column more text"),
    (SERVER, "create table more (id int)"),
    (SERVER, "drop table message"),
    (SERVER, "copy account to program 'cat'"),
    (SERVER, "copy account to '/tmp/account'"),
    (SERVER, "select pg_read_file('/etc/passwd')"),
    (SERVER, "create role more superuser"),
    (SERVER, f"set role {OWNER}"),
    (SERVER, "select drop_points(1)"),
    (SERVER, "update alembic_version set version_num = ''"),
    (WORKER, "update audit set name = ''"),
    (INGEST, "select audit_erase(1, '[]')"),
    (SERVER, "update audit set name = ''"),
    (WORKER, "delete from audit_seal"),
    (ELEVATORS, "select hold_object(1, 'maps', 'a', 1, 0)"),
    (INGEST, "delete from holding"),
    (ELEVATORS, "select * from account"),
    (ELEVATORS, "select * from audit"),
    (ELEVATORS, "update elevator set secret = ''"),
    (ELEVATORS, "update device set owner_id = 1"),
]


@pytest.mark.parametrize(("role", "statement"), DENIED)
async def test_a_role_may_not_do_what_is_none_of_its_work(connected: Connected, role: Any, statement: str):
    link = await connected(role)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await link.execute(statement)


DEFERRED = """select procrastinate_defer_jobs_v1(array[row('default', 'x', 0, null, null, '{}'::jsonb, null)
  ::procrastinate_job_to_defer_v1])"""
ERASED = """insert into audit (account_id, acting_id, name, session_id, address, action, code, detail)
  values (0, 0, '', '', '', 'audit.erased', 0, '{}'); select audit_erase((select max(id) from audit), '[]')"""
ALLOWED = [
    (SERVER, "update account set name = name"),
    (SERVER, ERASED),
    (SERVER, DEFERRED),
    (WORKER, "delete from login"),
    (WORKER, "select need_summed()"),
    (WORKER, "select audit_id from audit_seal"),
    (INGEST, "update robot_state set mode = mode"),
    (INGEST, "select path from account"),
    (INGEST, "update device set commands = '{}', abilities = '{}', address = '', address1 = '' where id = 0"),
    (INGEST, "select hold_object(min(id), 'maps', 'a', 1, 0) from account"),
    (ELEVATORS, "update elevator set live = live"),
]


@pytest.mark.parametrize(("role", "statement"), ALLOWED)
async def test_a_role_may_do_its_work(connected: Connected, role: Any, statement: Any):
    await (await connected(role)).execute(statement)


async def test_ingest_makes_and_drops_partitions_without_owning_them(connected: Connected):
    link, now = await connected(INGEST), time.time()
    await pack.partitions(link, now)
    hour = int(now) // pack.HOUR
    assert await link.fetchval("select to_regclass($1) is not null", f"point_{hour}")
    await link.execute("update packed_until set slot = $1", (hour + pack.KEEP_H + 2) * pack.HOUR)
    await pack.partitions(link, now + (pack.KEEP_H + 1) * pack.HOUR)
    assert await link.fetchval("select to_regclass($1) is null", f"point_{hour}")


@pytest.mark.parametrize("role", [SERVER, WORKER])
async def test_let_the_roles_that_erase_and_seal_call_the_erasure_and_no_other(connected: Connected, role: Any):
    call = "select audit_erase(0, '[]')"
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="recorded first"):
        await (await connected(role)).execute(call)
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied"):
        await (await connected(INGEST)).execute(call)
