"""Cells and points of a map that is turned; which points lie beyond its edge."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.protocol.geometry import area, beyond, from_cell, to_cell

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
