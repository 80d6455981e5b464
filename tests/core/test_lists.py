"""Paged lists: any page size is accepted, one past the setting is refused with its count."""

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.errors import Code
from tests.clients import Console

INSERT_ROWS = text(
    """INSERT INTO audit (account_id, acting_id, name, session_id, address, action, code, detail)
    SELECT 1, 1, '', '', '', 'made', 0, '{}' FROM generate_series(1, :count)"""
)


@pytest.fixture
async def insert_rows(db: AsyncSession):
    async def rows(count: int) -> None:
        await db.execute(INSERT_ROWS, {"count": count})
        await db.commit()

    return rows


@pytest.mark.spec("rule.page.size", "const.no_page_size", "q.no_page_size")
async def test_pages_follow_each_other_in_the_lists_order(user: Console, insert_rows: Callable[[int], Awaitable[None]]):
    await insert_rows(65)
    first, last = await user("/test/rows"), await user("/test/rows", currentPage=3)
    assert (len(first["list"]), first["pageNum"], first["total"], len(last["list"])) == (30, 3, 65, 5)
    ids = [row["id"] for row in first["list"]]
    assert ids == sorted(ids, reverse=True)
    assert last["list"][0]["id"] == ids[0] - 60
    assert len((await user("/test/rows", pageSize=1_000_000))["list"]) == 65
    assert (await user.raw("/test/rows", pageSize=1_000_001))[0] == Code.BAD_INPUT


@pytest.mark.spec("q.no_page_size")
async def test_a_list_past_the_setting_is_refused_with_its_count(
    user: Console, insert_rows: Callable[[int], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
):
    await insert_rows(50)
    query.limit_rows(40)
    try:
        answer = await user.answer("/test/rows", pageSize=1_000_000)
        assert answer["message"]["code"] == Code.TOO_MANY_ROWS
        assert answer["data"] == {"field": "pageSize", "count": 50, "limit": 40}
        assert len((await user("/test/rows", pageSize=40))["list"]) == 40
    finally:
        query.limit_rows(200_000)
