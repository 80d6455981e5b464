"""Pictures of H264 out of fragmented MP4, as WebRTC packs them: between start codes, those of a key frame with what a
decoder needs before them. Nothing is decoded.
"""

from collections.abc import Iterator

from lustra.video.mp4 import FULL, BrokenStream, Fragment, Init, find, number

START = b"\0\0\0\1"
DURATION, SIZE, FLAGS, OFFSET = 0x100, 0x200, 0x400, 0x800  # of each sample, in the flags of a box `trun`
DATA_OFFSET, FIRST_FLAGS = 0x1, 0x4  # of the run
DEFAULT_SIZE = 0x10  # in the flags of a box `tfhd`
MOST_PICTURES = 1000  # of a fragment: a minute and more
MOST_UNITS = 200  # of a picture: its slices, and some more


def list_units(picture: bytes) -> list[bytes]:
    """What stands between start codes."""
    units = picture.replace(START, START[1:]).split(START[1:])
    return [unit for unit in units if unit]


def read_parameters(init: Init) -> bytes:
    """Sequence and picture parameter sets of the track, between start codes."""
    at = init.coder + 5  # version, profile, compatibility, level, bytes of a length
    sets = b""
    for mask in (0x1F, 0xFF):
        count, at = number(init.data, at, 1) & mask, at + 1
        for _ in range(count):
            size = number(init.data, at, 2)
            sets, at = sets + START + init.data[at + 2 : at + 2 + size], at + 2 + size
    return sets


def read_pictures(fragment: Fragment, init: Init) -> list[bytes]:
    """Raises BrokenStream: its sizes do not fit."""
    start, end = find(fragment.data, b"mdat")
    bytes_of_length = (number(init.data, init.coder + 4, 1) & 3) + 1
    pictures: list[bytes] = []
    for size in _sizes(fragment.data, end - start):
        if start + size > end:
            raise BrokenStream("a picture is longer than its fragment")
        pictures.append(b"".join(_units(fragment.data[start : start + size], bytes_of_length)))
        start += size
    if fragment.key and pictures:
        pictures[0] = read_parameters(init) + pictures[0]
    return pictures


def _sizes(data: bytes, whole: int) -> Iterator[int]:
    """Bytes of each sample; `whole`: of all of them."""
    run = find(data, b"moof", b"traf", b"trun")[0]
    flags, count, at = number(data, run) & 0xFFFFFF, number(data, run + FULL), run + FULL + 4
    at += 4 * sum(bool(flags & bit) for bit in (DATA_OFFSET, FIRST_FLAGS))
    fields = [bit for bit in (DURATION, SIZE, FLAGS, OFFSET) if flags & bit]
    if count > MOST_PICTURES:
        raise BrokenStream("no fragment has so many pictures")
    if count == 1:
        yield whole
    elif SIZE in fields:
        yield from (number(data, at + 4 * (len(fields) * each + fields.index(SIZE))) for each in range(count))
    else:
        yield from [_default_size(data)] * count


def _default_size(data: bytes) -> int:
    header = find(data, b"moof", b"traf", b"tfhd")[0]
    flags, at = number(data, header) & 0xFFFFFF, header + FULL + 4
    if not flags & DEFAULT_SIZE:
        raise BrokenStream("pictures without their sizes")
    return number(data, at + 8 * (flags & 1) + 4 * sum(bool(flags & bit) for bit in (2, 8)))


def _units(picture: bytes, bytes_of_length: int) -> Iterator[bytes]:
    """What stood after its length, after a start code."""
    at = count = 0
    while at + bytes_of_length <= len(picture):
        count += 1
        if count > MOST_UNITS:
            raise BrokenStream("no picture has so many units")
        size = number(picture, at, bytes_of_length)
        at += bytes_of_length
        if at + size > len(picture):
            raise BrokenStream("a unit is longer than its picture")
        yield START + picture[at : at + size]
        at += size
