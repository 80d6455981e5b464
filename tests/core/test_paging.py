"""One pager serves the lists of all domains: pages are disjoint, the whole is counted, and no page is unbounded."""

import pytest

from lustra.core import query
from lustra.core.errors import Code
from tests.world import World, world

__all__ = ["world"]

LISTS = (
    "/user/selectUserList",
    "/support/list",
    "/elevator/list",
    "/wmDeviceHostInfo/queryByPage",
    "/deviceProductBatch/list",
    "/device/selectViewPwdPageList",
)


@pytest.fixture
async def furnished(world: World):
    """At least two rows in each list."""
    admin, dealer = world.accounts["admin"], world.accounts["dealer"]
    for name, low, high in (("First", "SA01", "SA09"), ("Second", "SB01", "SB09")):
        await world.pool.execute("insert into node (name, url) values ($1, $1)", name)
        batch = "insert into device_batch (name, low, high, type_ids) values ($1, $2, $3, '{1}')"
        await world.pool.execute(batch, name, low, high)
        await world.pool.execute(
            "insert into elevator (account_id, elevator_name, building_name, floor) values ($1, $2, $2, '1')",
            dealer,
            name,
        )
        await world.pool.execute(
            "insert into password_access (device_id, owner_id, account_id, address) values ($1, $2, $3, '')",
            world.devices["SC0001"],
            dealer,
            admin,
        )
    return world


@pytest.mark.parametrize("path", LISTS)
async def test_the_pages_of_a_list_are_disjoint_and_count_the_whole(furnished: World, path: str):
    whole = await furnished.call("admin", path, pageSize=1000)
    assert whole["total"] == len(whole["list"]) >= 2
    pages = [await furnished.call("admin", path, pageSize=1, currentPage=page) for page in (1, 2)]
    assert [page["list"] for page in pages] == [[row] for row in whole["list"][:2]]
    assert {page["total"] for page in pages} == {whole["total"]}
    assert (await furnished.call("admin", path, pageSize=1, currentPage=whole["total"] + 1))["list"] == []


@pytest.mark.parametrize("path", LISTS)
async def test_a_page_past_the_setting_is_refused_with_its_count(furnished: World, path: str):
    query.limit_rows(1)
    try:
        code, refusal = await furnished.raw("admin", path, pageSize=2)
        assert (code, refusal) == (Code.TOO_MANY_ROWS, {"field": "pageSize", "count": 2, "limit": 1})
        assert len((await furnished.call("admin", path, pageSize=1))["list"]) == 1
    finally:
        query.limit_rows(200_000)
