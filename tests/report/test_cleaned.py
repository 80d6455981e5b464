"""A floor shows what its robots' runs of today and of yesterday cleaned, on the grid of the asked map."""

import math
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.core.errors import Code
from lustra.domains.report import cleaned
from lustra.domains.report import keep as reports
from lustra.protocol.bus import Event, Mask
from lustra.protocol.masks import Cells, add_mask, pack_mask, unpack_mask
from tests.world import World, drawn, keep_map, report

SHAPE = (30, 40)  # of `drawn`: rows, columns


def cells(*at: tuple[int, int]) -> Cells:
    """Cells by column and row."""
    out = np.zeros(SHAPE, np.bool_)
    for column, row in at:
        out[row, column] = True
    return out


async def keep_floor(world: World, sn: str, **frame: Any) -> int:
    """The robot's own map of the floor; its number."""
    content = drawn("Ground")
    for name, value in frame.items():
        setattr(content, name, value)
    async with world.as_ingest() as db:
        event = Event(at=5, id=f"{sn}5", kind="map", name="Ground", revision=1, content=content)
        await keep_map(db, world.services.objects, sn, event)
    return await world.pool.fetchval("select id from floor_map where device_id = $1", world.devices[sn])


async def clean(world: World, painted: Cells | Mask, days: int = 0, sn: str = "SC0001", **fields: Any) -> None:
    """A run that began so many days ago, at noon by the site's clock."""
    began = datetime.now(timezone.utc).replace(hour=0, minute=0, second=1) - timedelta(days=days)
    ms = int(began.timestamp() * 1000)
    mask = painted if isinstance(painted, Mask) else pack_mask(painted)
    async with world.as_ingest() as db:
        await reports.keep(db, [(sn, report(started=ms, ended=ms + 1, cells=mask, **fields))])


async def select_cleaned(world: World, map_id: int, account: str = "user") -> tuple[Cells, Cells]:
    answer = await world.call(account, "/taskReport/cleanedFloor", mapId=map_id)
    today, yesterday = (unpack_mask(msgspec.convert(answer[day], Mask), SHAPE) for day in ("today", "yesterday"))
    return today, yesterday


@pytest.fixture(autouse=True)
async def _utc(world: World) -> None:
    await world.pool.execute("update device set zone = 'UTC'")


async def test_paint_runs_of_today_and_yesterday_apart_and_no_older_ones(world: World):
    floor = await keep_floor(world, "SC0001")
    await clean(world, cells((1, 2), (3, 4)))
    await clean(world, cells((5, 6)))
    await clean(world, cells((7, 8)), days=1)
    await clean(world, cells((9, 9)), days=2)
    today, yesterday = await select_cleaned(world, floor)
    assert np.array_equal(today, cells((1, 2), (3, 4), (5, 6)))
    assert np.array_equal(yesterday, cells((7, 8)))
    await clean(world, cells((0, 0)))
    assert (await select_cleaned(world, floor))[0][0, 0]


async def test_a_run_belongs_to_the_day_at_its_robots_site(world: World):
    floor = await keep_floor(world, "SC0001")
    await clean(world, cells((1, 2)))  # the first second of the day in UTC is the day before in Honolulu
    await world.pool.execute("update device set zone = 'Pacific/Honolulu'")
    today, yesterday = await select_cleaned(world, floor)
    honolulu = datetime.now(timezone.utc) - timedelta(hours=10)
    assert bool(today[2, 1]) is (honolulu.date() != datetime.now(timezone.utc).date())
    assert bool(yesterday[2, 1]) is not bool(today[2, 1])


async def test_robots_whose_grids_lie_cell_on_cell_paint_one_floor(world: World):
    floor = await keep_floor(world, "SC0001")
    x, y = 0.5 * math.cos(0.1), 0.5 * math.sin(0.1)  # a column of the grid, which is turned by 0.1
    await keep_floor(world, "SC0002", origin=(-1 + 3 * x, -2 + 3 * y, 0.1))
    await clean(world, cells((1, 2)))
    await clean(world, cells((4, 5), (39, 5)), sn="SC0002")
    today, _ = await select_cleaned(world, floor)
    assert np.array_equal(today, cells((1, 2), (7, 5)))


@pytest.mark.parametrize("frame", [{"resolution": 0.25}, {"origin": (-1, -2, 0.2)}, {"origin": (-1.2, -2, 0.1)}])
async def test_a_map_in_another_frame_is_left_out(world: World, frame: dict[str, Any]):
    floor = await keep_floor(world, "SC0001")
    await keep_floor(world, "SC0002", **frame)
    await clean(world, cells((4, 5)), sn="SC0002")
    today, _ = await select_cleaned(world, floor)
    assert not today.any()


async def test_a_floor_without_building_and_floor_is_painted_by_its_own_map_alone(world: World):
    for sn in ("SC0001", "SC0002"):
        await world.pool.execute("update device set address = '', address1 = '' where serial_number = $1", sn)
        await keep_floor(world, sn, building="", floor="")
    first = await world.pool.fetchval("select id from floor_map where device_id = $1", world.devices["SC0001"])
    await clean(world, cells((1, 2)))
    await clean(world, cells((4, 5)), sn="SC0002")
    today, _ = await select_cleaned(world, first)
    assert np.array_equal(today, cells((1, 2)))


@pytest.mark.parametrize("data", ["", "AAAA", "eJxjAAAAAQAB"])
async def test_paint_nothing_from_an_invalid_mask(world: World, data: str):
    floor = await keep_floor(world, "SC0001")
    await clean(world, Mask(width=9, height=9, data=data))
    await clean(world, Mask(width=2_000_000_000, height=2_000_000_000, data=""))
    await clean(world, cells((1, 2)))
    today, _ = await select_cleaned(world, floor)
    assert np.array_equal(today, cells((1, 2)))


async def test_a_foreign_account_sees_nothing_of_a_floor(world: World):
    floor = await keep_floor(world, "SC0001")
    await clean(world, cells((1, 2)))
    code, _ = await world.raw("rivaluser", "/taskReport/cleanedFloor", mapId=floor)
    assert code == Code.NOT_FOUND


async def test_a_former_owners_runs_are_not_painted_for_the_next(world: World):
    floor = await keep_floor(world, "SC0001")
    await clean(world, cells((1, 2)))
    await world.pool.execute(
        "update task_report set owner_id = $1, owner_path = (select path from account where id = $1)",
        world.accounts["rivaluser"],
    )
    today, _ = await select_cleaned(world, floor)
    assert not today.any()


WHERE = st.lists(st.tuples(st.integers(0, 39), st.integers(0, 29)), max_size=9)


@given(WHERE, st.integers(-45, 45), st.integers(-35, 35))
def test_a_mask_is_moved_cell_by_cell(points: list[tuple[int, int]], column: int, row: int):
    out = np.zeros(SHAPE, np.bool_)
    add_mask(out, pack_mask(cells(*points)), column, row)
    inside = {(x + column, y + row) for x, y in points if 0 <= x + column < 40 and 0 <= y + row < 30}
    assert {(int(x), int(y)) for y, x in zip(*np.nonzero(out), strict=True)} == inside


frames = st.builds(
    cleaned.Frame,
    resolution=st.sampled_from([0.05, 0.1]),
    x=st.floats(-50, 50),
    y=st.floats(-50, 50),
    yaw=st.floats(-3, 3),
)


@given(frames, st.integers(-500, 500), st.integers(-500, 500))
def test_the_offset_of_a_shifted_grid_is_found_from_both_sides(frame: cleaned.Frame, column: int, row: int):
    dx, dy = column * frame.resolution, row * frame.resolution
    cos, sin = np.cos(frame.yaw), np.sin(frame.yaw)
    other = cleaned.Frame(frame.resolution, frame.x + dx * cos - dy * sin, frame.y + dx * sin + dy * cos, frame.yaw)
    assert frame.offset(other) == (column, row)
    assert other.offset(frame) == (-column, -row)
