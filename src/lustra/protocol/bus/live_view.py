"""What a robot shows while somebody watches it: scan, path and cleaned cells."""

import base64
import zlib
from typing import Annotated

import msgspec
from msgspec import Meta

from lustra.protocol.telemetry import Payload


class Mask(msgspec.Struct, kw_only=True):
    """A rectangle of a map's grid in which some cells are set. Its bits run row by row from the lowest row, each row
    padded to a byte, most significant bit first (numpy.packbits), compressed by zlib, in base64."""

    width: Annotated[int, Meta(description="Number of columns.")]
    height: Annotated[int, Meta(description="Number of rows.")]
    data: Annotated[str, Meta(description="The bits: packed, zlib, base64.")]
    column: Annotated[int, Meta(description="Its first column in the map's grid, from the left.")] = 0
    row: Annotated[int, Meta(description="Its first row in the map's grid, from the bottom.")] = 0

    def bits(self) -> bytes:
        """Raises ValueError where the data is not what the size says, without unpacking more than that."""
        size = self.height * -(-self.width // 8)
        unpacker = zlib.decompressobj()
        try:
            bits = unpacker.decompress(base64.b64decode(self.data), size + 1)
        except zlib.error as why:
            raise ValueError(str(why)) from why
        if len(bits) != size:
            raise ValueError(f"{len(bits)} bytes, not {size}")
        return bits

    @classmethod
    def pack(cls, width: int, height: int, bits: bytes, column: int = 0, row: int = 0) -> "Mask":
        data = base64.b64encode(zlib.compress(bits, 6)).decode()
        return cls(width=width, height=height, data=data, column=column, row=row)


class Lidar(Payload):
    """One scan. Ray number i points to `yaw` + `first` + i * `step`."""

    x: Annotated[float, Meta(description="Position of the sensor in the map's frame, m.")]
    y: Annotated[float, Meta(description="Position of the sensor in the map's frame, m.")]
    yaw: Annotated[float, Meta(description="Direction of the sensor, rad.")]
    first: Annotated[float, Meta(description="Angle of the first ray from that direction, rad.")]
    step: Annotated[float, Meta(description="Angle from one ray to the next, rad.")]
    ranges: Annotated[list[float], Meta(description="Range of each ray, m; 0: no echo.")]


class Path(Payload):
    """Where the robot is going, and where it drove in this run. Both are flat lists: x0, y0, x1, y1 …"""

    run: Annotated[str, Meta(description="Id of the run; empty: no run.")]
    ahead: Annotated[list[float], Meta(description="Points that it will drive through, m: x0, y0, x1, y1 …")]
    driven: Annotated[list[float], Meta(description="Points that it drove through in this run, thinned, m.")]


class Cells(Payload):
    """Cleaned cells of a run: all of them (`full`), or those added since the last message (`spans`). Whoever misses a
    `seq` requests all of them by watching again."""

    run: Annotated[str, Meta(description="Id of the run.")]
    seq: Annotated[int, Meta(description="Grows by 1 with each message of a run.")]
    full: Annotated[Mask | None, Meta(description="All cleaned cells; null: only those of `spans` are new.")] = None
    spans: Annotated[list[int], Meta(description="Added cells: row, first column, length, and so on.")] = msgspec.field(
        default_factory=list[int]
    )
