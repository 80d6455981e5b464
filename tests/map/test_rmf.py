"""Buildings of Open-RMF become floors at their scale, with what stands on them."""

import json
import math
from typing import Any

import numpy as np
import pytest
import yaml

from lustra.domains.map import rules
from lustra.domains.map.formats import detection
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.domains.map.formats.rmf import building, drawing
from lustra.protocol.geometry import to_cell
from tests.map.test_formats import refusal, sample


@pytest.mark.sample_data
def test_a_building_of_rmf_brings_every_floor_at_its_own_scale_in_one_frame():
    plans = detection.read_plans(sample("rmf_demos/hotel/hotel.building.yaml"))
    assert [(p.building, p.floor) for p in plans] == [("hotel", "L1"), ("hotel", "L2"), ("hotel", "L3")]
    kinds = [{f.name: f.type for f in p.marks.flags} for p in plans]
    assert kinds[0]["cleanerbot_charger1"] == "charging"
    assert {"clean_lobby", "clean_waiting_area", "clean_restaurant"} <= set(kinds[0])
    lifts = [{(f.name, f.x, f.y) for f in p.marks.flags if f.type == "elevator"} for p in plans]
    assert lifts[0] == lifts[1] == lifts[2]
    assert {name for name, _, _ in lifts[0]} == {"Lift1", "Lift2"}
    for plan in plans:
        rules.refuse_bad_marks(plan.marks, plan.marks, plan.grid, plan.resolution, plan.origin)
        assert 500 < plan.area < 800


@pytest.mark.sample_data
@pytest.mark.parametrize(
    ("name", "least"),
    [("rmf_demos/office/office", 100), ("free_fleet_turtlebot3_world/turtlebot3_world", 15)],
)
def test_every_other_building_of_the_samples_is_read(name: str, least: int):
    (plan,) = detection.read_plans(sample(f"{name}.building.yaml"))
    assert plan.area > least


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"levels:\n  L1:\n    vertices: []\n", "map_no_resolution"),
        (b"levels: 7\nvertices: 8\n", "map_broken"),
        (b"levels: [\nvertices: ", "map_no_yaml"),
        (
            b"levels: {L1: {vertices: [[0, 0, 0, a]], measurements: [[0, 5, {distance: [3, 1]}]]}}\nvertices:",
            "map_broken",
        ),
    ],
)
def test_a_broken_building_is_refused(text: bytes, why: str):
    assert refusal({"b.yaml": text}) == why


SQUARE = [[0, 0, 0, ""], [100, 0, 0, ""], [100, 100, 0, ""], [0, 100, 0, ""]]
WALLS = [[0, 1, {}], [1, 2, {}], [2, 3, {}], [3, 4, {}], [5, 0, {}]]
SCALE = {"measurements": [[0, 1, {"distance": [3, 10]}]]}  # ten metres
GROUND = {"floors": [{"vertices": [0, 1, 2, 3]}]}
DOORWAY = [[0, 70, 0, ""], [0, 30, 0, ""]]  # between corners 4 and 5, in the left wall


def yaml_of(content: Any) -> bytes:
    return yaml.safe_dump(json.loads(json.dumps(content))).encode()  # a copy: the reader refuses aliases


def read(*levels: dict[str, Any], **more: Any) -> list[Plan]:
    """Levels named L1, L2, …"""
    named = {f"L{number}": {"vertices": SQUARE} | level for number, level in enumerate(levels, 1)}
    return detection.read_plans({"b.yaml": yaml_of({"name": "Quay", "levels": named} | more)})


def read_refusal(level: dict[str, Any], *, of: Any, **limits: int) -> str:
    """Why a building is refused with such limits of a module."""
    with pytest.MonkeyPatch.context() as patch:
        for name, most in limits.items():
            patch.setattr(of, name, most)
        named = {"L1": {"vertices": SQUARE} | level}
        return refusal({"b.yaml": yaml_of({"name": "Quay", "levels": named})})


def cell(plan: Plan, x: float, y: float) -> int:
    """What the grid has at a place in m."""
    column, row = to_cell((x, y), plan.origin, plan.resolution)
    return int(plan.grid[plan.grid.shape[0] - 1 - int(row), int(column)])


def test_a_door_is_an_opening_in_its_wall_and_lets_no_outside_in():
    (plan,) = read({"vertices": SQUARE + DOORWAY, "walls": WALLS, "doors": [[4, 5, {"name": [1, "main"]}]]} | SCALE)
    assert (cell(plan, 0, -5), cell(plan, 5, -5), cell(plan, 0, -1)) == (FREE, FREE, OCCUPIED)
    assert (cell(plan, -0.3, -5), plan.area) == (UNKNOWN, pytest.approx(98, abs=2))
    assert [(flag.name, flag.type, flag.x, flag.y) for flag in plan.marks.flags] == [("main", "other", 0, -5)]


def test_a_hole_is_no_floor_and_forbidden():
    hole = [[40, 40, 0, ""], [60, 40, 0, ""], [60, 60, 0, ""], [40, 60, 0, ""]]
    (plan,) = read({"vertices": SQUARE + hole, "holes": [{"vertices": [4, 5, 6, 7]}]} | SCALE | GROUND)
    assert (cell(plan, 5, -5), cell(plan, 3, -5), plan.area) == (UNKNOWN, FREE, pytest.approx(96, abs=1.5))
    (zone,) = plan.marks.forbidden_zones
    assert (zone.name, zone.points) == ("Hole 1", [(4, -4), (6, -4), (6, -6), (4, -6)])


def test_furniture_and_reference_points_become_points_each_with_a_name_of_its_own():
    models = [{"name": "Shop/Chair", "x": 10, "y": 20}, {"model_name": "Chair", "x": 30, "y": 20}, {"x": 150, "y": 0}]
    fiducials = [[5, 5, "ref1"], [95, 5, "Chair"]]
    (plan,) = read({"models": models, "fiducials": fiducials} | SCALE | GROUND)
    places = {flag.name: (flag.x, flag.y) for flag in plan.marks.flags}
    assert places == {
        "Chair": (1, -2),
        "Chair 2": (3, -2),
        "Furniture": (15, 0),
        "ref1": (0.5, -0.5),
        "Chair 3": (9.5, -0.5),
    }
    rules.refuse_bad_marks(plan.marks, plan.marks, plan.grid, plan.resolution, plan.origin)  # nothing lies beyond it


def test_a_floor_that_nobody_measured_has_the_scale_of_its_reference_points():
    def fiducials(pixels: float) -> dict[str, Any]:
        return {"fiducials": [[0, 0, "a"], [pixels, 0, "b"], [pixels, pixels, "c"]]}

    first = SCALE | GROUND | fiducials(50)  # 5 m apart
    drawn_twice_as_large = {"vertices": [[2 * x, 2 * y, z, name] for x, y, z, name in SQUARE]} | GROUND
    plans = read(first, drawn_twice_as_large | fiducials(100), GROUND | {"fiducials": [[0, 0, "a"]]})
    assert [round(plan.area) for plan in plans] == [round(plans[0].area)] * 3
    assert plans[0].area == pytest.approx(100, rel=0.02)
    assert plans[1].origin == plans[0].origin


def test_a_building_in_metres_grows_upwards_and_needs_no_measure():
    (plan,) = read(GROUND, coordinate_system="cartesian_meters")
    assert (cell(plan, 50, 50), plan.area, plan.origin) == (FREE, pytest.approx(10_000, rel=0.01), (-0.5, -0.5, 0))


@pytest.mark.parametrize(
    ("system", "why"), [("wgs84", "map_globe"), ("web_mercator", "map_globe"), ("polar", "map_broken")]
)
def test_places_on_the_globe_are_refused_for_what_they_are(system: str, why: str):
    building = {"coordinate_system": system, "levels": {"L1": {"vertices": SQUARE} | SCALE | GROUND}}
    assert refusal({"b.yaml": yaml_of(building)}) == why


@pytest.mark.sample_data
def test_the_furniture_of_a_real_building_is_kept():
    (plan,) = detection.read_plans(sample("rmf_demos/office/office.building.yaml"))
    names = {flag.name for flag in plan.marks.flags}
    assert {"main_door", "coe_door", "hardware_door"} <= names
    assert len(names) > 79 + 3  # its furniture and doors, and its named places
    assert plan.left_out == {}
    assert plan.lane_graph is not None
    assert len(plan.lane_graph.lanes) == 30
    assert np.unique(plan.grid).tolist() == [OCCUPIED, UNKNOWN, FREE]


def test_refuse_a_building_that_is_vast():
    levels = SCALE | GROUND
    assert read_refusal(levels, MOST_FLOORS=0, of=building) == "map_many_floors"
    assert read_refusal(levels, LONGEST=10, of=building) == "map_yaml_vast"
    assert read_refusal(levels, MOST_COSTLY_CELLS=10, of=building) == "map_many_cells"
    assert read_refusal(levels, MOST_COSTLY_CELLS=10, of=drawing) == "map_many_cells"


def test_refuse_a_building_without_bounds():
    levels = {"L1": {"vertices": [[math.nan, 0, 0, ""], *SQUARE[1:]]}}
    data = yaml.safe_dump({"coordinate_system": building.METRES, "levels": levels}).encode()
    assert refusal({"b.yaml": data}) == "map_broken"


def test_an_elevator_is_drawn_where_it_stops():
    elevator = {"x": 50, "y": 50, "yaw": 0, "width": 2, "depth": 2, "reference_floor_name": "L1"}
    stops = {"East": elevator | {"level_doors": {"L1": ["door"]}}, "None": elevator}
    both = [SCALE | GROUND, SCALE | GROUND]
    first, second = read(*both, lifts=stops)
    assert [mark.name for mark in first.marks.flags + second.marks.flags].count("East") == 1


def test_a_measure_of_nothing_is_no_scale():
    measures = [*SCALE["measurements"], [0, 0, {"distance": [3, 10]}]]
    (plan,) = read(GROUND | {"measurements": measures})
    assert plan.area == pytest.approx(100, rel=0.1)
