"""A robot's minute comes back as it went in, whatever it was."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lustra.domains.telemetry.chunk_codec import (
    COARSE_SCALE,
    OPEN,
    PLANES,
    PRESS,
    SCALE,
    decode,
    encode,
    is_coarse,
)

metres = st.floats(-1e6, 1e6, width=32)
share = st.floats(-1000, 1000, width=32)
point = st.tuples(st.integers(1, 2**45), metres, metres, metres, share, share)
SECOND = (1_772_366_400_000, 1.5, -2.25, 0.5, 80.0, 60.0)


def rounded(points: Any):
    return {p[0]: tuple(np.rint(np.array(p, np.float64) * SCALE).astype(np.int64).tolist()) for p in points}


@given(st.lists(point, min_size=1, max_size=80))
@settings(max_examples=200, deadline=None)
def test_points_come_back_at_their_resolution(points: Any):
    back = decode(encode(points))
    assert [p[0] for p in back] == sorted({p[0] for p in points})
    assert rounded(back) == rounded(points)


@given(st.lists(point, min_size=1, max_size=40), st.lists(point, max_size=40))
@settings(max_examples=100, deadline=None)
def test_merging_the_same_points_again_changes_nothing(points: Any, more: Any):
    once = encode([*points, *more])
    assert encode([*decode(once), *decode(once)]) == once


def test_of_two_points_with_one_time_the_later_one_given_wins():
    earlier, later = SECOND, (SECOND[0], 9.5, *SECOND[2:])
    assert [point[1] for point in decode(encode([earlier, later]))] == [9.5]


def test_points_are_sorted_by_time():
    times = [3000, 1000, 2000]
    assert [point[0] for point in decode(encode([(at, *SECOND[1:]) for at in times]))] == sorted(times)


def steps(step_mm: int) -> bytes:
    """Two points whose x differs by so many of its smallest steps."""
    return encode([(1000, 0.0, *SECOND[2:]), (2000, step_mm / float(SCALE[1]), *SECOND[2:])])


@pytest.mark.parametrize(("step", "used"), [(1, 2), (32_767, 2), (-32_768, 2), (32_768, 3), (-(2**40), 6)])
def test_a_chunk_has_as_many_bytes_of_a_difference_as_its_largest_needs(step: int, used: int):
    chunk = steps(step)
    assert chunk[:3] == bytes((PLANES, len(SCALE), used))
    assert decode(chunk)[1][1] == pytest.approx(step / float(SCALE[1]))


def test_decode_a_single_point():
    assert encode([SECOND])[2] == 0
    assert decode(encode([SECOND])) == [SECOND]


def test_a_minute_is_small():
    minute = [(SECOND[0] + n * 1000, n * 0.3, n * 0.1, 0.5, 80.0, 60.0) for n in range(60)]
    assert len(encode(minute)) < 200


def test_a_chunk_from_before_a_field_was_added_reads_as_0_there():
    chunk = steps(70_000)
    whole = np.frombuffer(OPEN.decompress(chunk[3:]), "u1")
    columns, shorter = len(SCALE), len(SCALE) - 1
    first, planes = whole[: 8 * shorter], whole[8 * columns :].reshape(chunk[2], columns, -1)[:, :shorter]
    former = bytes((PLANES, shorter, chunk[2])) + PRESS.compress(first.tobytes() + planes.tobytes())
    assert [point[:-1] for point in decode(former)] == [point[:-1] for point in decode(chunk)]
    assert {point[-1] for point in decode(former)} == {0.0}


def test_a_coarse_chunk_has_a_tenth_of_what_is_a_thousandth():
    fine, coarse = encode([SECOND]), encode([SECOND], coarse=True)
    assert (is_coarse(fine), is_coarse(coarse)) == (False, True)
    assert SCALE.tolist()[:6] == [1, 1000, 1000, 1000, 10, 10]
    assert COARSE_SCALE.tolist()[:6] == [1, 100, 100, 100, 10, 10]
    point = (SECOND[0], 1.234, -2.256, 0.5, 80.0, 60.0)
    assert decode(encode([point], coarse=True))[0][:3] == (SECOND[0], 1.23, -2.26)
