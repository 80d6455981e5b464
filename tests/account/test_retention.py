"""How long what is kept: who sets it, within which bounds, and what goes at night."""

from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.account.data_protection import retention
from tests.report.test_retention import aged, left
from tests.world import World


async def days(world: World, who: str, **of: Any) -> dict[str, int]:
    return {row["kind"]: row["days"] for row in (await world.call(who, "/retention/list", **of))["list"]}


def installed(world: World, text: str) -> None:
    object.__setattr__(world.services.settings, "retention", text)


async def test_keep_for_ever_what_the_installation_does_not_name(world: World):
    installed(world, "report=730")
    nothing = dict.fromkeys(("warn", "message", "track", "log", "video"), 0)
    assert await days(world, "user") == {"report": 730} | nothing


@pytest.mark.parametrize("text", ["report", "report=soon", "audit=3", "report=-1"])
def test_refuse_days_that_cannot_be_read(text: str):
    with pytest.raises(ValueError, match="LUSTRA_RETENTION"):
        retention.parse_installation_days(text)


async def test_the_parent_sets_and_the_customer_only_shortens(world: World):
    customer = {"customerId": world.accounts["user"]}
    await world.call("dealer", "/retention/update", **customer, kind="report", days=100)
    assert (await days(world, "user"))["report"] == 100
    await world.call("user", "/retention/update", kind="report", days=30)
    assert (await days(world, "dealer", **customer))["report"] == 30
    for wrong in (0, 101):
        code, message = await world.raw("user", "/retention/update", kind="report", days=wrong)
        assert (code, message["field"]) == (Code.BAD_INPUT, "days")
    await world.call("user", "/retention/update", kind="report", days=None)
    assert (await days(world, "user"))["report"] == 100
    await world.call("dealer", "/retention/update", **customer, kind="report", days=0)
    assert (await days(world, "user"))["report"] == 0


@pytest.mark.parametrize("who", ["rival", "rivaluser"])
async def test_a_foreign_account_sees_and_sets_nothing(world: World, who: str):
    await world.pool.execute("update role set keys = keys || '{user/index/edit}'")
    customer = {"customerId": world.accounts["user"]}
    assert (await world.raw(who, "/retention/list", **customer))[0] == Code.NOT_FOUND
    assert (await world.raw(who, "/retention/update", **customer, kind="report", days=1))[0] == Code.NOT_FOUND
    assert (await days(world, "user"))["report"] == 0


async def test_let_only_customers_set_days_of_their_own(world: World):
    assert (await world.raw("sub", "/retention/update", kind="report", days=1))[0] == Code.FORBIDDEN


async def test_at_night_each_customers_own_days_hold_and_the_installations_for_the_rest(world: World):
    installed(world, "report=300,message=300")
    await aged(world, "SC0001", "user", 50, 200, 400)
    await aged(world, "SC0003", "sub", 40)
    await aged(world, "SC0010", "rivaluser", 50, 200, 400)
    await world.call("user", "/retention/update", kind="report", days=45)
    await retention.purge(world.services)
    assert await left(world) == ({"SC0003-40", "SC0010-50", "SC0010-200"}, 5)
    entries = (await world.call("admin", "/log/list", action="retention.clean"))["list"]
    assert sorted(row["detail"]["counts"]["report"] for row in entries) == [1, 3]
    await retention.purge(world.services)
    assert len((await world.call("admin", "/log/list", action="retention.clean"))["list"]) == 2


async def test_history_of_robots_goes_by_its_ten_minutes(world: World):
    await world.pool.executemany(
        "insert into chunk (robot, minute, data)"
        " values ($1, extract(epoch from now() - make_interval(days => $2))::bigint / 60, '')",
        [(world.devices["SC0001"], 5), (world.devices["SC0001"], 100), (world.devices["SC0010"], 100)],
    )
    await world.call("dealer", "/retention/update", customerId=world.accounts["user"], kind="track", days=90)
    await retention.purge(world.services)
    assert await world.pool.fetchval("select count(*) from chunk") == 2
