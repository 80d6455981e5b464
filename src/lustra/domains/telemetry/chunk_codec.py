"""One robot's minute as a few hundred bytes: fixed point, column by column, differences, zstd.

Rules: a point is its time in ms and the fields of `telemetry.HISTORY`, in the resolution that they name; decode(encode(
points)) gives the points back at that resolution; a time stands once: of two points with one time the later one given
wins, so merging the same points again changes nothing. A chunk says how many columns it has: one from before a field
was added reads as 0 there. Every form ever written stays readable (tests/wire keeps samples).
"""

from collections.abc import Iterable

import numpy as np
import zstandard

from lustra.protocol import telemetry

Point = tuple[float, ...]  # time in ms, then the fields of the history
SCALE = np.array([1, *(field.scale for field in telemetry.HISTORY)])
TWO_BYTES = 0xFFFF
# The first byte of a chunk. The forms without a count have FIRST_COLUMNS.
NARROW_UNCOUNTED, WIDE_UNCOUNTED, NARROW, WIDE = range(4)
FIRST_COLUMNS = 6
PRESS = zstandard.ZstdCompressor(level=9)
OPEN = zstandard.ZstdDecompressor()


def encode(points: Iterable[Point]) -> bytes:
    """Sorted by time, one point for each time. At least one point."""
    rows = [row for _, row in sorted({point[0]: point for point in points}.items())]
    whole = np.rint(np.array(rows, np.float64) * SCALE).astype(np.int64).T
    change = np.diff(whole, axis=1, prepend=0)
    change[0, 1:] = np.diff(change[0, 1:], prepend=0)  # the beat of the clock is nearly constant
    zigzag = ((change << 1) ^ (change >> 63)).astype("<u8")
    if (zigzag[:, 1:] > TWO_BYTES).any():  # a jump, as after a new localisation: keep the wide form
        return bytes((WIDE, len(SCALE))) + PRESS.compress(zigzag.tobytes())
    low = zigzag[:, 1:].astype("<u2")
    planes = np.concatenate([low & 0xFF, low >> 8]).astype("u1")  # high bytes are nearly all zero and press to nothing
    return bytes((NARROW, len(SCALE))) + PRESS.compress(zigzag[:, 0].tobytes() + planes.tobytes())


def decode(data: bytes) -> list[Point]:
    """The points of a chunk; what was added to the history after it was written is 0."""
    counted = data[0] in {NARROW, WIDE}
    columns = data[1] if counted else FIRST_COLUMNS
    raw = OPEN.decompress(data[2 if counted else 1 :])
    if data[0] in {WIDE, WIDE_UNCOUNTED}:
        zigzag = np.frombuffer(raw, "<u8").reshape(columns, -1)
    else:
        planes = np.frombuffer(raw[8 * columns :], "u1").reshape(2 * columns, -1).astype("<u8")
        first = np.frombuffer(raw[: 8 * columns], "<u8").reshape(columns, 1)
        zigzag = np.concatenate([first, planes[:columns] | planes[columns:] << np.uint64(8)], axis=1)
    change = (zigzag >> np.uint64(1)).astype(np.int64) ^ -(zigzag & np.uint64(1)).astype(np.int64)
    change[0, 1:] = np.cumsum(change[0, 1:])
    whole = np.cumsum(change, axis=1).T
    added = (0.0,) * (len(SCALE) - columns)
    return [(int(row[0]), *(row[1:] / SCALE[1:columns]).tolist(), *added) for row in whole]
