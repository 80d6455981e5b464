"""Which rows a statement touches.

Rows of an Owned table are asked for in one of these ways, and in no other: scripts/checks/check_authorization.py
refuses SQLAlchemy's own `select`, `update`, `delete` and `insert`, and SQL text of owned rows that is no `Statement`.

    ctx.scope.select(Device)                  what the actor sees
    ctx.scope.changeable.select(Repair)       what the actor may change; `update` and `delete` always ask for that
    rows_of(robot).select(ControlLock)        what belongs to a row in hand, or what a row in hand refers to
    system("overdue ones").select(Lease)      all; says why, and `make check` counts how often that is done
    shared.select(Node)                       tables that are everybody's
    robots_own.sql(STORE_TASK)                what a robot itself says: the statement goes by its serial number

A select narrows every Owned table that its columns are of; a table that is joined, or named in a condition, only says
more about rows that are narrowed already. How a table is narrowed stands beside it: `root = Owned(...)`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar, cast

import sqlalchemy
from sqlalchemy import Alias, ColumnElement, Delete, FromClause, Select, TableClause, TextClause, Update, false, func
from sqlalchemy.dialects.postgresql import Insert, insert

from lustra.core.db import Base, Owned, SharedRoot

F = TypeVar("F", bound=Callable[..., Any])


def _typed_as(_: F, function: Callable[..., Any]) -> F:
    """The function with the types of another: SQLAlchemy's overloads say what a select answers."""
    return cast("F", function)


ROOTS: dict[str, Owned | SharedRoot] = {}  # by table; those of modules that are loaded later join when asked for


def _table(rows: "type[Base] | TableClause") -> TableClause:
    """The table of `rows`, which need not have a class."""
    return rows if isinstance(rows, TableClause) else cast("TableClause", rows.__table__)


def _base_table(table: FromClause) -> TableClause | None:
    """The table that a selectable reads; None for a sub-select, which was narrowed when it was made."""
    base = table.element if isinstance(table, Alias) else table
    return base if isinstance(base, TableClause) else None


def _root(table: TableClause) -> Owned | SharedRoot | None:
    """By which root the table's rows are narrowed; None for a table that we do not declare."""
    if table.name not in ROOTS:
        ROOTS.update({_table(mapper.class_).name: mapper.class_.root for mapper in Base.registry.mappers})
    return ROOTS.get(table.name)


class Reach:
    """What the ways have in common. `_condition` says which rows of a table are within reach; None: all. `row`
    has the table's columns, or those of its alias."""

    def _condition(self, table: TableClause, row: Any, *, change: bool) -> ColumnElement[bool] | None:
        raise NotImplementedError

    def _conditions(self, tables: Sequence[FromClause], *, change: bool) -> list[ColumnElement[bool]]:
        pairs = ((_base_table(table), table.c) for table in tables)
        conditions = (self._condition(base, row, change=change) for base, row in pairs if base is not None)
        return [condition for condition in conditions if condition is not None]

    def _select(self, *columns: Any) -> Select[*tuple[Any, ...]]:
        statement = sqlalchemy.select(*columns)
        tables = statement.columns_clause_froms
        if not tables:
            raise TypeError("name a column of the table whose rows are asked for")
        return statement.where(*self._conditions(tables, change=False))

    @property
    def select(self):  # noqa: ANN201  # SQLAlchemy's overloads
        return _typed_as(sqlalchemy.select, self._select)

    def update(self, table: type[Base] | TableClause) -> Update:
        return sqlalchemy.update(table).where(*self._conditions([_table(table)], change=True))

    def delete(self, table: type[Base] | TableClause) -> Delete:
        return sqlalchemy.delete(table).where(*self._conditions([_table(table)], change=True))

    def sql(self, statement: "Statement", **parts: object) -> str:
        """The statement as text, with the conditions of this scope in its gaps."""
        return statement.fill(self, parts)

    def text(self, statement: "Statement", **parts: object) -> TextClause:
        """As `sql`, for SQLAlchemy, which takes values by their names."""
        return sqlalchemy.text(self.sql(statement, **parts))


@dataclass(frozen=True, slots=True)
class Scope(Reach):
    """What lies at or below a place in the tree of accounts. `account_id`: the person's own account, of which there
    are rows that nobody else sees."""

    path: str
    account_id: int
    changing: bool = False

    @property
    def changeable(self) -> "Scope":
        return replace(self, changing=True)

    def at(self, path: str) -> "Scope":
        """A smaller one: the place of an account that the caller looked up in this scope."""
        if not f"{path}.".startswith(f"{self.path}."):
            raise ValueError("not within the scope")
        return replace(self, path=path)

    def below(self, path: Any) -> ColumnElement[bool]:
        """The condition on a column that holds an owner's path."""
        return path.op("<@", is_comparison=True)(func.text2ltree(self.path))

    def _condition(self, table: TableClause, row: Any, *, change: bool) -> ColumnElement[bool] | None:
        root = _root(table)
        if isinstance(root, SharedRoot):
            return None
        narrow = root and (root.changed if change or self.changing else root.seen)
        if narrow is None:
            raise TypeError(f"{table.name} does not say how a scope narrows it")
        return narrow(row, self)


@dataclass(frozen=True, slots=True)
class System(Reach):
    """All rows of all customers, with the reason why the code needs them."""

    reason: str

    def _condition(self, table: TableClause, row: Any, *, change: bool) -> ColumnElement[bool] | None:  # noqa: ARG002  all of them
        return None

    def insert(self, table: type[Base]) -> Insert:
        return insert(table)


def system(reason: str) -> System:
    return System(reason)


@dataclass(frozen=True, slots=True)
class RowsOf(Reach):
    """What belongs to rows in hand by its one column that refers to them (`through`, where there are several), those
    rows themselves, or what they refer to by their one column."""

    rows: tuple[Base, ...]
    through: str | None

    def _condition(self, table: TableClause, row: Any, *, change: bool) -> ColumnElement[bool] | None:  # noqa: ARG002  either way the same
        if isinstance(_root(table), SharedRoot):
            return None
        if not self.rows:
            return false()
        theirs, ours = self._reference(table)
        return row[theirs].in_(list({getattr(held, ours) for held in self.rows}))

    def _reference(self, table: TableClause) -> tuple[str, str]:
        """The column of the table, and the attribute of the rows that it is compared with."""
        holder = _table(type(self.rows[0]))
        if table.name == holder.name and self.through is None:
            (key,) = holder.primary_key
            return key.key, key.key
        down = _references(table, holder.name)
        up = [(theirs, ours) for ours, theirs in _references(holder, table.name)]
        fitting = [pair for pair in down or up if self.through in (None, *pair)]
        if len(fitting) != 1:
            raise TypeError(f"{holder.name} and {table.name} refer to one another in {len(fitting)} ways")
        return fitting[0]

    def insert(self, table: type[Base]) -> Insert:
        return insert(table)


def _references(table: TableClause, to: str) -> list[tuple[str, str]]:
    """Columns of the table that refer to the other, and what they refer to."""
    targets = [(key.parent.key, key.target_fullname.split(".")) for key in table.foreign_keys]
    return [(column, target) for column, (name, target) in targets if name == to]


def rows_of(*rows: Base, through: str | None = None) -> RowsOf:
    return RowsOf(rows, through)


class SharedRows(Reach):
    """Tables that are everybody's; one that is owned is refused."""

    def _condition(self, table: TableClause, row: Any, *, change: bool) -> ColumnElement[bool] | None:  # noqa: ARG002  either way the same
        if not isinstance(_root(table), SharedRoot):
            raise TypeError(f"{table.name} is not shared by all")
        return None

    def insert(self, table: type[Base]) -> Insert:
        self._conditions([_table(table)], change=True)
        return insert(table)


shared = SharedRows()


class RobotRows(Reach):
    """What a robot that logged in says or asks itself. Only whole statements, which go by its serial number."""

    def _condition(self, table: TableClause, row: Any, *, change: bool) -> ColumnElement[bool] | None:  # noqa: ARG002  none is built
        raise TypeError("what a robot says goes into a whole statement")


robots_own = RobotRows()
# Compared with a parameter, or with the column `sn` of rows that are one; with no column of another table.
BY_ROBOT = re.compile(r"\bserial_number = (any\()?(\$\d|[a-z]\.sn\b)")


class Statement:
    """SQL of owned rows, whole. Its text comes out for a reach alone (`scope.sql(...)`): for a scope only where it
    narrows by it, for a robot only where it goes by its serial number. `holes`: the parts that are filled in as it is
    used, as str.format has them, each with what stands there when tests have PostgreSQL plan it."""

    all: ClassVar[list["Statement"]] = []

    def __init__(self, text: str, **holes: str) -> None:
        self._text, self.holes = text, holes
        self.all.append(self)

    def fill(self, reach: Reach, parts: Mapping[str, object]) -> str:
        if parts.keys() != self.holes.keys():
            raise TypeError(f"to be filled: {', '.join(self.holes)}")
        text = self._text.format(**parts) if parts else self._text
        if isinstance(reach, Scope) and "<@" not in text:
            raise TypeError("the statement does not narrow by the scope")
        if isinstance(reach, RobotRows) and not BY_ROBOT.search(text):
            raise TypeError("the statement does not go by the robot's serial number")
        return text

    def sample(self) -> str:
        return self._text.format(**self.holes) if self.holes else self._text
