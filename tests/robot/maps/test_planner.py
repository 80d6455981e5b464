"""What a plan promises: it covers what can be reached, and comes no nearer to an obstacle than the robot's radius."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lustra.protocol.bus import Zone
from lustra.robot.buildings import catalogue
from lustra.robot.maps.bundle import read_map
from lustra.robot.maps.floor import FREE, OCCUPIED, Floor
from lustra.robot.navigation.lattice import RADIUS, TOOL, Lattice, covered_cells
from lustra.robot.navigation.planner import NoPath, Plan, plan
from lustra.robot.navigation.sweep import least_distance, sweep
from tests.robot.conftest import hall

HERE = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("LUSTRA_SAMPLE_DATA", HERE.parent / "shared" / "data"))
REAL = sorted((DATA / "nav2" / "maps").glob("*.yaml"))
ROUTES = ("bow", "spiral", "edge")


def whole(floor: Floor) -> list[tuple[float, float]]:
    width, height = floor.size
    return [tuple(p) for p in floor.to_metres(np.array([[0, 0], [width, 0], [width, height], [0, height]])).tolist()]


def roomiest(floor: Floor) -> tuple[float, float]:
    lattice = Lattice(floor.blocked, floor.resolution)
    row, column = np.unravel_index(lattice.distance.argmax(), lattice.distance.shape)
    x, y = floor.to_metres(np.array([[column, row]]))[0].tolist()
    return x, y


def over_all(floor: Floor, route: Any = "bow") -> Plan:
    return plan(floor, Lattice(floor.blocked, floor.resolution), whole(floor), roomiest(floor), route)


def share(floor: Floor, planned: Plan) -> float:
    return float((sweep(floor, planned.path) & planned.reachable).sum() / planned.reachable.sum())


def read(file: Path) -> Floor:
    return read_map(file.read_text(), lambda name: (file.parent / name).read_bytes(), file.stem)


@pytest.mark.parametrize("route", ROUTES)
def test_a_run_covers_the_sample_floor_and_keeps_clear(route: str):
    floor = read(HERE / "docs" / "samples" / "floor.yaml")
    planned = over_all(floor, route)
    assert share(floor, planned) >= 0.95
    assert least_distance(floor, planned.path) >= RADIUS - 1e-6
    assert floor.square_metres(planned.reachable) > 0.9 * floor.square_metres(planned.area)


@pytest.mark.sample_data
@pytest.mark.skipif(not REAL, reason=f"the real maps are not there ({DATA})")
@pytest.mark.parametrize("route", ROUTES)
def test_a_run_covers_every_real_map_and_keeps_clear(route: str):
    for file in REAL:
        floor = read(file)
        planned = over_all(floor, route)
        assert share(floor, planned) >= 0.95, file
        assert least_distance(floor, planned.path) >= RADIUS - 1e-6, file
        assert not (sweep(floor, planned.path) & floor.blocked).any(), file


def test_reachable_is_what_the_tool_covers_at_connected_clear_poses():
    """Counted the slow way: every pose, every cell, plain distances."""
    floor = hall(4.0, 3.2)
    floor.grid[:, 40:52] = OCCUPIED  # two rooms; the robot starts in the left one
    planned = plan(floor, Lattice(floor.blocked, 0.05), whole(floor), (0.0, 0.3), "bow")
    height, width = floor.grid.shape
    rows, columns = np.nonzero(floor.blocked)
    expected = np.zeros((height, width), bool)
    cell_rows, cell_columns = np.mgrid[0:height, 0:width] + 0.5
    for y in range(height + 1):
        for x in range(40):
            off = np.hypot(np.maximum(abs(columns + 0.5 - x) - 0.5, 0), np.maximum(abs(rows + 0.5 - y) - 0.5, 0))
            if off.min() * 0.05 >= RADIUS - 1e-6 and 0 < y < height and x > 0:
                expected |= np.hypot(cell_columns - x, cell_rows - y) * 0.05 <= TOOL / 2 + 1e-6
    assert np.array_equal(planned.reachable, expected & ~floor.blocked)


@pytest.mark.parametrize("route", ROUTES)
def test_no_cell_of_a_forbidden_zone_is_cleaned(route: str):
    floor = hall()
    floor.forbidden_zones = [Zone(points=[(3.0, 0.0), (5.0, 0.0), (5.0, 2.0), (3.0, 2.0)], name="rug")]
    floor.virtual_walls = [Zone(points=[(0.0, 3.0), (2.0, 3.0)])]
    planned = over_all(floor, route)
    cleaned = sweep(floor, planned.path)
    assert not (cleaned & floor.blocked).any()
    assert share(floor, planned) >= 0.95


def test_a_rotated_origin_moves_the_path_with_the_map():
    plain, turned = hall(), hall()
    turned.origin = (3.0, -2.0, 0.7)
    a, b = over_all(plain), over_all(turned)
    assert np.array_equal(a.reachable, b.reachable)
    assert np.allclose(plain.to_vertices(a.path), turned.to_vertices(b.path), atol=1e-6)


def test_a_start_in_a_wall_or_outside_is_refused():
    floor = hall()
    for start in ((2.8, 1.8), (50.0, 50.0)):
        with pytest.raises(NoPath) as no:
            plan(floor, Lattice(floor.blocked, 0.05), whole(floor), start, "bow")
        assert no.value.reason == "task_start_unreachable"


def test_an_area_that_cannot_be_reached_from_the_start_is_refused():
    floor = hall(8.0, 6.0)
    floor.grid[:, 100:104] = OCCUPIED
    with pytest.raises(NoPath) as no:
        plan(floor, Lattice(floor.blocked, 0.05), [(5.0, 0), (6.0, 0), (6.0, 2), (5.0, 2)], (0.0, 0.0), "bow")
    assert no.value.reason == "path_not_solved"


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("key", catalogue.floors(), ids=" ".join)
def test_every_floor_of_ours_can_be_cleaned(key: tuple[str, str], route: str):
    floor = catalogue.floor(*key)
    planned = over_all(floor, route)
    assert share(floor, planned) >= 0.95
    assert least_distance(floor, planned.path, every=0.05) >= RADIUS - 1e-6
    names = [room.name for room in floor.free_areas]
    assert len(set(names)) == len(names)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.integers(4, 70), st.integers(4, 50), st.integers(1, 20), st.integers(1, 20)), max_size=12),
    st.sampled_from(ROUTES),
)
def test_on_any_floor_the_path_keeps_clear_and_covers_only_reachable_cells(
    things: list[tuple[int, int, int, int]], route: str
):
    floor = hall(4.0, 3.0)
    floor.grid[2:-2, 2:-2] = FREE
    for x, y, w, h in things:
        floor.grid[y : y + h, x : x + w] = OCCUPIED
    lattice = Lattice(floor.blocked, 0.05)
    if not lattice.clear.any():
        return
    planned = over_all(floor, route)
    assert least_distance(floor, planned.path, every=0.005) >= RADIUS - 1e-6
    assert not (sweep(floor, planned.path) & ~covered_cells(lattice.clear, 0.05)).any()
    assert not (sweep(floor, planned.path) & floor.blocked).any()
