"""Maps that come from outside: the product's bundle (a zip of map.yaml, its image and annotations.json).

What it holds is checked by its bytes before anything is kept: names that climb out of the folder, bombs, pictures that
are none or too large, a missing resolution. Each refusal is a catalogue key.
"""

import io
import json
import math
import posixpath
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import cv2
import msgspec
import numpy as np

from lustra.protocol.bus import Eraser, Flag, Zone
from lustra.protocol.geometry import beyond
from lustra.protocol.hours import Hours, fault
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.floor import FREE, OCCUPIED, UNKNOWN, Floor

LARGEST_SIDE = 10_000  # cells
LARGEST_BYTES = 256 * 1024 * 1024  # unpacked
LARGEST_TEXT = 4 * 1024 * 1024
MOST_FILES = 16
NEWEST = 2  # version of the annotations
ANNOTATION_FIELDS = (
    "building",
    "floor",
    "virtual_walls",
    "forbidden_zones",
    "free_areas",
    "flags",
    "erasers",
    "hours",
)
BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError)


def bundle_refusal(reason: str, text: str) -> RobotRefusal:
    return RobotRefusal(RelayCode.BAD_INPUT, reason, text, "file")


class Annotations(msgspec.Struct, kw_only=True):
    building: str = ""
    floor: str = ""
    virtual_walls: list[Zone] = []
    forbidden_zones: list[Zone] = []
    free_areas: list[Zone] = []
    flags: list[Flag] = []
    erasers: list[Eraser] = []
    hours: Hours | msgspec.UnsetType = msgspec.UNSET
    version: int = 1


def read_bundle(data: bytes, name: str) -> Floor:
    archive, files = open_archive(data)
    sheet = next((n for n in files if posixpath.basename(n) == "map.yaml"), None)
    if sheet is None:
        raise bundle_refusal("map_no_yaml", "The bundle has no map.yaml")
    folder = posixpath.dirname(sheet)

    def content(entry: str) -> bytes:
        entry = posixpath.join(folder, entry)
        if entry not in files:
            raise bundle_refusal("map_image_missing", "The picture that map.yaml names is missing")
        try:
            return archive.read(files[entry])
        except BROKEN as e:
            raise bundle_refusal("map_archive", "This file is no map bundle") from e

    floor = read_map(content(posixpath.basename(sheet)).decode("utf-8", "replace"), content, name)
    notes = files.get(posixpath.join(folder, "annotations.json"))
    if notes is not None and notes.file_size <= LARGEST_TEXT:
        try:
            annotations = msgspec.json.decode(content("annotations.json"), type=Annotations)
        except msgspec.MsgspecError as e:
            raise bundle_refusal("map_broken", "The marks of the map cannot be read") from e
        if annotations.version > NEWEST:
            raise bundle_refusal("map_newer", "The bundle is of a newer version than this robot reads")
        for key in ANNOTATION_FIELDS:
            setattr(floor, key, getattr(annotations, key))
    return floor


def check_hours(floor: Floor) -> None:
    """Refuses hours that no clock shows."""
    for hours in (floor.hours, *(zone.hours for zone in [*floor.forbidden_zones, *floor.free_areas])):
        if hours and (reason := fault(hours.start, hours.end)):
            raise bundle_refusal(reason, "The hours of a zone are not valid")


def check_marks(floor: Floor) -> Floor:
    """Refused when a mark lies beyond the map's edge, or has hours that are none."""
    check_hours(floor)
    zones = [*floor.virtual_walls, *floor.forbidden_zones, *floor.free_areas, *floor.erasers]
    points = [at for zone in zones for at in zone.points] + [(f.x, f.y) for f in floor.flags]
    if beyond(points, floor.size, floor.origin, floor.resolution):
        raise bundle_refusal("map.beyond_edge", "This lies beyond the map's edge")
    return floor


def open_archive(data: bytes) -> tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]:
    """The archive and its files; names and sizes are looked at before anything is unpacked."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN as e:
        raise bundle_refusal("map_archive", "This file is no map bundle") from e
    files = {i.filename: i for i in archive.infolist() if not i.is_dir()}
    for entry in files:
        if entry.startswith(("/", "\\")) or ".." in entry.replace("\\", "/").split("/") or ":" in entry:
            raise bundle_refusal("map_archive_outside", "A name in the zip leads out of its folder")
    if len(files) > MOST_FILES or sum(i.file_size for i in files.values()) > LARGEST_BYTES:
        raise bundle_refusal("map_too_large", "The map is too large")
    return archive, files


def parse_yaml(text: str) -> dict[str, Any]:
    """map_server's yaml is flat: `key: value` lines; a list stands in brackets or below its key, a dash a line."""
    out: dict[str, Any] = {}
    last = ""
    for line in text[:LARGEST_TEXT].splitlines():
        bare = line.split("#")[0].strip()
        if bare.startswith("- ") and isinstance(out.get(last), list):
            out[last].append(parse_scalar(bare[2:].strip()))
            continue
        key, colon, value = bare.partition(":")
        if colon and key.strip():
            last = key.strip()
            out[last] = parse_scalar(value.strip()) if value.strip() else []
    return out


def parse_scalar(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value.strip("'\"")


def parse_numbers(value: Any, count: int) -> list[float] | None:
    if not isinstance(value, list) or len(value) < count:
        return None
    try:
        parsed = [float(v) for v in value]
    except (TypeError, ValueError):
        return None
    return parsed if all(math.isfinite(v) for v in parsed) else None


def parse_number(value: Any, default: float) -> float:
    try:
        parsed = float(value)
    except (TypeError, ValueError):
        return default
    return parsed if math.isfinite(parsed) else default


def read_map(text: str, content: Callable[[str], bytes], name: str) -> Floor:
    """A floor from map_server's yaml and its picture, read as map_server reads it."""
    sheet = parse_yaml(text)
    resolution = parse_number(sheet.get("resolution"), 0.0)
    if resolution <= 0:
        raise bundle_refusal("map_no_resolution", "The map has no resolution")
    origin = parse_numbers(sheet.get("origin", [0, 0, 0]), 2)
    if origin is None:
        raise bundle_refusal("map_broken", "The map's origin cannot be read")
    picture = decode_picture(content(str(sheet.get("image", "map.pgm"))))
    levels = np.arange(256)
    dark = (levels if parse_number(sheet.get("negate"), 0) else 255 - levels) / 255
    occupied, free = parse_number(sheet.get("occupied_thresh"), 0.65), parse_number(sheet.get("free_thresh"), 0.25)
    table = np.full(256, UNKNOWN, np.uint8)
    table[dark > occupied] = OCCUPIED
    table[dark < free] = FREE
    grid = table[picture]
    return Floor(name, np.flipud(grid).copy(), resolution, (origin[0], origin[1], (*origin, 0.0)[2]))


def decode_picture(data: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A grey picture. Its head is read first, so that a small file cannot ask for a huge grid."""
    size = picture_size(data)
    if size is None:
        raise bundle_refusal("map_no_image", "The map's picture is no image")
    if max(size) > LARGEST_SIDE:
        raise bundle_refusal("map_too_large", "The map is too large")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        raise bundle_refusal("map_no_image", "The map's picture is no image")
    return picture.astype(np.uint8)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height by the head of a PNG or a PGM."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 24:  # noqa: PLR2004  (the head's length)
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] in {b"P5", b"P2"}:
        words: list[bytes] = []
        for line in data[2:4096].splitlines():
            words += line.split(b"#")[0].split()
            if len(words) >= 3:  # noqa: PLR2004  (width, height, largest value)
                break
        if len(words) >= 2 and all(w.isdigit() for w in words[:2]):  # noqa: PLR2004  (width and height)
            return int(words[0]), int(words[1])
    return None
