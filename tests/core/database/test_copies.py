"""The databases of tests: a test finds none of what another left."""

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import asyncpg
import pytest

from tests.conftest import Stack
from tests.copies import Copies
from tests.databases import shape

ROWS = "select to_jsonb(a)::text from {} a order by 1"
LEAVES = {
    "rows": "insert into audit (account_id, acting_id, name, session_id, address, action, code, detail)"
    " values (1, 1, '', '', '', 'left', 0, '{}')",
    "a change": "update account set name = 'changed'",
    "a gap": "delete from alarm_setting where id = (select min(id) from alarm_setting)",
    "a number": "select nextval(pg_get_serial_sequence('account', 'id'))",
    "what refers": "delete from account",
}
CHANGES = {
    "a table": "create table left_over (id bigint)",
    "a default": "alter table account alter column name set default 'left'",
    "a function": "create function left_over() returns bigint language sql as 'select 1::bigint'",
    "a right": "grant select on account to public",
    "statistics": "analyze account",
    "who is linked": "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
    " and datname = current_database()",
    "a setting": "alter database NAME set work_mem = '1MB'",
}


@pytest.fixture
def copies(stack: Stack, template: str) -> Iterator[Copies]:
    with closing(Copies(stack.postgres, template)) as copies:
        yield copies


async def look(dsn: str) -> tuple[object, ...]:
    link = await asyncpg.connect(dsn)
    try:
        tables = "account", "audit", "alarm_setting"
        rows = [[row[0] for row in await link.fetch(ROWS.format(table))] for table in tables]
        return rows, await link.fetchval("select last_value from account_id_seq"), await shape(dsn)
    finally:
        await link.close()


async def leave(dsn: str, statement: str) -> None:
    link = await asyncpg.connect(dsn)
    await link.execute("set session_replication_role = replica")  # whatever refers to it
    await link.execute(statement.replace("NAME", urlsplit(dsn).path[1:]))
    await link.close()


@pytest.mark.parametrize("statement", LEAVES.values(), ids=LEAVES)
async def test_the_next_test_gets_the_database_as_it_was(copies: Copies, statement: str):
    with copies.lend() as first:
        before = await look(first)
        await leave(first, statement)
        assert await look(first) != before
    for _ in range(2):
        with copies.lend() as again:
            assert (again, await look(again)) == (first, before)
            await leave(again, statement)


@pytest.mark.parametrize("statement", CHANGES.values(), ids=CHANGES)
async def test_nobody_gets_a_database_that_is_not_as_it_was(copies: Copies, statement: str):
    with copies.lend() as first:
        await leave(first, statement)
    with copies.lend() as next_one:
        assert next_one != first


async def test_put_out_who_is_still_linked(copies: Copies):
    with copies.lend() as first:
        link = await asyncpg.connect(first)
        await link.execute("begin; update account set name = 'late'")
    with pytest.raises(asyncpg.PostgresConnectionError), copies.lend():
        await link.execute("commit")


async def test_two_tests_at_once_have_databases_of_their_own(copies: Copies):
    with copies.lend() as first, copies.lend() as second:
        assert first != second
