"""One robot's minute, or ten of them, as a few hundred bytes: fixed point, column by column, differences, zstd.

Rules: a point is its time in ms and the fields of `telemetry.HISTORY`, in the resolution that they name; decode(encode(
points)) gives the points back at that resolution; a time stands once: of two points with one time the later one given
wins, so merging the same points again changes nothing. A coarse chunk has a tenth of the resolution where that is a
thousandth: poses by the centimetre. A chunk says how many columns it has: one from before a field was added reads as 0
there. Every form ever written stays readable (tests/wire keeps samples).
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import zstandard

from lustra.protocol import telemetry

Point = tuple[float, ...]  # time in ms, then the fields of the history
SCALE = np.array([1, *(field.scale for field in telemetry.HISTORY)])
FINE = 1000  # steps in a unit from which on a coarse chunk has a tenth
COARSER = 10
COARSE_SCALE = np.array([1, *(field.scale // (COARSER if field.scale >= FINE else 1) for field in telemetry.HISTORY)])
# The first byte of a chunk. The first two have FIRST_COLUMNS and do not say so. Planes are what is written now.
NARROW_UNCOUNTED, WIDE_UNCOUNTED, NARROW, WIDE, PLANES, PLANES_COARSE = range(6)
FIRST_COLUMNS = 6
HEADS = (1, 1, 2, 2, 3, 3)  # bytes before what is pressed, by form
WORD = 8  # bytes
NARROW_BYTES = 2
PRESS = zstandard.ZstdCompressor(level=9)
OPEN = zstandard.ZstdDecompressor()


def is_coarse(data: bytes) -> bool:
    return data[0] == PLANES_COARSE


def encode(points: Iterable[Point], *, coarse: bool = False) -> bytes:
    """Sorted by time, one point for each time. At least one point."""
    rows = [row for _, row in sorted({point[0]: point for point in points}.items())]
    scale, form = (COARSE_SCALE, PLANES_COARSE) if coarse else (SCALE, PLANES)
    whole = np.rint(np.array(rows, np.float64) * scale).astype(np.int64).T
    change = np.diff(whole, axis=1, prepend=0)
    change[0, 2:] -= change[0, 1:2]  # the beat of the clock is nearly constant
    zigzag = ((change << 1) ^ (change >> 63)).astype("<u8")
    later = np.ascontiguousarray(zigzag[:, 1:])
    planes = later.view("u1").reshape(*later.shape, WORD).transpose(2, 0, 1)  # high bytes are zero but after a jump
    used = max((place for place in range(1, WORD + 1) if planes[place - 1].any()), default=0)
    return bytes((form, len(scale), used)) + PRESS.compress(zigzag[:, 0].tobytes() + planes[:used].tobytes())


def decode(data: bytes) -> list[Point]:
    """The points of a chunk; what was added to the history after it was written is 0."""
    form = data[0]
    columns = data[1] if form >= NARROW else FIRST_COLUMNS
    raw = OPEN.decompress(data[HEADS[form] :])
    if form in {WIDE_UNCOUNTED, WIDE}:
        zigzag = np.frombuffer(raw, "<u8").reshape(columns, -1)
    else:
        zigzag = _read_planes(raw, columns, data[2] if form >= PLANES else NARROW_BYTES)
    change = (zigzag >> np.uint64(1)).astype(np.int64) ^ -(zigzag & np.uint64(1)).astype(np.int64)
    if form >= PLANES:
        change[0, 2:] += change[0, 1:2]
    else:
        change[0, 1:] = np.cumsum(change[0, 1:])
    whole = np.cumsum(change, axis=1)
    scale = COARSE_SCALE if is_coarse(data) else SCALE
    values = [(whole[place] / scale[place]).tolist() for place in range(1, columns)]
    added = [[0.0] * whole.shape[1]] * (len(SCALE) - columns)
    return list(zip(whole[0].tolist(), *values, *added, strict=True))


def _read_planes(raw: bytes, columns: int, used: int) -> Any:
    """The first row in whole words; of those after it all lowest bytes, then the next higher ones."""
    first = np.frombuffer(raw[: WORD * columns], "<u8").reshape(columns, 1)
    if not used:
        return first
    planes = np.frombuffer(raw[WORD * columns :], "u1").reshape(used, columns, -1).astype("<u8")
    shifts = np.arange(used, dtype="<u8").reshape(-1, 1, 1) * np.uint64(8)
    return np.concatenate([first, np.bitwise_or.reduce(planes << shifts, axis=0)], axis=1)
