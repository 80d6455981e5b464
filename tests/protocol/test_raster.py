"""Parts, windows and depths of a grid are those that scipy, which the server installs without, finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import ndimage

from lustra.protocol.masks import Cells
from lustra.protocol.raster import find_windows, label_cells, measure_depth


def grid_of(height: int, width: int, share: float, seed: int) -> Cells:
    return np.random.default_rng(seed).random((height, width)) < share


some_grids = some.builds(
    grid_of,
    some.integers(1, 40),
    some.integers(1, 40),
    some.sampled_from([0.0, 0.3, 0.6, 0.9, 1.0]),
    some.integers(0, 99),
)


@settings(max_examples=60, deadline=None)
@given(cells=some_grids, corners=some.booleans())
def test_parts_are_numbered_in_reading_order_each_with_its_window(cells: Cells, corners: bool):
    expected = np.zeros(cells.shape, np.int64)
    ndimage.label(cells, np.ones((3, 3)) if corners else None, expected)
    labels = label_cells(cells, corners=corners)
    assert np.array_equal(labels, expected)
    assert find_windows(labels) == ndimage.find_objects(expected)


@settings(max_examples=60, deadline=None)
@given(cells=some_grids)
def test_depth_is_the_exact_distance_to_what_is_outside(cells: Cells):
    expected = np.asarray(ndimage.distance_transform_edt(np.pad(cells, 1)))[1:-1, 1:-1]
    assert measure_depth(cells) == pytest.approx(expected)
