"""A floor shows how often each place was cleaned in a range, and how long ago; its steps sum up to all free floor."""

import asyncio
import dataclasses
from typing import Any

import msgspec
import numpy as np
import pytest

from lustra.core.errors import Code
from lustra.domains.report import heat
from lustra.protocol.bus import Mask
from lustra.protocol.masks import Cells, unpack_mask
from tests.report.test_cleaned import SHAPE, cells, clean, keep_floor
from tests.world import World

HEAT = "/taskReport/heat"
CELL_M2 = 0.25


@pytest.fixture(autouse=True)
async def _utc(world: World) -> None:
    await world.pool.execute("update device set zone = 'UTC'")


@pytest.fixture
async def floor(world: World) -> int:
    """One place swept thrice, another once, 20 days ago; a third before the range."""
    number = await keep_floor(world, "SC0001")
    for days in (0, 1, 5):
        await clean(world, cells((1, 2)), days=days)
    await clean(world, cells((3, 4)), days=20)
    await clean(world, cells((9, 9)), days=40)
    return number


async def load(world: World, floor: int, account: str = "user", **payload: Any) -> dict[str, Any]:
    return await world.call(account, HEAT, mapId=floor, **payload)


def at(steps: list[dict[str, Any]], column: int, row: int) -> list[tuple[Any, Any]]:
    """The steps that a cell is in."""
    masks = [(step, unpacked(step)) for step in steps]
    return [(step["least"], step["most"]) for step, mask in masks if mask[row, column]]


def unpacked(step: dict[str, Any]) -> Cells:
    return unpack_mask(msgspec.convert(step["cells"], Mask), SHAPE)


async def test_a_place_is_in_the_step_of_how_often_and_of_how_long_ago(world: World, floor: int):
    answer = await load(world, floor, range="month")
    assert [step["least"] for step in answer["times"]] == [0, 1, 5, 15, 30, 60]
    assert [at(answer["times"], *place) for place in ((1, 2), (3, 4), (9, 9))] == [[(1, 4)], [(1, 4)], [(0, 0)]]
    week = await load(world, floor, range="week")
    assert [step["least"] for step in week["times"]] == [0, 1, 4, 7, 14]
    ago = [at(answer["daysAgo"], *place) for place in ((1, 2), (3, 4), (9, 9))]
    assert ago == [[(0, 1)], [(15, None)], [(None, None)]]
    assert (answer["runs"], answer["leftOut"], answer["isCut"]) == (4, 0, False)


async def test_steps_together_are_all_free_floor_each_place_once(world: World, floor: int):
    answer = await load(world, floor, range="month")
    for steps in (answer["times"], answer["daysAgo"]):
        assert (np.sum([unpacked(step) for step in steps], axis=0) == 1).all()
        assert sum(step["area"] for step in steps) == pytest.approx(answer["area"])
    assert answer["area"] == SHAPE[0] * SHAPE[1] * CELL_M2


async def test_count_no_swept_cells_within_walls(world: World, floor: int):
    free = np.ones(SHAPE, np.bool_)
    free[2, 1] = False
    counted = dataclasses.replace(heat.begin_heat(SHAPE), times=np.ones(SHAPE, np.int32), ago=np.zeros(SHAPE, np.int32))
    steps = heat.describe_steps(counted, free, 7, 1.0)["times"]
    assert [step["area"] for step in steps] == [0.0, SHAPE[0] * SHAPE[1] - 1.0, 0.0, 0.0, 0.0]


async def test_a_run_that_comes_or_goes_changes_it_and_the_same_is_counted_once(
    world: World, floor: int, monkeypatch: pytest.MonkeyPatch
):
    counted: list[int] = []
    add = heat.add_runs

    def count(*given: Any) -> heat.Heat:
        counted.append(len(given[3]))
        return add(*given)

    monkeypatch.setattr(heat, "add_runs", count)
    monkeypatch.setattr(heat, "AT_ONCE", 3)
    await asyncio.gather(*(load(world, floor, range="month") for _ in range(3)))
    assert counted == [3, 1]
    await clean(world, cells((9, 9)))
    assert at((await load(world, floor, range="month"))["times"], 9, 9) == [(1, 4)]


async def test_of_more_runs_than_are_counted_the_newest_are_and_it_says_so(
    world: World, floor: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(heat, "MOST", 2)
    answer = await load(world, floor, range="month")
    assert (answer["isCut"], answer["runs"], at(answer["times"], 1, 2)) == (True, 2, [(1, 4)])


async def test_name_runs_on_a_map_of_another_frame(world: World, floor: int):
    await keep_floor(world, "SC0002", resolution=0.25)
    await clean(world, cells((4, 5)), sn="SC0002")
    answer = await load(world, floor, range="month")
    assert (answer["leftOut"], answer["runs"]) == (1, 4)


@pytest.mark.parametrize(
    "payload",
    [
        {"startDate": "2026-03-02", "endDate": "2026-03-01"},
        {"startDate": "2020-01-01", "endDate": "2026-01-01"},
        {"range": "5 years"},
        {"mapId": 0},
    ],
)
async def test_a_range_back_to_front_or_of_years_is_refused(world: World, floor: int, payload: Any):
    assert (await world.raw("user", HEAT, **{"mapId": floor, **payload}))[0] == Code.BAD_INPUT


async def test_a_foreign_tenant_sees_nothing(world: World, floor: int):
    for account in ("rivaluser", "rival"):
        assert (await world.raw(account, HEAT, mapId=floor))[0] == Code.NOT_FOUND


async def test_a_dose_is_what_runs_used_spread_over_what_they_swept_beside_the_target(world: World):
    floor = await keep_floor(world, "SC0001")
    await clean(world, cells((1, 2), (3, 4)), liquid_ml=10.0)  # 20 ml/m² on half a square metre
    await clean(world, cells((1, 2)), days=1, liquid_ml=2.0)  # 8 ml/m²
    await clean(world, cells((5, 5)), days=1, liquid_ml=0.0)
    await clean(world, cells(), days=2, liquid_ml=5.0)  # lost on its way: it swept nothing
    answer = await load(world, floor, range="week", target=20)
    assert [at(answer["dose"], *place) for place in ((1, 2), (3, 4), (5, 5), (9, 9))] == [
        [(50, 99)],
        [(100, 149)],
        [(0, 0)],
        [(0, 0)],
    ]
    assert answer["dosed"] == 3
    assert (np.sum([unpacked(step) for step in answer["dose"]], axis=0) == 1).all()
    assert (await load(world, floor, range="week"))["dose"] == []
    for target in (0, -1, 1e9):
        code, data = await world.raw("user", HEAT, mapId=floor, target=target)
        assert (code, data["field"]) == (Code.BAD_INPUT, "target")
