"""Maps made elsewhere: map_server's yaml with its picture, picked together or in one zip.

Rules: one map at a time; the yaml names its picture (folders in the name do not matter); free, occupied and unknown are
what map_server makes of the pixels (`negate`, `mode`, `occupied_thresh`, `free_thresh`); an archive that climbs out of
its folder or unpacks to more than it may is refused whole.
"""

import io
import math
import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import yaml

from lustra.domains.map import image
from lustra.domains.map.image import refused
from lustra.domains.map.marks import Marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

FREE, OCCUPIED, UNKNOWN = 254, 0, 205
FREE_THRESH, OCCUPIED_THRESH = 0.196, 0.65  # map_server's own defaults
PERCENT = 100
LONGEST_YAML = 64 * 1024
MOST_ENTRIES, LARGEST_ENTRY, LARGEST_ARCHIVE = 200, 256 * 1024 * 1024, 300 * 1024 * 1024
MODES = {"trinary", "scale", "raw"}
NOTES = "annotations.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """A floor as it came: `grid` has its first row at the top, `origin` is the pose of its lower left corner."""

    name: str
    resolution: float
    origin: tuple[float, float, float]
    grid: image.Grey
    marks: Marks = field(default_factory=Marks)
    building: str = ""
    floor: str = ""

    @property
    def area(self) -> float:
        """Free area in m²."""
        return float(np.count_nonzero(self.grid == FREE)) * self.resolution**2


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the yaml says."""

    image: str
    resolution: float
    origin: tuple[float, float, float]
    negate: bool
    mode: str
    occupied: float
    free: float


def parse(files: Mapping[str, bytes]) -> Plan:
    """The one map in these files (name to content)."""
    if len(files) == 1:
        ((_, only),) = files.items()
        if only.startswith(b"PK"):
            files = unpack(only)
    sheets = {name: data for name, data in files.items() if name.lower().endswith((".yaml", ".yml"))}
    if not sheets:
        raise refused("map_no_yaml")
    if len(sheets) > 1:
        raise refused("map_several", count=len(sheets))
    ((name, text),) = sheets.items()
    sheet = read_sheet(text)
    wanted = _last(sheet.image)
    pictures = [data for path, data in files.items() if _last(path) == wanted]
    if not pictures:
        raise refused("map_image_missing", image=sheet.image)
    grid = classify(image.read(pictures[0]), sheet)
    notes = _notes([data for path, data in files.items() if _last(path) == NOTES])
    title = notes.name or PurePosixPath(name).stem
    return Plan(title, sheet.resolution, sheet.origin, grid, notes.marks(), notes.building, notes.floor)


def _last(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower()


class Notes(Marks, kw_only=True):
    """annotations.json of our own bundle: what the yaml has no place for."""

    name: str = ""
    building: str = ""
    floor: str = ""

    def marks(self) -> Marks:
        return msgspec.convert(self, Marks, from_attributes=True)


def _notes(found: list[bytes]) -> Notes:
    try:
        return msgspec.json.decode(found[0], type=Notes) if found else Notes()
    except msgspec.MsgspecError:
        raise refused("map_broken", NOTES) from None


def read_sheet(text: bytes) -> Sheet:
    try:
        told: Any = yaml.safe_load(text[:LONGEST_YAML].decode())
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError):
        raise refused("map_no_yaml") from None
    if not isinstance(told, dict):
        raise refused("map_no_yaml")
    picture = told.get("image")
    if not isinstance(picture, str) or not picture.strip():
        raise refused("map_image_missing", "image", image="")
    resolution = _number(told.get("resolution"))
    if resolution is None or resolution <= 0:
        raise refused("map_no_resolution", "resolution")
    mode = told.get("mode", "trinary")
    if mode not in MODES:
        raise refused("map_broken", "mode")
    occupied = _threshold(told, "occupied_thresh", OCCUPIED_THRESH)
    free = _threshold(told, "free_thresh", min(FREE_THRESH, occupied))
    if free > occupied:
        raise refused("map_broken", "free_thresh")
    return Sheet(picture, resolution, _origin(told.get("origin")), _flag(told.get("negate", 0)), mode, occupied, free)


def _number(told: Any) -> float | None:
    if isinstance(told, bool) or not isinstance(told, int | float | str):
        return None
    try:  # "5e-2" without a dot is text to YAML 1.1
        value = float(told)
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _threshold(told: dict[str, Any], key: str, default: float) -> float:
    value = _number(told.get(key, default))
    if value is None or not 0 <= value <= 1:
        raise refused("map_broken", key)
    return value


def _origin(told: Any) -> tuple[float, float, float]:
    values = [_number(v) for v in told] if isinstance(told, list) and len(told) in {2, 3} else [None]
    x, y, yaw = [*values, 0.0][:3] if len(values) > 1 else (None, None, None)
    if x is None or y is None or yaw is None:
        raise refused("map_broken", "origin")
    return x, y, yaw


def _flag(told: Any) -> bool:
    if told not in (0, 1):  # True and False are 1 and 0
        raise refused("map_broken", "negate")
    return bool(told)


def classify(picture: image.Picture, sheet: Sheet) -> image.Grey:
    """Free, occupied or unknown for each cell. In `raw` mode a pixel is the occupancy in percent itself, over 100 is
    unknown; in `scale` mode what lies between the thresholds is a likelihood: neither sure enough, so unknown."""
    levels = np.arange(256)
    if sheet.mode == "raw":
        occupancy: NDArray[np.float64] = levels / PERCENT
        told = levels <= PERCENT
    else:
        occupancy = (levels if sheet.negate else 255 - levels) / 255
        told = np.ones(256, bool)
    table = np.full(256, UNKNOWN, np.uint8)
    table[told & (occupancy > sheet.occupied)] = OCCUPIED
    table[told & (occupancy < sheet.free)] = FREE
    grid = table[picture.grey]
    if picture.clear is not None:
        grid[picture.clear] = UNKNOWN
    return grid


def unpack(archive: bytes) -> dict[str, bytes]:
    """The archive's files. Every name and size is checked before the first is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            entries = [e for e in opened.infolist() if not e.is_dir()]
            for entry in opened.infolist():
                _inside(entry)
            total = sum(e.file_size for e in entries)
            if (
                len(entries) > MOST_ENTRIES
                or total > LARGEST_ARCHIVE
                or any(e.file_size > LARGEST_ENTRY for e in entries)
            ):
                raise refused("map_archive_large")
            # zipfile stops at the size that the entry declares, so a lie about it ends as a wrong checksum
            return {e.filename: opened.read(e) for e in entries if not _last(e.filename).startswith(("._", "."))}
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError):  # broken, encrypted, exotic
        raise refused("map_archive") from None


def _inside(entry: zipfile.ZipInfo) -> None:
    name = entry.filename.replace("\\", "/")
    drive = len(name) > 1 and name[1] == ":"
    link = stat.S_ISLNK(entry.external_attr >> 16)
    if name.startswith("/") or drive or link or ".." in name.split("/"):
        raise refused("map_archive_outside", name=entry.filename[:200])


def bundle(plan: Plan) -> bytes:
    """The product's own zip: map.yaml, map.pgm and annotations.json. Reading it gives the plan back."""
    height, width = plan.grid.shape
    sheet = {
        "image": "map.pgm", "mode": "trinary", "resolution": plan.resolution, "origin": list(plan.origin),
        "negate": 0, "occupied_thresh": OCCUPIED_THRESH, "free_thresh": FREE_THRESH,
    }  # fmt: skip
    marks = msgspec.structs.asdict(plan.marks)
    notes = Notes(name=plan.name, building=plan.building, floor=plan.floor, **marks)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("map.yaml", yaml.safe_dump(sheet, sort_keys=False))
        archive.writestr("map.pgm", b"P5\n%d %d\n255\n" % (width, height) + plan.grid.tobytes())
        archive.writestr(NOTES, msgspec.json.encode(notes))
    return out.getvalue()
