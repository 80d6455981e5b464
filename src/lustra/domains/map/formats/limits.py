"""How large a map may be, whatever format it comes in. All of it is judged before the first array is made.

Rule: what a reader needs follows from the cells, so these bounds keep each file within 5 s and 512 MB
(core/files/intake); docs/operate.md names them for people.
"""

import math
from collections.abc import Iterable, Sequence

import msgspec

from lustra.core.errors import Code, Refusal
from lustra.domains.map.formats.marks import Marks

LONGEST_SIDE = 10_000  # cells
MOST_CELLS = LONGEST_SIDE**2  # of a picture with one byte a cell
MOST_COSTLY_CELLS = 25_000_000  # of any other: colours, two bytes, digits, shapes; of all floors of a building together
FAST_FROM = 16_000_000  # cells: from here on packing is quick rather than tight
SMALLEST_CELL = 1e-5  # m
LARGEST_CELL = 100.0  # m
FARTHEST = 1e7  # m: of an origin, and of whatever is drawn
LONGEST_NAME = 200
LONGEST_PLACE = 100
LARGEST_MARKS = 2 << 20  # bytes as JSON
NUL = b"\\u0000"


def refused(reason: str, field: str = "files", **values: object) -> Refusal:
    return Refusal(Code.MAP_REFUSED, field, reason=reason, **values)


def judge_size(width: int, height: int, most: int = MOST_CELLS) -> None:
    """Refuses a picture of more cells than allowed, before one of them is decoded."""
    if width < 1 or height < 1:
        raise refused("map_no_image")
    if width > LONGEST_SIDE or height > LONGEST_SIDE:
        raise refused("map_too_large", width=width, height=height, largest=LONGEST_SIDE)
    if width * height > most:
        raise refused("map_many_cells", cells=width * height, most=most)


def judge_frame(resolution: float, origin: Sequence[float], field: str = "resolution") -> None:
    if not SMALLEST_CELL <= resolution <= LARGEST_CELL:
        raise refused("map_range", field, least=SMALLEST_CELL, most=LARGEST_CELL)
    if not all(abs(value) <= FARTHEST for value in origin):
        raise refused("map_range", "origin", least=-FARTHEST, most=FARTHEST)


def judge_marks(marks: Marks) -> None:
    """What goes into the database and out to everybody's list: finite, within reach, text without NUL, and not vast."""
    if not all(math.isfinite(value) and abs(value) <= FARTHEST for value in _numbers(marks)):
        raise refused("map_range", "marks", least=-FARTHEST, most=FARTHEST)
    data = msgspec.json.encode(marks)
    if len(data) > LARGEST_MARKS:
        raise refused("map_many_marks", "marks", most=f"{LARGEST_MARKS >> 20} MB")
    if NUL in data:
        raise refused("map_broken", "marks")


def judge_names(*names: str) -> None:
    for name in names:
        if len(name) > LONGEST_NAME or "\0" in name:
            raise refused("map_broken", "name")


def _numbers(marks: Marks) -> Iterable[float]:
    for flag in marks.flags:
        yield from (flag.x, flag.y, flag.yaw)
    for shape in [*marks.virtual_walls, *marks.forbidden_zones, *marks.free_areas, *marks.erasers]:
        for point in shape.points:
            yield from point
    for stroke in marks.erasers:
        yield stroke.width
