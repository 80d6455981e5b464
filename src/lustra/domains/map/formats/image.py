"""Pictures of floors as arrays: PGM (P2, P5) and PNG, grey, first row at the top.

Rules: size and kind are read from the bytes, never from the name, and the size is checked before a pixel is decoded;
what is transparent is unknown.
"""

import io
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from lustra.domains.map.formats.limits import FAST_FROM, MOST_CELLS, MOST_COSTLY_CELLS, judge_size, refused

Grey = NDArray[np.uint8]
Image.MAX_IMAGE_PIXELS = MOST_CELLS
PNG = b"\x89PNG\r\n\x1a\n"
PGM = {b"P2", b"P5"}
HEAD = 4096  # bytes that a PGM's header may take, comments and all
HEADER = re.compile(rb"P[25]" + rb"(?:\s|#[^\n]*\n)+(\d{1,9})" * 3 + rb"(?:\s*#[^\n]*\n|\s)")
ONE_BYTE = 0xFF
TWO_BYTES = 0xFFFF
STRIP = 256  # rows at a time: a table is looked up with indices of eight bytes
PLAIN_MODES = {"1", "L", "P"}  # of one byte a cell once decoded
TRANSPARENT_MODES = {"LA", "PA", "RGBA"}
WORD_MODES = {"I", "I;16", "I;16B"}


@dataclass(frozen=True, slots=True)
class Picture:
    """Brightness from 0 to 255, and where the picture is transparent."""

    grey: Grey
    clear: NDArray[np.bool_] | None = None


def is_picture(data: bytes) -> bool:
    return data.startswith(PNG) or data[:2] in PGM


def read(data: bytes) -> Picture:
    if data.startswith(PNG):
        return _png(data)
    if data[:2] in PGM:
        return Picture(_pgm(data))
    raise refused("map_no_image")


def _pgm(data: bytes) -> Grey:
    head = HEADER.match(data[:HEAD])
    if not head:
        raise refused("map_no_image")
    width, height, white = map(int, head.groups())
    text = data[:2] == b"P2"
    judge_size(width, height, MOST_COSTLY_CELLS if text or white > ONE_BYTE else MOST_CELLS)
    if not 0 < white <= TWO_BYTES:
        raise refused("map_no_image")
    cells = _plain(data[head.end() :]) if text else _raw(memoryview(data)[head.end() :], white)
    if len(cells) < width * height:
        raise refused("map_no_image")
    cells = cells[: width * height].reshape(height, width)
    if white == ONE_BYTE and cells.dtype == np.uint8:
        return cells
    levels = np.minimum(np.arange(TWO_BYTES + 1), white) * (ONE_BYTE / white)
    return look_up(np.rint(levels).astype(np.uint8), cells)


def look_up(table: Grey, cells: NDArray[Any]) -> Grey:
    grey = np.empty(cells.shape, np.uint8)
    for row in range(0, len(cells), STRIP):
        grey[row : row + STRIP] = table[cells[row : row + STRIP]]
    return grey


def _plain(body: bytes) -> NDArray[Any]:
    body = re.sub(rb"#[^\n]*", b"", body)
    if re.search(rb"[^\d\s]|\d{6}", body):
        raise refused("map_no_image")
    cells = np.fromstring(body, np.int32, sep=" ")  # text needs no list of 25 million objects
    return np.minimum(cells, TWO_BYTES, out=cells)


def _raw(body: memoryview, white: int) -> NDArray[Any]:
    kind = np.dtype(">u2" if white > ONE_BYTE else "u1")
    return np.frombuffer(body[: len(body) // kind.itemsize * kind.itemsize], kind)


def _png(data: bytes) -> Picture:
    judge_size(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as opened:  # reads headers alone; a second one is judged too
            with_clear = opened.mode in TRANSPARENT_MODES or "transparency" in opened.info
            costly = with_clear or opened.mode not in PLAIN_MODES
            judge_size(*opened.size, MOST_COSTLY_CELLS if costly else MOST_CELLS)
            if opened.mode in WORD_MODES:
                return Picture((np.asarray(opened) >> 8).astype(np.uint8))
            if not with_clear:
                return Picture(np.asarray(opened.convert("L")))
            whole = opened.convert("RGBA")
            return Picture(np.asarray(whole.convert("L")), np.asarray(whole.getchannel("A")) == 0)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise refused("map_no_image") from None


def write(grid: Grey) -> bytes:
    out = io.BytesIO()
    Image.fromarray(grid).save(out, "PNG", compress_level=level(grid))
    return out.getvalue()


def level(grid: Grey) -> int:
    """The level of PNG compression: a large picture is packed quickly rather than tightly."""
    return 6 if grid.size < FAST_FROM else 1
