"""How long a video is, by what stands in its own head: MP4 (mvhd) and WebM (Duration of the segment)."""

import struct
from pathlib import Path

HEAD = 1 << 20  # bytes in which it is looked for; of an MP4 with its head at the end, the last ones as well
TICKS = b"\x2a\xd7\xb1"  # TimecodeScale, ns
DURATION = b"\x44\x89"
USUAL_TICKS = 1_000_000


def read_length(path: Path) -> float:
    """Seconds; 0: it does not say."""
    with path.open("rb") as file:
        head = file.read(HEAD)
        file.seek(max(0, path.stat().st_size - HEAD))
        data = head + file.read(HEAD)
    try:
        seconds = _of_mp4(data) if head[4:8] == b"ftyp" else _of_webm(head)
    except (struct.error, ZeroDivisionError):
        return 0.0
    return seconds if 0 < seconds < 24 * 3600 else 0.0


def _of_mp4(data: bytes) -> float:
    at = data.find(b"mvhd")
    if at < 0:
        return 0.0
    if data[at + 4]:
        ticks, length = struct.unpack_from(">IQ", data, at + 24)
    else:
        ticks, length = struct.unpack_from(">II", data, at + 16)
    return length / ticks


def _of_webm(data: bytes) -> float:
    at = data.find(DURATION)
    if at < 0:
        return 0.0
    size = data[at + 2] & 0x7F
    (length,) = struct.unpack_from(">d" if size == struct.calcsize(">d") else ">f", data, at + 3)
    scale = data.find(TICKS)
    ticks = int.from_bytes(data[scale + 4 : scale + 4 + (data[scale + 3] & 0x7F)], "big") if scale >= 0 else 0
    return length * (ticks or USUAL_TICKS) / 1e9
