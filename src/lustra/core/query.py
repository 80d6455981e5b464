"""Query helpers shared by all services."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import Base
from lustra.core.errors import Code, Refusal
from lustra.core.wire import PageOf

R = TypeVar("R", bound=Base)
C = TypeVarTuple("C")  # columns

_limits = {"rows": 200_000}


def limit_rows(most: int) -> None:
    """Sets the longest list that is answered without pages, once at the start."""
    _limits["rows"] = most


DIGITS = 20  # as which each number of a name is compared


def natural(text: str) -> str:
    """The SQL key by which a text sorts as people read it: Robot 2 before Robot 10, in capitals or small letters."""
    padded = f"regexp_replace(lower({text}), '(\\d+)', '{'0' * (DIGITS - 1)}\\1', 'g')"
    return f"regexp_replace({padded}, '\\d*(\\d{{{DIGITS}}})', '\\1', 'g')"


@dataclass(frozen=True, slots=True)
class SortOrder:
    """What a list of plain SQL is sorted by: `key` is an expression of the domain's queries, never what came in."""

    key: str
    descending: bool

    @property
    def sql(self) -> str:
        """The column's order for SQL; rows without a value come last, up and down."""
        return f"{self.key} {'desc' if self.descending else 'asc'} nulls last"


async def fetch_one(db: AsyncSession, rows: Select[R], reason: str = "") -> R:
    row = await db.scalar(rows)
    if row is None:
        raise Refusal(Code.NOT_FOUND, reason=reason)
    return row


def bounded(total: int, paging: PageOf) -> int:
    """How many rows the page has; more than the setting allows are refused with their count."""
    rows = max(0, min(paging.page_size, total - (paging.current_page - 1) * paging.page_size))
    if rows > _limits["rows"]:
        raise Refusal(Code.TOO_MANY_ROWS, "pageSize", count=rows, limit=_limits["rows"])
    return rows


def pages(total: int, paging: PageOf) -> int:
    return -(-total // paging.page_size)


async def paginate(db: AsyncSession, rows: Select[R], paging: PageOf) -> tuple[Sequence[R], int]:
    """The rows of one page, and how many rows all pages have. A page that is too long is refused (`bounded`)."""
    page_rows, total = await _cut_page(db, rows, paging)
    return (await db.scalars(page_rows)).all(), total


async def paginate_columns(
    db: AsyncSession, rows: Select[*tuple[Any, ...]], paging: PageOf
) -> tuple[Sequence[Any], int]:
    """As `paginate`, of a statement that selects several columns or tables."""
    page_rows, total = await _cut_page(db, rows, paging)
    return (await db.execute(page_rows)).all(), total


async def count_rows(db: AsyncSession, rows: Select[*tuple[Any, ...]]) -> int:
    return await db.scalar(select(func.count()).select_from(rows.order_by(None).subquery())) or 0


def cut_page(rows: Select[*C], size: int, number: int) -> Select[*C]:
    """The rows of one page; the first has number 1."""
    return rows.limit(size).offset((number - 1) * size)


async def _cut_page(db: AsyncSession, rows: Select[Any], paging: PageOf) -> tuple[Select[Any], int]:
    total = await count_rows(db, rows)
    bounded(total, paging)
    return cut_page(rows, paging.page_size, paging.current_page), total
