"""Query helpers shared by all services."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import Base
from lustra.core.errors import Code, Refusal
from lustra.core.wire import Page, PageOf

R = TypeVar("R", bound=Base)

STREAMED_FROM = 10_000  # rows; a longer list is written as it is read
_limits = {"rows": 200_000}


def limit_rows(most: int) -> None:
    """The setting `rows_most`, told once at start-up."""
    _limits["rows"] = most


@dataclass(frozen=True, slots=True)
class Long:
    """A long list: read row by row by the answer itself, after the call's transaction is done."""

    rows: Select[Any]
    page_num: int
    total: int

    async def read(self, db: AsyncSession) -> AsyncIterator[Any]:
        result = await db.stream_scalars(self.rows.execution_options(yield_per=500))
        async for row in result:
            yield row


async def fetch_one(db: AsyncSession, rows: Select[R]) -> R:
    row = await db.scalar(rows)
    if row is None:
        raise Refusal(Code.NOT_FOUND)
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


async def _cut_page(db: AsyncSession, rows: Select[Any], paging: PageOf) -> tuple[Select[Any], int]:
    total = await count_rows(db, rows)
    bounded(total, paging)
    return rows.limit(paging.page_size).offset((paging.current_page - 1) * paging.page_size), total


async def page(db: AsyncSession, rows: Select[R], paging: PageOf) -> Page[Any] | Long:
    """One page of a list. OFFSET counts over keys alone, in a sub-select; only the page's rows are read whole."""
    entity = rows.column_descriptions[0]["entity"]
    total = await db.scalar(
        select(func.count()).select_from(rows.with_only_columns(entity.id).order_by(None).subquery())
    )
    total = total or 0
    count = bounded(total, paging)
    keys = (
        rows.with_only_columns(entity.id)
        .limit(paging.page_size)
        .offset((paging.current_page - 1) * paging.page_size)
        .subquery()
    )
    placed = select(keys.c.id, func.row_number().over().label("place")).subquery()
    page_rows = select(entity).join(placed, placed.c.id == entity.id).order_by(placed.c.place)
    if count > STREAMED_FROM:
        return Long(page_rows, pages(total, paging), total)
    return Page(list=list(await db.scalars(page_rows)), page_num=pages(total, paging), total=total)
