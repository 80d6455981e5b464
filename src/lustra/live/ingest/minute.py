"""One robot's minute as a few hundred bytes: fixed point, column by column, differences, zstd.

Rules: a point is (t in ms, x, y in m, yaw in rad, battery and liquid in %); resolution 1 ms, 1 mm, 1 mrad, 0.1 %;
decode(encode(points)) gives the points back at that resolution; a time stands once: of two points with one time the
later one given wins, so merging the same points again changes nothing.
"""

from collections.abc import Iterable

import numpy as np
import zstandard

Point = tuple[int, float, float, float, float, float]
SCALE = np.array([1, 1000, 1000, 1000, 10, 10])
TWO_BYTES = 0xFFFF
PRESS, OPEN = zstandard.ZstdCompressor(level=9), zstandard.ZstdDecompressor()


def encode(points: Iterable[Point]) -> bytes:
    """Sorted by time, one point for each time. At least one point."""
    rows = [row for _, row in sorted({point[0]: point for point in points}.items())]
    whole = np.rint(np.array(rows, np.float64) * SCALE).astype(np.int64).T
    change = np.diff(whole, axis=1, prepend=0)
    change[0, 1:] = np.diff(change[0, 1:], prepend=0)  # the beat of the clock is nearly constant
    zigzag = ((change << 1) ^ (change >> 63)).astype("<u8")
    if (zigzag[:, 1:] > TWO_BYTES).any():  # a jump, as after a new localisation: keep the wide form
        return b"\1" + PRESS.compress(zigzag.tobytes())
    low = zigzag[:, 1:].astype("<u2")
    planes = np.concatenate([low & 0xFF, low >> 8]).astype("u1")  # high bytes are nearly all zero and press to nothing
    return b"\0" + PRESS.compress(zigzag[:, 0].tobytes() + planes.tobytes())


def decode(data: bytes) -> list[Point]:
    raw, columns = OPEN.decompress(data[1:]), len(SCALE)
    if data[0]:
        zigzag = np.frombuffer(raw, "<u8").reshape(columns, -1)
    else:
        planes = np.frombuffer(raw[8 * columns :], "u1").reshape(2 * columns, -1).astype("<u8")
        first = np.frombuffer(raw[: 8 * columns], "<u8").reshape(columns, 1)
        zigzag = np.concatenate([first, planes[:columns] | planes[columns:] << np.uint64(8)], axis=1)
    change = (zigzag >> np.uint64(1)).astype(np.int64) ^ -(zigzag & np.uint64(1)).astype(np.int64)
    change[0, 1:] = np.cumsum(change[0, 1:])
    whole = np.cumsum(change, axis=1).T
    return [(int(row[0]), *(row[1:] / SCALE[1:]).tolist()) for row in whole]
