"""Every statement about the list of robots is whole: PostgreSQL plans it as it is sent, in each of its forms."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lustra.core.scope import Scope
from lustra.domains.device import owners, sites
from lustra.domains.device.scope import Where
from lustra.domains.ownership import history
from lustra.domains.telemetry import export, rows
from tests.world import World


class PlanningConnection:
    """A connection that has each statement planned, with its values, before it runs."""

    def __init__(self, db: Any) -> None:
        self.db, self.plans = db, list[str]()

    async def plan(self, statement: str, values: tuple[Any, ...]) -> None:
        self.plans.append("\n".join(line for (line,) in await self.db.fetch(f"explain {statement}", *values)))

    async def fetch(self, statement: str, *values: Any) -> Any:
        await self.plan(statement, values)
        return await self.db.fetch(statement, *values)

    async def fetchrow(self, statement: str, *values: Any) -> Any:
        await self.plan(statement, values)
        return await self.db.fetchrow(statement, *values)

    async def fetchval(self, statement: str, *values: Any) -> Any:
        await self.plan(statement, values)
        return await self.db.fetchval(statement, *values)

    async def cursor(self, statement: str, *values: Any) -> Any:
        await self.plan(statement, values)
        return await self.db.cursor(statement, *values)


async def own_scope(world: World, account: str) -> Scope:
    return Scope(await world.pool.fetchval("select path::text from account where account = $1", account), 0)


async def scope_of(world: World, account: str, *conditions: tuple[Any, ...]) -> Where:
    where = Where.of_robots(await own_scope(world, account))
    for condition in conditions:
        where.add(*condition)
    return where


FORMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], int]] = {  # function, its further values, its statements
    "a page of a scope": (rows.load_page, (None, 2, 1), 2),
    "a page of a scope from its end": (rows.load_page, (None, 2, 2), 2),
    "a page of a mode": (rows.load_page, ("offline", 2, 1), 2),
    "numbers by mode": (rows.count_by_mode, (), 1),
    "robots in short": (rows.load_briefs, (), 1),
    "robots on the world's map": (rows.load_places, (), 1),
    "robots by country": (sites.count_by_place, ("area",), 1),
    "robots by province": (sites.count_by_place, ("province",), 1),
}


@pytest.mark.parametrize("few", [0, rows.FEW])
@pytest.mark.parametrize("form", FORMS)
async def test_a_statement_of_a_scope_is_planned(world: World, monkeypatch: pytest.MonkeyPatch, form: Any, few: Any):
    monkeypatch.setattr(rows, "FEW", few)
    function, values, statements = FORMS[form]
    await world.pool.execute("update device set province = 'Kent'")
    async with world.pool.acquire() as db:
        planning = PlanningConnection(db)
        assert await function(planning, await scope_of(world, "user"), *values)
    assert len(planning.plans) == statements


@pytest.mark.parametrize("form", FORMS)
async def test_a_statement_of_a_search_is_planned(world: World, form: Any):
    function, values, _ = FORMS[form]
    await world.pool.execute("update device set province = 'Kent'")
    where = await scope_of(world, "user", ("d.type_id = any({}::bigint[])", [1]))
    where.contains("d.", "robot")
    async with world.pool.acquire() as db:
        planning = PlanningConnection(db)
        assert await function(planning, where, *values)
    assert len(planning.plans) == 1


async def test_plan_requests_about_a_robot_and_about_its_owners(world: World):
    device = world.devices["SC0001"]
    scope = await own_scope(world, "user")
    async with world.pool.acquire() as db:
        planning = PlanningConnection(db)
        assert b"SC0001" in bytes(await rows.load_device(planning, scope, device))
        assert await history.load_history(planning, scope, device) == {"owners": [], "resets": []}
        assert b'"userId"' in await owners.write_tree(planning, scope)
    assert len(planning.plans) == 4


async def test_the_statement_of_a_spreadsheet_is_planned(world: World):
    async with world.pool.acquire() as db, db.transaction():
        planning = PlanningConnection(db)
        parts = export.read_parts(planning, await scope_of(world, "user"), "en", ZoneInfo("UTC"))
        assert [len(part) async for part in parts] == [3]
    assert len(planning.plans) == 1


@pytest.mark.parametrize(("page", "direction"), [(1, "Index Scan"), (2, "Index Scan Backward")])
async def test_a_page_of_a_large_scope_is_read_in_the_order_of_the_index(
    world: World, monkeypatch: pytest.MonkeyPatch, page: int, direction: str
):
    monkeypatch.setattr(rows, "FEW", 0)
    async with world.pool.acquire() as db, db.transaction():
        await db.execute(
            "set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off"
        )
        planning = PlanningConnection(db)
        await rows.load_page(planning, await scope_of(world, "user"), None, 2, page)
    assert f"{direction} using robot_need_order" in planning.plans[-1]
    assert "Incremental Sort" not in planning.plans[-1]
