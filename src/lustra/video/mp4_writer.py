"""Fragmented MP4 of one H264 track, written: its description, and a fragment a picture (ISO/IEC 14496-12, -15)."""

import struct

from lustra.video.mp4 import HEAD, NOT_KEY

TICKS = 90_000  # a second
# Of a picture, as long as nobody knows when the next one comes: players leave out what comes later than twice this.
DURATION = TICKS // 2
MATRIX = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
DOTS = 0x480000  # an inch, 72
KEY = 0x02000000
UNDETERMINED = 0x55C4  # language


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", HEAD + len(body), kind) + body


def words(*numbers: int) -> bytes:
    """Of four bytes each."""
    return struct.pack(f">{len(numbers)}I", *numbers)


def write_init(size: tuple[int, int], sequence: bytes, picture: bytes) -> bytes:
    """`size`: width and height. `sequence`, `picture`: the parameter sets, without start codes."""
    header = box(b"mvhd", words(0, 0, 0, TICKS, 0, 0x10000, 0x1000000, 0, 0), MATRIX, words(0, 0, 0, 0, 0, 0, 2))
    extends = box(b"mvex", box(b"trex", words(0, 1, 1, 0, 0, 0)))
    ftyp = box(b"ftyp", b"isom", words(512), b"isomiso6avc1mp41")
    return ftyp + box(b"moov", header, _write_track(size, sequence, picture), extends)


def _write_track(size: tuple[int, int], sequence: bytes, picture: bytes) -> bytes:
    width, height = size
    decoder = box(
        b"avcC",
        b"\1" + sequence[1:4] + b"\xff\xe1",
        struct.pack(">H", len(sequence)) + sequence,
        struct.pack(">BH", 1, len(picture)) + picture,
    )
    entry = struct.pack(">6xH16x2H3IH32x2H", 1, width, height, DOTS, DOTS, 0, 1, 24, 0xFFFF)
    table = box(
        b"stbl",
        box(b"stsd", words(0, 1), box(b"avc1", entry, decoder)),
        *(box(kind, words(0, 0)) for kind in (b"stts", b"stsc", b"stco")),
        box(b"stsz", words(0, 0, 0)),
    )
    place = box(b"dinf", box(b"dref", words(0, 1), box(b"url ", words(1))))
    media = box(
        b"mdia",
        box(b"mdhd", words(0, 0, 0, TICKS, 0), struct.pack(">2H", UNDETERMINED, 0)),
        box(b"hdlr", words(0, 0), b"vide", words(0, 0, 0), b"Camera\0"),
        box(b"minf", box(b"vmhd", words(1, 0, 0)), place, table),
    )
    head = words(3, 0, 0, 1, 0, 0, 0, 0, 0, 0) + MATRIX + words(width << 16, height << 16)
    return box(b"trak", box(b"tkhd", head), media)


def write_fragment(number: int, time: int, picture: bytes, *, key: bool) -> bytes:
    """`number`: of the fragment, from 1. `picture`: its units, each after its length in four bytes."""
    flags = KEY if key else NOT_KEY | KEY >> 1

    def moof(offset: int) -> bytes:
        run = box(b"trun", words(0x701, 1, offset, DURATION, len(picture), flags))
        time_box = box(b"tfdt", words(1 << 24) + struct.pack(">Q", time))
        return box(
            b"moof", box(b"mfhd", words(0, number)), box(b"traf", box(b"tfhd", words(0x20000, 1)), time_box, run)
        )

    return moof(len(moof(0)) + HEAD) + box(b"mdat", picture)
