"""Packed cells of the bus (`bus.Mask`) as arrays of booleans: rows from the lowest up, one element a cell."""

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Mask

Cells = NDArray[np.bool_]


def pack_mask(cells: Cells) -> Mask:
    """The smallest window that holds all set cells."""
    rows, columns = np.nonzero(cells.any(axis=1))[0], np.nonzero(cells.any(axis=0))[0]
    if not len(rows):
        return Mask.pack(0, 0, b"")
    window = cells[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = window.shape
    return Mask.pack(width, height, np.packbits(window, axis=1).tobytes(), int(columns[0]), int(rows[0]))


def unpack_mask(mask: Mask, shape: tuple[int, ...]) -> Cells:
    """The cells of a whole grid of `shape` (rows, columns)."""
    out = np.zeros(shape, np.bool_)
    add_mask(out, mask)
    return out


def add_mask(cells: Cells, mask: Mask, column: int = 0, row: int = 0) -> None:
    """Set a mask's cells in a grid, of which the mask's own grid begins at `column` and `row`. What falls beyond it is
    left out. Raises ValueError where the mask is broken."""
    if mask.width <= 0 or mask.height <= 0:
        return
    packed = np.frombuffer(mask.bits(), np.uint8).reshape(mask.height, -1)
    window = np.unpackbits(packed, axis=1, count=mask.width).astype(np.bool_)
    left, bottom = mask.column + column, mask.row + row
    x0, y0 = max(left, 0), max(bottom, 0)
    x1, y1 = min(left + mask.width, cells.shape[1]), min(bottom + mask.height, cells.shape[0])
    if x0 < x1 and y0 < y1:
        cells[y0:y1, x0:x1] |= window[y0 - bottom : y1 - bottom, x0 - left : x1 - left]
