"""Fragmented MP4, as far as passing it on and cutting it needs: boxes, key frames, times. Nothing is decoded.

Rule: one track of H264; what is larger than a picture may be, or is no such stream, is refused.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from lustra.protocol.video import PRIVATE

LARGEST_INIT = 64 << 10
LARGEST_FRAGMENT = 4 << 20
HEAD = 8  # bytes of a box before its content
FOURCC = 4  # of these, the kind
FULL = 4  # version and flags, of what some hold
NOT_KEY = 0x10000  # of a sample's flags
Span = tuple[int, int]


class BrokenStream(Exception):
    """These bytes are no fragmented MP4 of one H264 track."""


@dataclass(frozen=True, slots=True)
class Init:
    """What a player needs before the first fragment. `ticks` a second; `flags` of a sample where it has none. `coder`:
    place of what the box avcC holds."""

    data: bytes
    codec: str
    ticks: int
    flags: int
    coder: int = 0


@dataclass(frozen=True, slots=True)
class Fragment:
    """Some pictures. `time`: of the first, in ticks, which stands at `time_at` in `time_size` bytes."""

    data: bytes
    key: bool
    time: int
    time_at: int
    time_size: int

    def moved(self, ticks: int) -> bytes:
        """The same, so much earlier."""
        data = bytearray(self.data)
        data[self.time_at : self.time_at + self.time_size] = (self.time - ticks).to_bytes(self.time_size, "big")
        return bytes(data)


def children(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Kind, start and end of the content of each box between two places."""
    while start + HEAD <= end:
        size = int.from_bytes(data[start : start + 4], "big")
        if size < HEAD or start + size > end:
            raise BrokenStream("a box is longer than what it lies in")
        yield data[start + 4 : start + HEAD], start + HEAD, start + size
        start += size


def find(data: bytes, *path: bytes) -> Span:
    """Start and end of the content of the only box with that path."""
    start, end = 0, len(data)
    for kind in path:
        spans = [(first, last) for each, first, last in children(data, start, end) if each == kind]
        if len(spans) != 1:
            raise BrokenStream(f"{len(spans)} boxes {kind.decode()}")
        start, end = spans[0]
    return start, end


def number(data: bytes | bytearray, at: int, size: int = 4) -> int:
    return int.from_bytes(data[at : at + size], "big")


def read_init(data: bytes) -> Init:
    """`data`: the boxes ftyp and moov."""
    header = find(data, b"moov", b"trak", b"mdia", b"mdhd")[0]
    ticks = number(data, header + (20 if data[header] else 12))
    defaults = find(data, b"moov", b"mvex", b"trex")[0]
    entries = find(data, b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd")[0]
    coder = data.find(b"avcC", entries)
    if coder < 0 or not ticks:
        raise BrokenStream("the track is no H264")
    codec = f"avc1.{data[coder + 5 : coder + 8].hex()}"
    return Init(data, codec, ticks, number(data, defaults + FULL + 16), coder + FOURCC)


def read_fragment(data: bytes, init: Init) -> Fragment:
    """`data`: the boxes moof and mdat."""
    time_start = find(data, b"moof", b"traf", b"tfdt")[0]
    size = 8 if data[time_start] else 4
    at = time_start + FULL
    return Fragment(data, not _first_flags(data, init) & NOT_KEY, number(data, at, size), at, size)


def _first_flags(data: bytes, init: Init) -> int:
    """Of the first sample: its own, the fragment's, or the track's."""
    run = find(data, b"moof", b"traf", b"trun")[0]
    flags, at = number(data, run) & 0xFFFFFF, run + FULL + 4
    at += 4 if flags & 1 else 0
    if flags & 4:
        return number(data, at)
    if flags & 0x400:
        return number(data, at + (4 if flags & 0x100 else 0) + (4 if flags & 0x200 else 0))
    header = find(data, b"moof", b"traf", b"tfhd")[0]
    flags, at = number(data, header) & 0xFFFFFF, header + FULL + 4
    if not flags & 0x20:
        return init.flags
    return number(data, at + 8 * (flags & 1) + 4 * sum(bool(flags & bit) for bit in (2, 8, 0x10)))


@dataclass
class Reader:
    """Bytes in, as they come; whole fragments out."""

    init: Init | None = None
    private: bool = False  # the robot has said that its pictures pause, for it stands in a marked room
    rest: bytearray = field(default_factory=bytearray)
    head: bytes = b""  # what comes before the box that would make it whole: ftyp, or a moof

    def feed(self, data: bytes) -> list[Fragment]:
        self.rest += data
        fragments: list[Fragment] = []
        while (box := self._box()) is not None:
            kind = box[4:HEAD]
            if kind in {b"ftyp", b"moof"}:
                self.head = box
            elif kind == b"moov":
                self.init = read_init(self.head + box)
            elif kind == b"skip":
                self.private = self.private or box[HEAD:] == PRIVATE
            elif kind == b"mdat":
                if self.init is None:
                    raise BrokenStream("pictures before their description")
                self.private = False
                fragments.append(read_fragment(self.head + box, self.init))
        return fragments

    def _box(self) -> bytes | None:
        """The next whole one."""
        if len(self.rest) < HEAD:
            return None
        size = number(self.rest, 0)
        if not HEAD <= size <= (LARGEST_FRAGMENT if self.init else LARGEST_INIT):
            raise BrokenStream("no box has this size")
        if len(self.rest) < size:
            return None
        box = bytes(self.rest[:size])
        del self.rest[:size]
        return box


def index(ticks: int, first_offset: int, groups: list[tuple[int, int]]) -> bytes:
    """A box `sidx`: bytes and ticks of each group of pictures that begins with a key frame. Players seek by it."""
    body = struct.pack(">IIIIIHH", 0, 1, ticks, 0, first_offset, 0, len(groups))
    body += b"".join(struct.pack(">III", size, length, 0x90000000) for size, length in groups)
    return struct.pack(">I4s", HEAD + len(body), b"sidx") + body


def read_index(data: bytes) -> list[tuple[int, int]]:
    """Bytes and ticks of each group, as `index` wrote them."""
    start, _ = find(data, b"sidx")
    entries = range(start + 24, start + 24 + 12 * number(data, start + 22, 2), 12)
    return [(number(data, at), number(data, at + 4)) for at in entries]


def free(size: int) -> bytes:
    """A box that says nothing."""
    return struct.pack(">I4s", size, b"free") + bytes(size - HEAD)
