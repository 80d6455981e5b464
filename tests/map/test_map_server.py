"""A map made elsewhere becomes free, occupied and unknown cells, or is refused with the reason."""

import io
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lustra.core.errors import Code, Refusal
from lustra.domains.map.formats import detection
from lustra.domains.map.formats.bundle import build_bundle
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.protocol.bus import Flag, Zone

YAML = b"""image: floor.pgm
resolution: 0.05
origin: [-1.5, -2.5, 0.1]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""
PGM = b"P5\n# a comment\n3 2\n# and another\n255\n" + bytes([254, 0, 205, 0, 254, 254])


def parse(files: Any) -> Plan:
    (plan,) = detection.read_plans(files)
    return plan


def reason(**files: bytes) -> str:
    with pytest.raises(Refusal) as refused:
        parse({name.replace("_", "."): data for name, data in files.items()})
    assert refused.value.code == Code.MAP_REFUSED
    return refused.value.reason


def test_yaml_and_pgm_picked_together():
    plan = parse({"Second floor.yaml": YAML, "floor.pgm": PGM})
    assert plan.name == "Second floor"
    assert plan.origin == (-1.5, -2.5, 0.1)
    assert plan.grid.tolist() == [[FREE, OCCUPIED, UNKNOWN], [OCCUPIED, FREE, FREE]]
    assert plan.area == pytest.approx(3 * 0.05**2)


def test_read_a_map_from_a_zip_with_folders():
    plan = parse({"upload.zip": folder()})
    assert plan.grid.shape == (2, 3)


def folder() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("site/floor.yaml", YAML.replace(b"floor.pgm", b"/home/robot/maps/floor.pgm"))
        archive.writestr("site/floor.pgm", PGM)
        archive.writestr("__MACOSX/site/._floor.yaml", b"\0\5")
    return out.getvalue()


def test_plain_pgm_with_comments_in_its_body():
    plain = b"P2 # plain\n3 2\n15\n15 0 12 # first row\n0 15 15\n"
    assert parse({"a.yaml": YAML, "floor.pgm": plain}).grid.tolist()[1] == [OCCUPIED, FREE, FREE]


def test_sixteen_bits():
    deep = b"P5 3 2 65535\n" + np.array([65278, 0, 52685, 0, 65278, 65278], ">u2").tobytes()
    assert (
        parse({"a.yaml": YAML, "floor.pgm": deep}).grid.tolist()
        == parse({"a.yaml": YAML, "floor.pgm": PGM}).grid.tolist()
    )


def test_negate_turns_black_into_free():
    plan = parse({"a.yaml": YAML.replace(b"negate: 0", b"negate: 1"), "floor.pgm": PGM})
    assert plan.grid.tolist()[0] == [OCCUPIED, FREE, OCCUPIED]


def test_raw_mode_reads_occupancy_in_percent():
    raw = b"P5 3 2 255\n" + bytes([0, 100, 255, 50, 10, 66])
    plan = parse({"a.yaml": YAML + b"mode: raw\n", "floor.pgm": raw})
    assert plan.grid.tolist() == [[FREE, OCCUPIED, UNKNOWN], [UNKNOWN, FREE, OCCUPIED]]


def test_scale_mode_keeps_what_is_unsure_unknown_and_transparent_is_unknown():
    shades = Image.new("LA", (3, 1))
    shades.putdata([(255, 255), (0, 255), (255, 0)])
    out = io.BytesIO()
    shades.save(out, "PNG")
    plan = parse({"a.yaml": YAML.replace(b"pgm", b"png") + b"mode: scale\n", "floor.png": out.getvalue()})
    assert plan.grid.tolist() == [[FREE, OCCUPIED, UNKNOWN]]


def test_our_own_bundle_comes_back_as_it_was():
    marks = Marks(flags=[Flag(name="Dock", type="charging", x=1, y=2)], virtual_walls=[Zone(points=[(0, 0), (1, 1)])])
    plan = parse({"floor.yaml": YAML, "floor.pgm": PGM})
    again = parse({"b.zip": build_bundle(type(plan)(plan.name, plan.resolution, plan.origin, plan.grid, marks))})
    assert again.grid.tolist() == plan.grid.tolist()
    assert (again.origin, again.resolution, again.marks) == (plan.origin, plan.resolution, marks)


def test_refuse_a_map_that_is_no_image():
    assert reason(a_yaml=YAML, floor_pgm=b"GIF89a......") == "map_no_image"
    assert reason(a_yaml=YAML, floor_pgm=b"P5 3 2 255\n\0") == "map_no_image"  # too short
    assert reason(a_yaml=YAML, floor_pgm=b"P2 3 2 255\n1 2 3 x 5 6") == "map_no_image"
    assert reason(a_yaml=YAML, floor_pgm=b"P5 0 2 255\n\0") == "map_no_image"
    assert reason(a_yaml=YAML, floor_pgm=b"\x89PNG\r\n\x1a\nnothing more of it at all") in {
        "map_no_image",
        "map_too_large",
    }


def test_a_picture_that_is_too_large_is_refused_before_it_is_decoded():
    assert reason(a_yaml=YAML, floor_pgm=b"P5 10001 10 255\n") == "map_too_large"
    head = b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR" + (50_000).to_bytes(4, "big") * 2
    assert reason(a_yaml=YAML, floor_pgm=head) == "map_too_large"


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        (b"image: floor.pgm\norigin: [0, 0, 0]\n", "map_no_resolution"),
        (YAML.replace(b"0.05", b"0"), "map_no_resolution"),
        (YAML.replace(b"0.05", b".inf"), "map_no_resolution"),
        (YAML.replace(b"[-1.5, -2.5, 0.1]", b"[1]"), "map_broken"),
        (YAML.replace(b"negate: 0", b"negate: 7"), "map_broken"),
        (YAML.replace(b"0.65", b"65"), "map_broken"),
        (YAML.replace(b"0.65", b"0.1"), "map_broken"),
        (YAML + b"mode: magic\n", "map_broken"),
        (b"[" * 5000, "map_yaml_vast"),
        (b"just text", "map_no_yaml"),
        (b"\xff\xfe", "map_no_yaml"),
        (YAML.replace(b"floor.pgm", b"other.pgm"), "map_image_missing"),
        (YAML.replace(b"image: floor.pgm\n", b""), "map_image_missing"),
    ],
)
def test_a_sheet_that_does_not_tell_what_is_needed_is_refused(sheet: Any, why: str):
    assert reason(a_yaml=sheet, floor_pgm=PGM) == why


def test_files_without_a_sheet_and_several_maps_are_refused():
    assert reason(floor_pgm=PGM) == "map_no_yaml"
    assert reason(a_yaml=YAML, b_yaml=YAML, floor_pgm=PGM) == "map_several"


@pytest.mark.parametrize(
    "name", ["../floor.yaml", "/etc/floor.yaml", "a/../../b.yaml", "..\\floor.yaml", "C:\\floor.yaml"]
)
def test_an_archive_that_climbs_out_of_its_folder_is_refused(name: str):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), YAML)
        archive.writestr("floor.pgm", PGM)
    assert reason(a_zip=out.getvalue()) == "map_archive_outside"


def test_an_archive_with_a_link_in_it_is_refused():
    link, out = zipfile.ZipInfo("floor.yaml"), io.BytesIO()
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert reason(a_zip=out.getvalue()) == "map_archive_outside"


def test_a_bomb_is_refused_before_it_is_unpacked():
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("floor.pgm", "w", force_zip64=True) as bomb,
    ):
        for _ in range(270):
            bomb.write(bytes(1 << 20))
    assert len(out.getvalue()) < 1 << 20
    assert reason(a_zip=out.getvalue()) == "map_archive_large"


def test_a_broken_archive_is_refused():
    assert reason(a_zip=folder()[:40]) == "map_archive"


@pytest.mark.sample_data
@pytest.mark.parametrize("name", ["depot", "depot_keepout", "tb3_sandbox"])
def test_real_maps_are_read(name: str):
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("LUSTRA_SAMPLE_DATA", beside)) / "nav2" / "maps"
    if not folder.is_dir():
        pytest.skip(f"no sample data at {folder}")
    plan = parse({f"{name}.{end}": (folder / f"{name}.{end}").read_bytes() for end in ("yaml", "pgm")})
    assert plan.resolution == 0.05
    assert plan.area > 10
    assert {FREE, OCCUPIED} <= set(np.unique(plan.grid).tolist())
