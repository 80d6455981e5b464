"""The rooms of a floor are found in its picture: apart from each other, within the floor, and nearly all of it."""

import itertools
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as some
from shapely import Polygon
from shapely.affinity import scale

from lustra.core.errors import Refusal
from lustra.domains.map.formats import detection, rooms
from lustra.domains.map.formats.image import Grey
from lustra.domains.map.formats.marks import Room
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.protocol.geometry import XY
from lustra.robot.buildings import catalogue
from lustra.robot.maps.floor import FREE as OPEN
from lustra.robot.maps.floor import OCCUPIED as SOLID
from tests.map.test_formats import sample
from tests.map.test_maps import import_files
from tests.world import World

CELL = 0.05  # m
WALL = 3  # cells


def plan_of(grid: Grey, cell: float = CELL) -> Plan:
    return Plan("", cell, (0.0, 0.0, 0.0), grid)


def shapes_of(proposals: list[Room]) -> list[Polygon]:
    return [Polygon(room.points) for room in proposals]


def with_rooms(widths: list[int], heights: list[int], door: int, tables: list[XY]) -> tuple[Grey, list[Polygon]]:
    """A floor of walls that cross, each room with a door to the right and one down; a table in some. Sizes in cells;
    the rooms as they were built, in m from the lower left."""
    xs = list(itertools.accumulate(widths, lambda at, wide: at + wide + WALL, initial=WALL))
    ys = list(itertools.accumulate(heights, lambda at, high: at + high + WALL, initial=WALL))
    grid = np.full((ys[-1], xs[-1]), OCCUPIED, np.uint8)
    built: list[Polygon] = []
    for (i, (x, wide)), (j, (y, high)) in itertools.product(
        enumerate(zip(xs[:-1], widths, strict=True)), enumerate(zip(ys[:-1], heights, strict=True))
    ):
        grid[y : y + high, x : x + wide] = FREE
        built.append(shapely.box(x, len(grid) - y - high, x + wide, len(grid) - y))
        if i + 1 < len(widths):
            grid[y + 10 : y + 10 + door, x + wide : x + wide + WALL] = FREE
        if j + 1 < len(heights):
            grid[y + high : y + high + WALL, x + 10 : x + 10 + door] = FREE
    for across, down in tables:
        x, y = int(across * (grid.shape[1] - 12)), int(down * (len(grid) - 12))
        if (grid[max(y - 6, 0) : y + 20, max(x - 6, 0) : x + 20] == FREE).all():  # it stands free, and in no door
            grid[y + 2 : y + 12, x + 2 : x + 12] = OCCUPIED
    return grid, [scale(each, CELL, CELL, origin=(0, 0)) for each in built]


some_lengths = some.lists(some.integers(60, 160), min_size=1, max_size=3)
some_tables = some.lists(some.tuples(some.floats(0, 1), some.floats(0, 1)), max_size=4)


@settings(max_examples=30, deadline=None)
@given(widths=some_lengths, heights=some_lengths, door=some.integers(14, 24), tables=some_tables)
def test_rooms_with_doors_are_found_apart_within_the_floor_and_nearly_whole(
    widths: list[int], heights: list[int], door: int, tables: list[XY]
):
    grid, built = with_rooms(widths, heights, door, tables)
    proposals = shapes_of(rooms.find_rooms(plan_of(grid)))
    assert len(proposals) == len(built)
    assert all(shape.is_valid for shape in proposals)
    assert sum(a.intersection(b).area for a, b in itertools.combinations(proposals, 2)) < 1e-6
    floor = shapely.union_all([each.buffer(WALL * CELL) for each in built])
    assert all(shape.difference(floor).area < 0.01 * shape.area for shape in proposals)
    for each in built:
        assert max(share_of(each, shape) for shape in proposals) > 0.9


def share_of(a: Polygon, b: Polygon) -> float:
    return a.intersection(b).area / a.union(b).area


def floor_of(building: str, name: str) -> tuple[Plan, list[Polygon]]:
    """A floor of the demo, and the rooms that its plan names."""
    of = catalogue.floor(building, name)
    grid = np.select([of.grid == OPEN, of.grid == SOLID], [FREE, OCCUPIED], UNKNOWN).astype(np.uint8)[::-1]
    return Plan(name, of.resolution, of.origin, grid), [Polygon(zone.points) for zone in of.free_areas]


def test_most_rooms_of_the_plans_are_found_as_their_plan_names_them():
    """Not found apart is what no door parts: corridors that meet, a hall by the elevators, a counter. Four shops are
    larger than their plan says."""
    known, right = 0, 0
    for building, name in catalogue.floors():
        plan, named = floor_of(building, name)
        proposals = shapes_of(rooms.find_rooms(plan))
        known += len(named)
        right += sum(max(share_of(room, shape) for shape in proposals) >= 0.75 for room in named)
    assert right / known >= 0.84


@pytest.mark.sample_data
@pytest.mark.parametrize(
    ("name", "counts"),
    [("rmf_demos/hotel/hotel", [12, 25, 25]), ("rmf_demos/office/office", [7])],
)
def test_rooms_of_real_buildings_are_apart_and_nearly_all_of_their_floor(name: str, counts: list[int]):
    plans = detection.read_plans(sample(f"{name}.building.yaml"))
    rooms_of_floors = [shapes_of(rooms.find_rooms(plan)) for plan in plans]
    assert [len(shapes) for shapes in rooms_of_floors] == counts
    for plan, shapes in zip(plans, rooms_of_floors, strict=True):
        assert sum(a.intersection(b).area for a, b in itertools.combinations(shapes, 2)) < 1e-6
        assert sum(shape.area for shape in shapes) > 0.96 * plan.area


def test_rooms_stand_as_one_reads_and_say_a_place_within_them():
    grid, _ = with_rooms([80, 80], [80, 80], 16, [])
    proposals = rooms.find_rooms(plan_of(grid))
    places = [room.at for room in proposals]
    assert [(x < 4.2, y > 4.2) for x, y in places] == [(True, True), (False, True), (True, False), (False, False)]
    assert all(Polygon(room.points).contains(shapely.Point(room.at)) for room in proposals)
    assert all(room.area == pytest.approx(Polygon(room.points).area, abs=0.01) for room in proposals)


def ring_round_a_room(door: int) -> Grey:
    """A corridor round a room: 12 by 12 m and 4 by 4 m."""
    grid = np.full((240, 240), FREE, np.uint8)
    grid[:3], grid[-3:], grid[:, :3], grid[:, -3:] = (OCCUPIED,) * 4
    grid[77:163, 77:163] = OCCUPIED
    grid[80:160, 80:160] = FREE
    grid[110 : 110 + door, 77:80] = FREE
    return grid


def test_a_room_within_a_room_is_cut_out_of_it():
    corridor, room = sorted(shapes_of(rooms.find_rooms(plan_of(ring_round_a_room(18)))), key=lambda shape: -shape.area)
    assert room.area == pytest.approx(16, rel=0.1)
    assert corridor.buffer(0).intersection(room).area < 0.05
    assert corridor.buffer(0).area == pytest.approx(11.7**2 - 4.3**2, rel=0.05)


def test_slits_and_niches_are_no_rooms():
    grid = np.full((200, 300), OCCUPIED, np.uint8)
    grid[20:120, 20:120] = FREE
    grid[150:158, 20:280] = FREE  # 0.4 m wide, beside the floor
    grid[40:60, 120:140] = FREE  # a niche of 1 m²
    (room,) = rooms.find_rooms(plan_of(grid))
    assert room.area == pytest.approx(26, rel=0.05)


def test_a_floor_without_a_place_for_a_room_has_none():
    grid = np.full((50, 50), UNKNOWN, np.uint8)
    grid[20:24, 20:40] = FREE
    assert rooms.find_rooms(plan_of(grid)) == []


def test_too_many_rooms_are_refused():
    grid, _ = with_rooms([60] * 18, [60] * 18, 14, [])
    with pytest.raises(Refusal) as refused:
        rooms.find_rooms(plan_of(grid))
    assert refused.value.reason == "map_many_rooms"


YAML = b"""image: two.pgm
resolution: 0.05
origin: [-1.0, 2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""


async def test_rooms_of_a_map_are_proposed_and_nothing_is_stored(world: World):
    grid, built = with_rooms([80, 100], [90], 16, [])
    pgm = b"P5\n%d %d\n255\n" % (grid.shape[1], grid.shape[0]) + grid.tobytes()
    _, row = await import_files(world, files=(("two.yaml", YAML), ("two.pgm", pgm)))
    proposals: list[dict[str, Any]] = (await world.call("user", "/map/findRooms", mapId=row["mapId"]))["list"]
    expected = sorted(each.area for each in built)
    assert sorted(room["area"] for room in proposals) == pytest.approx(expected, rel=0.06)
    assert proposals[0]["at"][0] < proposals[1]["at"][0]
    assert Polygon(proposals[0]["points"]).bounds[:2] == pytest.approx((-1 + 0.15, 2 + 0.15), abs=0.1)
    versions = (await world.call("user", "/map/versions", mapId=row["mapId"]))["list"]
    assert [each["elements"] for each in versions] == [0]


def test_an_outline_with_too_many_corners_is_straightened_more(monkeypatch: pytest.MonkeyPatch):
    grid = np.full((140, 140), OCCUPIED, np.uint8)
    for step in range(8):
        grid[4 + 16 * step : 20 + 16 * step, 4 : 20 + 16 * step] = FREE  # a staircase
    (stairs,) = rooms.find_rooms(plan_of(grid))
    monkeypatch.setattr(rooms, "MOST_POINTS", 8)
    (room,) = rooms.find_rooms(plan_of(grid))
    assert len(room.points) < 8 < len(stairs.points)
