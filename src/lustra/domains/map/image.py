"""Pictures of floors as arrays: PGM (P2, P5) and PNG, grey, first row at the top.

Rules: size and kind are told by the bytes, never by the name, and the size is checked before a pixel is decoded; what
is transparent is unknown.
"""

import io
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from lustra.core.errors import Code, Refusal

Grey = NDArray[np.uint8]
LARGEST = 10_000  # cells along one side
Image.MAX_IMAGE_PIXELS = LARGEST * LARGEST
PNG = b"\x89PNG\r\n\x1a\n"
PGM = {b"P2", b"P5"}
HEADER = re.compile(rb"P[25]" + rb"(?:\s|#[^\n]*\n)+(\d+)" * 3 + rb"(?:\s*#[^\n]*\n|\s)")
ONE_BYTE, TWO_BYTES = 0xFF, 0xFFFF


def refused(reason: str, field: str = "files", **values: object) -> Refusal:
    return Refusal(Code.MAP_REFUSED, field, reason=reason, **values)


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


def fitting(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise refused("map_no_image")
    if width > LARGEST or height > LARGEST:
        raise refused("map_too_large", width=width, height=height, largest=LARGEST)


def _pgm(data: bytes) -> Grey:
    head = HEADER.match(data)
    if not head:
        raise refused("map_no_image")
    width, height, white = map(int, head.groups())
    fitting(width, height)
    if not 0 < white <= TWO_BYTES:
        raise refused("map_no_image")
    cells = _plain(data[head.end() :]) if data[:2] == b"P2" else _raw(data[head.end() :], white)
    if len(cells) < width * height:
        raise refused("map_no_image")
    cells = cells[: width * height].reshape(height, width)
    if white == ONE_BYTE:
        return cells.astype(np.uint8)
    return np.rint(np.minimum(cells, white) * (ONE_BYTE / white)).astype(np.uint8)


def _plain(body: bytes) -> NDArray[Any]:
    body = re.sub(rb"#[^\n]*", b"", body)
    if re.search(rb"[^\d\s]|\d{6}", body):
        raise refused("map_no_image")
    return np.fromstring(body, np.int32, sep=" ")  # text needs no list of 100 million objects


def _raw(body: bytes, white: int) -> NDArray[Any]:
    kind = np.dtype(">u2" if white > ONE_BYTE else "u1")
    return np.frombuffer(body[: len(body) // kind.itemsize * kind.itemsize], kind)


def _png(data: bytes) -> Picture:
    fitting(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as opened:
            if opened.mode.startswith("I"):  # 16 bits
                return Picture((np.asarray(opened).astype(np.uint32) >> 8).astype(np.uint8))
            with_clear = opened.mode in {"LA", "PA", "RGBA"} or "transparency" in opened.info
            grey = np.asarray(opened.convert("RGB").convert("L"))
            clear = np.asarray(opened.convert("RGBA"))[:, :, 3] == 0 if with_clear else None
            return Picture(grey, clear)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise refused("map_no_image") from None


def write(grid: Grey) -> bytes:
    out = io.BytesIO()
    Image.fromarray(grid).save(out, "PNG", compress_level=6)
    return out.getvalue()
