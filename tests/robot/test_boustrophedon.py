"""Bow routes: lanes cover a room evenly, cells part and join where the room does, and a path takes every lane."""

import numpy as np
import pytest

from lustra.robot.navigation.boustrophedon import (
    SHORTEST,
    cell_paths,
    cells_of,
    lanes_of,
    paths_over,
    serpentine,
)


def room(*rows: str) -> np.ndarray:
    """`#` is outside."""
    return np.array([[mark != "#" for mark in row] for row in rows])


HALL = np.ones((9, 6), bool)


def test_space_lanes_evenly_and_no_farther_apart_than_the_spacing():
    assert [[lane[0] for lane in row] for row in lanes_of(HALL, 4)] == [[0], [4], [8]]
    assert [[lane[0] for lane in row] for row in lanes_of(HALL, 3)] == [[0], [3], [5], [8]]
    assert [[lane[0] for lane in row] for row in lanes_of(HALL, 8)] == [[0], [8]]
    assert [[lane[0] for lane in row] for row in lanes_of(HALL, 100)] == [[0], [8]]


def test_a_lane_reaches_from_wall_to_wall():
    assert lanes_of(HALL, 8)[0] == [(0, 0, 5)]
    shifted = np.zeros((4, 10), bool)
    shifted[1:3, 2:8] = True
    assert lanes_of(shifted, 1) == [[(1, 2, 7)], [(2, 2, 7)]]


def test_a_room_of_one_row_has_one_lane_and_one_without_any_none():
    assert lanes_of(np.ones((1, 5), bool), 3) == [[(0, 0, 4)]]
    assert lanes_of(np.zeros((3, 3), bool), 3) == []


def test_a_lane_shorter_than_two_corners_is_left_to_the_edge_pass():
    assert SHORTEST == 2
    assert lanes_of(np.ones((1, 2), bool), 1) == [[]]
    assert lanes_of(np.ones((1, 3), bool), 1) == [[(0, 0, 2)]]


def test_a_pillar_parts_a_row_into_two_lanes():
    assert lanes_of(room("...##...."), 1) == [[(0, 0, 2), (0, 5, 8)]]


def test_a_new_cell_begins_where_lanes_part_and_where_they_join():
    plan = room(".........", "...###...", ".........")
    cells = cells_of(lanes_of(plan, 1))
    assert sorted(cells) == [[(0, 0, 8)], [(1, 0, 2)], [(1, 6, 8)], [(2, 0, 8)]]


def test_a_cell_goes_on_as_long_as_each_lane_meets_one():
    assert cells_of(lanes_of(HALL, 4)) == [[(0, 0, 5), (4, 0, 5), (8, 0, 5)]]


def test_join_lanes_that_meet_in_one_column_and_split_those_in_none():
    touching = [[(0, 0, 4)], [(1, 4, 8)]]
    assert cells_of(touching) == [[(0, 0, 4), (1, 4, 8)]]
    assert cells_of([[(0, 4, 8)], [(1, 0, 4)]]) == [[(0, 4, 8), (1, 0, 4)]]
    apart = [[(0, 0, 4)], [(1, 5, 8)]]
    assert cells_of(apart) == [[(0, 0, 4)], [(1, 5, 8)]]
    assert cells_of([[(0, 5, 8)], [(1, 0, 4)]]) == [[(0, 5, 8)], [(1, 0, 4)]]


@pytest.mark.parametrize(
    ("from_last", "from_right", "expected"),
    [
        (False, False, [(0, 0), (3, 0), (3, 2), (0, 2)]),
        (False, True, [(3, 0), (0, 0), (0, 2), (3, 2)]),
        (True, False, [(0, 2), (3, 2), (3, 0), (0, 0)]),
        (True, True, [(3, 2), (0, 2), (0, 0), (3, 0)]),
    ],
)
def test_a_path_goes_there_and_back(from_last: bool, from_right: bool, expected: list[tuple[int, int]]):
    cell = [(0, 0, 3), (2, 0, 3)]
    assert serpentine(cell, from_last=from_last, from_right=from_right) == expected


def test_a_cell_has_four_paths_one_from_each_corner():
    starts = [path[0] for path in paths_over([(0, 0, 3), (2, 0, 3)])]
    assert starts == [(0, 0), (3, 0), (0, 2), (3, 2)]


def test_a_room_is_driven_along_the_axis_that_needs_fewer_lanes():
    long, high = np.ones((3, 20), bool), np.ones((20, 3), bool)
    assert cell_paths(long, 2)[0][0] == [(0, 0), (19, 0), (19, 2), (0, 2)]
    assert cell_paths(high, 2)[0][0] == [(0, 0), (0, 19), (2, 19), (2, 0)]
    square = np.ones((5, 5), bool)
    assert cell_paths(square, 4)[0][0] == [(0, 0), (4, 0), (4, 4), (0, 4)]
