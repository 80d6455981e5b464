"""Copies of a template, one for each test: made once, and afterwards given back the rows that they began with.

To make and drop a database is to write and delete a thousand files, and its first links read the whole catalogue from
them. Of what tests cost, a quarter was that. A test leaves some rows in some of the tables; a test that changes the
schema itself leaves a database that nobody gets any more.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, LiteralString, cast

import psycopg

NUMBERS = count()
MOST_TESTS = 200  # that a copy serves: the rows that are deleted stay in its files
MOST_ROWS = 5_000  # that are deleted rather than dropped with their database
CATALOGUE = (
    *("pg_attrdef", "pg_attribute", "pg_class", "pg_constraint", "pg_default_acl", "pg_extension", "pg_index"),
    *("pg_inherits", "pg_policy", "pg_proc", "pg_rewrite", "pg_statistic", "pg_trigger", "pg_type"),
)
TABLES = (
    "select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1"
)
SEQUENCES = "select oid::int8, pg_sequence_last_value(oid) from pg_class where relkind = 'S' order by 1"
RESTART = (
    "select setval(s.oid::oid::regclass, coalesce(s.last, q.seqstart), s.last is not null)"
    " from unnest(%s::int8[], %s::int8[]) as s (oid, last) join pg_sequence q on q.seqrelid = s.oid"
    " where pg_sequence_last_value(q.seqrelid) is distinct from s.last"
)
SETTINGS = "select count(*) from pg_db_role_setting s join pg_database d on d.oid = setdatabase where d.datname = %s"
NOBODY_ELSE = "select pid, pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s and pid <> %s"
AS_RESTORED = "set session_replication_role = replica; set plan_cache_mode = force_generic_plan"  # no triggers
NOW = "select pg_current_xact_id()::text::int8"


def count_rows(tables: list[str]) -> str:
    """A statement: of each table whose rows are not `rows[n]` rows of before the transaction `%(since)s`, its place and
    how many of each there are."""
    each = " union all ".join(
        f"select {place}, count(*) filter (where age(xmin) < l.new), count(*) from {table}, l"
        for place, table in enumerate(tables)
    )
    return (
        "with l as materialized (select age(%(since)s::text::xid) as new), c (place, new, whole) as (" + each + ")"
        " select place, new, whole from c where new > 0 or whole <> (%(rows)s::int8[])[place + 1]"
    )


def run(link: psycopg.Connection[Any], statement: str, values: Any = None) -> list[Any]:
    cursor = link.execute(cast("LiteralString", statement), values, prepare=True)
    return cursor.fetchall() if cursor.description else []


@dataclass
class Copy:
    name: str
    link: psycopg.Connection[Any]
    tables: list[str] = field(default_factory=list[str])
    rows: list[int] = field(default_factory=list[int])
    content: dict[str, bytes] = field(default_factory=dict[str, bytes])
    sequences: tuple[list[int], list[int | None]] = ([], [])
    since: int = 0
    tests: int = 0

    def note_content(self) -> None:
        """What it is to go back to."""
        self.link.execute(AS_RESTORED)
        with self.link.transaction():
            self.tables = [*CATALOGUE, *(table for (table,) in run(self.link, TABLES))]
            self.since = run(self.link, NOW)[0][0]
            values = {"since": self.since, "rows": [-1] * len(self.tables)}
            self.rows = [whole for _, _, whole in sorted(run(self.link, count_rows(self.tables), values))]
            for table, rows in zip(self.tables, self.rows, strict=True):
                if rows and table not in CATALOGUE:
                    with self.link.cursor().copy(cast("LiteralString", f"copy {table} to stdout")) as lines:
                        self.content[table] = b"".join(lines)
            oids, lasts = zip(*run(self.link, SEQUENCES), strict=True)
            self.sequences = list(oids), list(lasts)

    def restore(self) -> bool:
        """Whether it is as it was. Whoever is still linked to it is put out."""
        try:
            return self._restore()
        except psycopg.OperationalError:  # a test has put us out
            return False

    def _restore(self) -> bool:
        self.tests += 1
        run(self.link, NOBODY_ELSE, (self.name, self.link.info.backend_pid))
        if self.tests >= MOST_TESTS or run(self.link, SETTINGS, (self.name,))[0][0]:
            return False
        with self.link.transaction():
            now = run(self.link, NOW)[0][0]
            changed = run(self.link, count_rows(self.tables), {"since": self.since, "rows": self.rows})
            if any(self.tables[place] in CATALOGUE or whole > MOST_ROWS for place, _, whole in changed):
                return False
            for place, new, whole in changed:
                table, rows = self.tables[place], self.rows[place]
                if whole - new == rows:
                    run(self.link, f"delete from {table} where age(xmin) < age(%s::text::xid)", (self.since,))
                    continue
                run(self.link, f"delete from {table}")
                with self.link.cursor().copy(cast("LiteralString", f"copy {table} from stdin")) as lines:
                    lines.write(self.content[table])
            run(self.link, RESTART, self.sequences)
        self.since = now
        return True


def copy(name: str, template: str) -> str:
    """By the kernel, file by file: the usual way, through the write-ahead log, takes more than twice the CPU."""
    return f"create database {name} template {template} strategy file_copy"


class Copies:
    """`dsn`: of the superuser, in the database "postgres"; `template`: whose copies they are."""

    def __init__(self, dsn: str, template: str) -> None:
        self.dsn, self.template = dsn, template
        self.free: list[Copy] = []

    @contextmanager
    def lend(self) -> Iterator[str]:
        """The address of a copy, for as long as a test runs, however it ends."""
        lent = self.free.pop() if self.free else self._make()
        try:
            yield self._address(lent.name)
        finally:
            if lent.restore():
                self.free.append(lent)
            else:
                self._drop(lent)

    def _address(self, name: str) -> str:
        return self.dsn.rsplit("/", 1)[0] + f"/{name}?sslmode=disable"  # which is not asked for first then

    def close(self) -> None:
        for each in self.free:
            each.link.close()

    def _make(self) -> Copy:
        name = f"{self.template}_{next(NUMBERS)}"
        with psycopg.connect(self.dsn, autocommit=True) as link:
            run(link, copy(name, self.template))
        new = Copy(name, psycopg.connect(self._address(name), autocommit=True))
        new.note_content()
        return new

    def _drop(self, used: Copy) -> None:
        used.link.close()
        with psycopg.connect(self.dsn, autocommit=True) as link:
            run(link, f"drop database {used.name} with (force)")
