"""Cells and points of a map that is turned; which points lie beyond its edge."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from lustra.protocol.geometry import XY, area, beyond, distance_to_side, from_cell, is_near, to_cell

TURNED = (1.0, 2.0, math.pi / 2)  # its columns go up, its rows to the left


def test_an_area_is_the_same_whichever_way_round_it_is_drawn():
    ring = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0)]
    assert area(ring) == area(ring[::-1]) == 6.0


def test_rows_and_columns_are_counted_from_the_origin_in_its_direction():
    assert from_cell(2, 3, TURNED, 0.5) == pytest.approx((-0.5, 3.0))
    assert to_cell((-0.25, 3.25), TURNED, 0.5) == (2, 2)
    assert to_cell((1.1, 1.9), TURNED, 0.5) == (-1, -1)


@given(st.integers(-50, 50), st.integers(-50, 50), st.floats(-4, 4), st.sampled_from([0.05, 0.1, 1 / 3]))
def test_the_middle_of_a_cell_lies_in_that_cell(column: int, row: int, yaw: float, resolution: float):
    origin = (3.0, -7.0, yaw)
    assert to_cell(from_cell(column + 0.5, row + 0.5, origin, resolution), origin, resolution) == (column, row)


def test_the_edge_belongs_to_the_map_and_what_lies_beyond_does_not():
    corners = [from_cell(column, row, TURNED, 0.5) for column in (0, 40) for row in (0, 30)]
    outside = [from_cell(column, row, TURNED, 0.5) for column, row in ((-0.01, 5), (40.01, 5), (5, -0.01), (5, 30.01))]
    assert beyond([*corners, *outside], (40, 30), TURNED, 0.5) == outside


LENGTHS = st.integers(-20, 20).map(float)
PLACES = st.tuples(LENGTHS, LENGTHS)
KITE: list[XY] = [(-9, 1), (2, -12), (13, 3), (1, 14)]
ELL: list[XY] = [(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)]


@given(PLACES, PLACES, PLACES)
def test_the_distance_to_a_side_is_that_to_its_nearest_point(at: XY, a: XY, b: XY):
    assert distance_to_side(at, a, b) == pytest.approx(LineString([a, b]).distance(Point(at)))


@given(st.sampled_from([ELL, KITE]), PLACES, st.sampled_from([0.5, 1.5, 3.7]), PLACES)
def test_a_point_is_near_what_it_lies_in_and_what_it_can_reach(shape_of: list[XY], at: XY, reach: float, move: XY):
    ring = [(x + move[0], y + move[1]) for x, y in shape_of]
    shape, place = Polygon(ring), Point(at)
    assert is_near(ring, at, reach) == (shape.contains(place) or shape.exterior.distance(place) <= reach)
    assert is_near(ring[::-1], at, reach) == is_near(ring, at, reach)


@pytest.mark.parametrize(("at", "near"), [((-1, 3), True), ((-1.01, 3), False), ((3, 1), True), ((4, 4), False)])
def test_a_point_just_as_far_as_the_reach_is_near(at: XY, near: bool):
    assert is_near(ELL, at, 1) == near


@pytest.mark.parametrize(
    ("at", "inside"), [((1, 2), True), ((1, 5), True), ((5, 1), True), ((-3, 2), False), ((9, 2), False)]
)
def test_a_corner_at_the_height_of_a_point_counts_once(at: XY, inside: bool):
    assert is_near(ELL, at, 0.1) == inside


def test_an_area_counts_from_wherever_it_lies():
    assert area([(1.0, 1.0), (4.0, 2.0), (2.0, 5.0)]) == pytest.approx(5.5)
