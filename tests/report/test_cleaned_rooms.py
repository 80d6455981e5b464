"""Each room of a floor says when a run last cleaned it: one that swept at least half of what is free in it."""

from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

from lustra.core.errors import Code
from lustra.protocol.bus import Mask, Zone
from lustra.protocol.geometry import from_cell
from lustra.protocol.masks import Cells
from tests.report.test_cleaned import SHAPE, clean, keep_floor
from tests.world import World

ORIGIN = (-1.0, -2.0, 0.1)  # of `drawn`
CELL = 0.5
LOBBY = (0, 0, 10, 10)  # columns and rows: left, low, right, top
HALL = (20, 10, 36, 26)


def room(name: str, box: tuple[int, int, int, int]) -> Zone:
    left, low, right, top = box
    corners = ((left, low), (right, low), (right, top), (left, top))
    points = [from_cell(column + 0.5, row + 0.5, ORIGIN, CELL) for column, row in corners]
    return Zone(id=name.lower(), name=name, points=points)


def swept(*boxes: tuple[int, int, int, int]) -> Cells:
    out = np.zeros(SHAPE, np.bool_)
    for left, low, right, top in boxes:
        out[low : top + 1, left : right + 1] = True
    return out


async def keep_rooms(world: World, sn: str = "SC0001", **fields: Any) -> int:
    return await keep_floor(world, sn, free_areas=[room("Lobby", LOBBY), room("Hall", HALL)], **fields)


async def select_rooms(world: World, map_id: int) -> dict[str, dict[str, Any]]:
    answer = await world.call("user", "/taskReport/cleanedRooms", mapId=map_id)
    return {row["name"]: row for row in answer["list"]}


async def days_ago(world: World, map_id: int) -> dict[str, int | None]:
    return {name: row["daysAgo"] for name, row in (await select_rooms(world, map_id)).items()}


@pytest.fixture(autouse=True)
async def _utc(world: World) -> None:
    await world.pool.execute("update device set zone = 'UTC'")


async def test_a_room_was_cleaned_by_the_last_run_that_swept_half_of_it(world: World):
    floor = await keep_rooms(world)
    assert await days_ago(world, floor) == {"Lobby": None, "Hall": None}
    await clean(world, swept(LOBBY, HALL), days=5)
    assert await days_ago(world, floor) == {"Lobby": 5, "Hall": 5}
    await clean(world, swept((0, 0, 10, 3), HALL), days=2)  # a third of the lobby
    assert await days_ago(world, floor) == {"Lobby": 5, "Hall": 2}
    await clean(world, swept((0, 0, 10, 6)))
    assert await days_ago(world, floor) == {"Lobby": 0, "Hall": 2}
    lobby = (await select_rooms(world, floor))["Lobby"]
    assert lobby["area"] == pytest.approx(121 * CELL**2, abs=CELL**2)
    assert lobby["cleanedToday"] == pytest.approx(77 * CELL**2, abs=CELL**2)
    ended = datetime.fromisoformat(lobby["cleanedTime"])
    assert ended.date() == datetime.now(timezone.utc).date()


async def test_runs_of_longer_ago_than_ninety_days_are_forgotten(world: World):
    floor = await keep_rooms(world)
    await clean(world, swept(LOBBY), days=89)
    await clean(world, swept(HALL), days=91)
    assert await days_ago(world, floor) == {"Lobby": 89, "Hall": None}


async def test_count_what_other_robots_swept_of_the_floor_by_their_grids(world: World):
    floor = await keep_rooms(world)
    await keep_rooms(world, "SC0002")
    await clean(world, swept(LOBBY), days=1, sn="SC0002")
    assert await days_ago(world, floor) == {"Lobby": 1, "Hall": None}
    await world.pool.execute("update map_version set resolution = 0.25 where map_id <> $1", floor)
    await clean(world, swept(HALL), sn="SC0002")
    assert (await days_ago(world, floor))["Hall"] is None


async def test_count_no_room_as_cleaned_by_an_invalid_mask(world: World):
    floor = await keep_rooms(world)
    await clean(world, Mask(width=9, height=9, data="AAAA"))
    assert await days_ago(world, floor) == {"Lobby": None, "Hall": None}


async def test_many_runs_are_looked_at_until_each_room_is_found(world: World):
    floor = await keep_rooms(world)
    await clean(world, swept(HALL), days=9)
    for _ in range(51):
        await clean(world, swept((0, 0, 1, 1)), days=3)
    await clean(world, swept(LOBBY), days=1)
    assert await days_ago(world, floor) == {"Lobby": 1, "Hall": 9}
    began = datetime.now(timezone.utc) - timedelta(days=9)
    hall = datetime.fromisoformat((await select_rooms(world, floor))["Hall"]["cleanedTime"])
    assert hall.date() == began.date()


async def test_a_map_without_rooms_lists_none(world: World):
    assert await select_rooms(world, await keep_floor(world, "SC0001")) == {}


async def test_a_foreign_account_learns_nothing_of_a_floors_rooms(world: World):
    floor = await keep_rooms(world)
    code, _ = await world.raw("rivaluser", "/taskReport/cleanedRooms", mapId=floor)
    assert code == Code.NOT_FOUND
