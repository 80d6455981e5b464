"""How large the pictures of an H264 stream are, as its sequence parameter set says (ITU-T H.264, 7.3.2.1.1)."""

from lustra.video.mp4 import BrokenStream

# Profiles that say how colours are stored.
HIGH_PROFILES = {44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244}
BLOCK = 16  # pictures are made of blocks of so many columns and rows
CHROMA_444 = 3
LONGEST_CODE = 32
LARGEST = 8192


class Bits:
    """Reads one bit after the other. Raises BrokenStream at the end."""

    def __init__(self, data: bytes) -> None:
        self.bits, self.at = "".join(f"{byte:08b}" for byte in data), 0

    def read(self, count: int) -> int:
        if self.at + count > len(self.bits):
            raise BrokenStream("the parameters end too soon")
        self.at += count
        return int(self.bits[self.at - count : self.at] or "0", 2)

    def read_code(self) -> int:
        """Exp-Golomb: as many noughts as digits follow the first one."""
        zeros = 0
        while not self.read(1):
            zeros += 1
            if zeros > LONGEST_CODE:
                raise BrokenStream("no number is so long")
        return (1 << zeros) - 1 + self.read(zeros)

    def read_signed(self) -> int:
        code = self.read_code()
        return (code + 1) // 2 if code % 2 else -(code // 2)


def read_size(parameters: bytes) -> tuple[int, int]:
    """Width and height. `parameters`: a unit of kind 7, its first byte included. Raises BrokenStream."""
    bits = Bits(parameters[1:].replace(b"\0\0\3", b"\0\0"))
    profile = bits.read(8)
    bits.read(16)  # constraints, level
    bits.read_code()  # its number
    chroma = _skip_colours(bits) if profile in HIGH_PROFILES else 1
    bits.read_code()  # of frame numbers
    _skip_sequence(bits)
    bits.read_code()  # pictures that others refer to
    bits.read(1)
    columns, rows = bits.read_code() + 1, bits.read_code() + 1
    progressive = bits.read(1)
    bits.read(1 if progressive else 2)
    left, right, top, bottom = (bits.read_code() for _ in range(4)) if bits.read(1) else (0, 0, 0, 0)
    across, down = {0: (1, 1), 1: (2, 2), 2: (2, 1), CHROMA_444: (1, 1)}.get(chroma, (1, 1))
    fields = 2 - progressive
    width = columns * BLOCK - (left + right) * across
    height = (rows * BLOCK - (top + bottom) * down) * fields
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise BrokenStream("no picture has this size")
    return width, height


def _skip_colours(bits: Bits) -> int:
    """How colours are stored."""
    chroma = bits.read_code()
    if chroma == CHROMA_444:
        bits.read(1)
    bits.read_code()  # depths
    bits.read_code()
    bits.read(1)
    if bits.read(1):
        for number in range(8 if chroma != CHROMA_444 else 12):
            if bits.read(1):
                _skip_scales(bits, 16 if number < 6 else 64)  # noqa: PLR2004  of blocks of 4 by 4, and of 8 by 8
    return chroma


def _skip_scales(bits: Bits, count: int) -> None:
    before = 8
    for _ in range(count):
        before = (before + bits.read_signed()) % 256
        if not before:
            return


def _skip_sequence(bits: Bits) -> None:
    """How the sequence of pictures is coded."""
    kind = bits.read_code()
    if kind == 0:
        bits.read_code()
    elif kind == 1:
        bits.read(1)
        bits.read_signed()
        bits.read_signed()
        for _ in range(min(bits.read_code(), 255)):
            bits.read_signed()
