"""A floor that was just cleaned is wet: who starts a run is warned, and of a scheduled start the owner is told."""

import pytest

from lustra.domains.report import drying
from lustra.domains.task import plans
from tests.report.test_reports import keep_reports
from tests.task.conftest import occurrence
from tests.task.test_calendar import ms, now
from tests.world import World, report

MINUTE = 60_000
UNIT = {"map": "floor 1", "task": "Lobby", "run": ""}


async def clean(world: World, minutes_ago: int, map_name: str = "floor 1") -> None:
    ended = ms(now()) - minutes_ago * MINUTE
    await keep_reports(world, report(map=map_name, started=ended - 9 * MINUTE, ended=ended))


async def start_by_schedule(world: World, state: str = "running", start: int | None = None) -> None:
    event = occurrence(start or ms(now()), state=state, units=[UNIT])
    async with world.as_ingest() as db:
        await plans.keep_occurrence(db, "SC0001", event)
        await drying.warn_of_wet_floor(db, "SC0001", event)


async def warnings(world: World, account: str = "user") -> list[str]:
    rows = (await world.call(account, "/message/findAllMessage", currentPage=1, pageSize=50))["list"]
    return [row["content"] for row in rows if row["title"] == "Wet floor"]


@pytest.mark.spec("rule.warning.wet_floor", "err.text.warn_wet_floor")
async def test_floors_are_wet_for_half_an_hour_after_a_run_and_nobody_else_sees_them(world: World):
    device = world.devices["SC0001"]
    await clean(world, 5)
    await clean(world, 31, "floor 2")
    assert (await world.call("user", "/taskReport/wetFloors", deviceId=device))["list"] == ["floor 1"]
    assert (await world.call("rivaluser", "/taskReport/wetFloors", deviceId=device))["list"] == []


@pytest.mark.spec("rule.warning.wet_floor")
async def test_a_schedule_that_starts_on_a_wet_floor_tells_the_owner_once(world: World):
    await clean(world, 5)
    start = ms(now())
    await start_by_schedule(world, "waiting", start)
    assert await warnings(world) == []
    await start_by_schedule(world, "running", start)
    await start_by_schedule(world, "running", start)
    assert [text[:9] for text in await warnings(world)] == ["“Evening”"]
    assert await warnings(world, "rivaluser") == []


@pytest.mark.spec("rule.warning.wet_floor")
@pytest.mark.parametrize(("ended", "map_name"), [(31, "floor 1"), (5, "floor 2")])
async def test_a_schedule_that_starts_on_a_dry_floor_tells_nobody(world: World, ended: int, map_name: str):
    await clean(world, ended, map_name)
    await start_by_schedule(world)
    assert await warnings(world) == []
