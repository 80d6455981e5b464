"""The product's own bundle: a zip of map.yaml and map.pgm as map_server reads them, and annotations.json beside them.

Rules: annotations are in metres of the map's frame; checksums tell a bundle that was cut or patched; reading a bundle
and writing it again gives the same bytes, so what two people hold can be compared by a checksum.
"""

import hashlib
import io
import zipfile

import msgspec
import numpy as np
import yaml

from lustra.domains.map.formats.lane_graph import LaneGraph
from lustra.domains.map.formats.limits import FAST_FROM, refused
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.plan import Plan

SHEET = "map.yaml"
PICTURE = "map.pgm"
NOTES = "annotations.json"
VERSION = 2  # 2: hours. A bundle without them stays one of version 1, byte for byte; whoever knows no lanes skips them
# The defaults of map_server.
OCCUPIED_THRESH = 0.65
FREE_THRESH = 0.196
ENTRY_TIME = (1980, 1, 1, 0, 0, 0)  # the oldest time that a zip can tell: when it was written is no part of a map


class Notes(Marks, kw_only=True):
    """annotations.json: what the yaml has no place for. `sha256`: of the files beside it."""

    version: int = 1
    name: str = ""
    building: str = ""
    floor: str = ""
    sha256: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    lane_graph: LaneGraph | msgspec.UnsetType = msgspec.UNSET

    def marks(self) -> Marks:
        return Marks(**{name: getattr(self, name) for name in Marks.__struct_fields__})


def map_server_files(plan: Plan) -> dict[str, bytes]:
    """The two files that any map_server takes."""
    height, width = plan.grid.shape
    cells = np.ascontiguousarray(plan.grid).data.cast("B")
    sheet = {
        "image": PICTURE,
        "mode": "trinary",
        "resolution": plan.resolution,
        "origin": list(plan.origin),
        "negate": 0,
        "occupied_thresh": OCCUPIED_THRESH,
        "free_thresh": FREE_THRESH,
    }
    return {
        SHEET: yaml.safe_dump(sheet, sort_keys=False).encode(),
        PICTURE: b"".join([b"P5\n%d %d\n255\n" % (width, height), cells]),
    }


def pack_zip(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    tight = sum(map(len, files.values())) < FAST_FROM
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=None if tight else 1) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, ENTRY_TIME)
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, None if tight else 1)
    return out.getvalue()


def build_bundle(plan: Plan) -> bytes:
    files = map_server_files(plan)
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    marks = msgspec.structs.asdict(plan.marks)
    version = VERSION if plan.marks.timed else 1
    notes = Notes(
        version=version,
        name=plan.name,
        building=plan.building,
        floor=plan.floor,
        sha256=sums,
        lane_graph=plan.lane_graph or msgspec.UNSET,
        **marks,
    )
    return pack_zip(files | {NOTES: msgspec.json.encode(notes)})


def read_notes(data: bytes, files: dict[str, bytes]) -> Notes:
    """`beside`: the files by their last name."""
    try:
        notes = msgspec.json.decode(data, type=Notes)
    except msgspec.MsgspecError:
        raise refused("map_broken", NOTES) from None
    if notes.version > VERSION:
        raise refused("map_newer", NOTES, version=notes.version)
    for name, expected in notes.sha256.items():
        if hashlib.sha256(files.get(name, b"")).hexdigest() != expected:
            raise refused("map_checksum", name=name[:200])
    return notes
