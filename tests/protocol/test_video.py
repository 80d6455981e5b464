"""Where a camera sends nothing: in rooms that the map marks, and half a metre around them."""

import math

from hypothesis import given
from hypothesis import strategies as st

from lustra.protocol.geometry import XY, is_near
from lustra.protocol.video import REACH_M, is_private

# A room in the shape of an L: its notch lies outside.
ROOM: list[XY] = [(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)]
metres = st.floats(-10, 10)


def turn(at: XY, yaw: float) -> XY:
    return at[0] * math.cos(yaw) - at[1] * math.sin(yaw), at[0] * math.sin(yaw) + at[1] * math.cos(yaw)


@given(metres, metres)
def test_treat_a_room_and_half_a_metre_around_it_as_private(x: float, y: float):
    dx, dy = max(-x, 0, x - 6), max(-y, 0, y - 2)
    lower = math.hypot(dx, dy)
    left = math.hypot(max(-x, 0, x - 2), max(-y, 0, y - 6))
    away = min(lower, left)
    if abs(away - REACH_M) > 1e-9:
        assert is_private([ROOM], (x, y)) == (away < REACH_M)


@given(metres, metres, st.floats(-math.pi, math.pi))
def test_a_room_is_the_same_turned_and_drawn_the_other_way_round(x: float, y: float, yaw: float):
    turned = [turn(corner, yaw) for corner in ROOM]
    for reach in (0.01, REACH_M):
        if is_near(ROOM, (x, y), reach - 1e-6) == is_near(ROOM, (x, y), reach + 1e-6):
            assert is_near(turned[::-1], turn((x, y), yaw), reach) == is_near(ROOM, (x, y), reach)


def test_without_a_marked_room_nothing_is_private():
    assert not is_private([], (1, 1))
    assert is_near([(0, 0), (0, 0), (3, 0)], (0, 0.4), REACH_M)
    assert not is_near([(0, 0), (0, 0), (3, 0)], (-1, 0), REACH_M)
