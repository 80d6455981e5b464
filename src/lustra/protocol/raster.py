"""Connected parts of a grid of cells, and how deep its cells lie within them.

What a library of image analysis does, in numpy alone: the server installs without one.
"""

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.masks import Cells

Labels = NDArray[np.int64]
Lengths = NDArray[np.float64]
Window = tuple[slice, slice]  # rows, columns


def label_cells(cells: Cells, *, corners: bool = False) -> Labels:
    """The number of the connected part that each cell belongs to, from 1 in reading order; 0 where `cells` is false.
    Cells are connected over their edges, with `corners` over their corners too."""
    height, width = cells.shape
    padded = np.zeros((height, width + 2), np.bool_)
    padded[:, 1:-1] = cells
    # Runs of cells within a row, in places counted through all rows.
    starts = np.flatnonzero(padded.ravel()[1:] & ~padded.ravel()[:-1]) + 1
    ends = np.flatnonzero(padded.ravel()[:-1] & ~padded.ravel()[1:]) + 1
    # Runs of the next row that a run touches: those that end behind its start and start before its end.
    reach = int(corners)
    first = np.searchsorted(ends, starts + width + 2 - reach, side="right")
    behind = np.searchsorted(starts, ends + width + 2 + reach, side="left")
    counts = np.maximum(behind - first, 0)
    above = np.repeat(np.arange(len(starts)), counts)
    below = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    number = number_parts(len(starts), above, below)
    labels = np.zeros(padded.size, np.int64)
    labels[padded.ravel()] = np.repeat(number, ends - starts)
    return labels.reshape(padded.shape)[:, 1:-1]


def number_parts(count: int, a: Labels, b: Labels) -> Labels:
    """Numbers from 1 for `count` things of which each a[i] is connected with b[i]: the same for what is connected."""
    root = np.arange(count)
    while (apart := root[a] != root[b]).any():
        a, b = a[apart], b[apart]
        lower, higher = np.minimum(root[a], root[b]), np.maximum(root[a], root[b])
        np.minimum.at(root, higher, lower)
        while not np.array_equal(nearer := root[root], root):
            root = nearer
    return np.unique(root, return_inverse=True)[1] + 1


def find_windows(labels: Labels) -> list[Window]:
    """The smallest window of rows and columns that holds each part, from label 1 on."""
    rows, columns = np.nonzero(labels)
    parts = labels[rows, columns] - 1
    low = np.full((int(labels.max(initial=0)), 2), np.iinfo(np.int64).max)
    high = np.zeros_like(low)
    for axis, places in enumerate((rows, columns)):
        np.minimum.at(low[:, axis], parts, places)
        np.maximum.at(high[:, axis], parts, places + 1)
    return [
        (slice(top, bottom), slice(left, right))
        for (top, left), (bottom, right) in zip(low.tolist(), high.tolist(), strict=True)
    ]


def measure_depth(cells: Cells) -> Lengths:
    """From the middle of each cell to that of the nearest one which is false or lies outside of the grid, in cells.

    Exact: first along the columns, then over the neighbours in the row, farther and farther, while there is a cell for
    which one so far away may be nearer. What is deeper than `step` lies that far within the grid, too."""
    padded = np.pad(cells, 1)
    height = len(padded)
    rows = np.arange(height, dtype=np.int32)[:, None]
    before = np.maximum.accumulate(np.where(padded, 0, rows), axis=0)
    after = np.minimum.accumulate(np.where(padded, height, rows)[::-1], axis=0)[::-1]
    along = np.square(np.minimum(rows - before, after - rows))
    nearest = along.copy()
    step, deepest = 1, int(along.max())
    while step * step < deepest:
        inner = nearest[step:-step, step:-step]
        beside = np.minimum(along[step:-step, : -2 * step], along[step:-step, 2 * step :])
        beside += step * step
        np.minimum(inner, beside, out=inner)
        step += 1
        deepest = int(inner.max())
    return np.sqrt(nearest[1:-1, 1:-1])
