"""What is made of maps where they are read, in a process of its own: here in the test's, refusals and all."""

import base64
import io
import json
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image

from lustra.core.errors import Code, Refusal
from lustra.domains.map import reading, rules
from lustra.domains.map.formats import image, keepout, limits
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.outline import outlines
from lustra.domains.map.formats.plan import FREE, OCCUPIED, Plan
from lustra.domains.map.formats.rmf.building import METRES
from lustra.domains.map.formats.yaml_text import LONGEST_WORD, load_yaml
from lustra.domains.map.reading import GRID, About
from lustra.protocol.bus import Eraser, Flag, Zone
from lustra.protocol.hours import Hours
from lustra.protocol.masks import unpack_mask

CELL = 0.05
SQUARE: list[tuple[float, float]] = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
FLOOR = np.full((20, 30), FREE, np.uint8)  # 1.5 m × 1 m
FLOOR[:, :2] = OCCUPIED
FRAME = keepout.Frame(30, 20, CELL, (0.0, 0.0, 0.0))
SHEET = b"image: m.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n"


def about(marks: Marks | None = None) -> About:
    return About(name="Hall", building="Quay", floor="1", resolution=CELL, origin=(0, 0, 0), marks=marks or Marks())


def files() -> dict[str, bytes]:
    return {GRID: image.write(FLOOR)}


def pgm(grid: Any, header: bytes = b"P5") -> bytes:
    return b"%s %d %d 255\n" % (header, grid.shape[1], grid.shape[0]) + grid.tobytes()


def refusal(run: Any, *values: Any) -> str:
    with pytest.raises(Refusal) as refused:
        run(*values)
    assert refused.value.code == Code.MAP_REFUSED
    return refused.value.reason


def content(**changes: Any) -> dict[str, bytes]:
    """What a robot says of a map, as JSON."""
    grid = base64.b64encode(image.write(FLOOR)).decode()
    values = {"name": "Hall", "building": "Quay", "floor": "1", "width": 30, "height": 20, "resolution": CELL}
    return {"content": json.dumps(values | {"origin": [0, 0, 0], "grid": grid} | changes).encode()}


def test_the_map_of_a_robot_is_drawn_with_its_free_area():
    drawn = reading.read_content(content())
    assert (drawn.name, drawn.width, drawn.height) == ("Hall", 30, 20)
    assert drawn.area == pytest.approx(28 * 20 * CELL**2)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"grid": "no base64!"}, "map_broken"),
        ({"width": "x"}, "map_broken"),
        ({"resolution": 0}, "map_range"),
        ({"origin": [1e9, 0, 0]}, "map_range"),
        ({"name": "a\0b"}, "map_broken"),
        ({"name": "a" * 1000}, "map_broken"),
        ({"width": 0}, "map_no_image"),
        ({"width": 31}, "map_no_image"),
        ({"grid": base64.b64encode(b"P5 1 1 255\n\xfe").decode()}, "map_no_image"),
        ({"virtual_walls": [{"points": [[1e9, 0], [0, 0]]}]}, "map_range"),
        ({"virtual_walls": [{"name": "a\0b", "points": [[1, 0], [0, 0]]}]}, "map_broken"),
    ],
)
def test_refuse_a_robots_map_that_cannot_be_kept(changes: dict[str, Any], why: str):
    assert refusal(reading.read_content, content(**changes)) == why


def test_marks_that_are_finite_and_few_pass():
    stroke = Eraser(points=[(0, 0), (1, 1)], width=0.2)
    limits.judge_marks(Marks(flags=[Flag(name="a", type="stop", x=1, y=1)], erasers=[stroke]))
    vast = Marks(free_areas=[Zone(name="a" * limits.LARGEST_MARKS, points=SQUARE)])
    assert refusal(limits.judge_marks, vast) == "map_many_marks"
    assert refusal(limits.judge_size, limits.LONGEST_SIDE, limits.LONGEST_SIDE, 10) == "map_many_cells"


def test_files_become_maps_and_small_previews():
    picked = {"m.yaml": SHEET, "m.pgm": pgm(FLOOR)}
    (drawn,) = reading.read_maps(picked)
    (small,) = reading.read_previews(picked)
    assert (drawn.width, small.step) == (30, 1)
    assert small.stored == drawn.path
    vast = np.repeat(np.repeat(FLOOR, 60, 0), 60, 1)
    (shrunk,) = reading.read_previews({"m.yaml": SHEET, "m.pgm": pgm(vast)})
    assert shrunk.step > 1


def test_free_cells_of_a_floor_and_of_its_rooms_leave_walls_out():
    whole = reading.mask_free_cells(files(), about())
    assert np.count_nonzero(unpack_mask(whole, FLOOR.shape)) == 28 * 20
    room = Zone(name="Kitchen", id="k", points=[(0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5)])
    (cells,) = reading.list_room_cells(files(), about(Marks(free_areas=[room])))
    assert cells.name == "Kitchen"
    assert 0 < np.count_nonzero(unpack_mask(cells.mask, FLOOR.shape)) <= 11 * 11
    assert reading.find_rooms(files(), about()) is not None


def test_a_map_is_packed_as_a_bundle_plainly_and_as_a_mask():
    zone, wall = Zone(points=[(0.2, 0.2), (0.6, 0.2), (0.6, 0.8), (0.2, 0.8)]), Zone(points=[(1.2, 0.1), (1.2, 0.9)])
    marks = Marks(forbidden_zones=[zone], virtual_walls=[wall])
    (again,) = reading.read_maps({"a.zip": reading.pack_bundle(files(), about(marks))})
    assert again.marks == marks
    (plain,) = reading.read_maps({"a.zip": reading.pack_plain(files(), about(marks))})
    assert (plain.area, plain.marks) == (pytest.approx(again.area), Marks())
    masked = {"a.zip": reading.pack_mask(files(), about(marks))}
    ends = sorted(np.ptp(np.array(each.points), 0).tolist() for each in reading.read_mask(masked, FRAME))
    assert ends[-1] == pytest.approx([0.4, 0.6], abs=2 * CELL)
    (mask,) = reading.read_maps(masked)
    assert mask.area < (30 * 20 - 8 * 12 - 16) * CELL**2  # the wall, a cell or more wide, is occupied too


def test_zones_of_a_mask_end_at_the_edge_of_the_map():
    mask = np.full((40, 60), FREE, np.uint8)
    mask[:10, :] = OCCUPIED  # above the map, of which it is twice as large
    mask[30:, 40:] = OCCUPIED
    zones = reading.read_mask({"m.yaml": SHEET, "m.pgm": pgm(mask)}, FRAME)
    for zone in zones:
        rules.refuse_bad_marks(Marks(forbidden_zones=[zone]), Marks(), FLOOR, CELL, (0, 0, 0))


def test_refuse_masks_that_are_several_or_have_too_many_zones(monkeypatch: pytest.MonkeyPatch):
    level = {"vertices": [[x, y, 0, ""] for x, y in SQUARE], "floors": [{"vertices": [0, 1, 2, 3]}]}
    levels = {"L1": level, "L2": level}
    building = json.dumps({"coordinate_system": METRES, "levels": levels}).encode()
    assert refusal(reading.read_mask, {"b.yaml": b"# levels: vertices:\n" + building}, FRAME) == "map_several"
    monkeypatch.setattr(keepout, "MOST", 0)
    assert refusal(reading.read_mask, {"m.yaml": SHEET, "m.pgm": pgm(FLOOR)}, FRAME) == "map_many_zones"


FLAG = Flag(name="Dock", type="charging", x=0.5, y=0.5)
TIMED = Zone(points=SQUARE, hours=Hours(start="08:00", end="08:00"))


@pytest.mark.parametrize(
    ("marks", "why"),
    [
        (Marks(virtual_walls=[Zone(points=[(0.2, 0.2), (9, 9)])]), "map_beyond_edge"),
        (Marks(forbidden_zones=[TIMED]), "hours_empty"),
        (Marks(flags=[msgspec.structs.replace(FLAG, name=" ")]), "map_flag_name"),
        (Marks(flags=[FLAG, FLAG]), "map_flag_twice"),
        (Marks(flags=[msgspec.structs.replace(FLAG, x=9)]), "map_beyond_edge"),
        (Marks(flags=[msgspec.structs.replace(FLAG, x=0.02)]), "map_flag_in_wall"),
    ],
)
def test_refuse_marks_that_cannot_stand_on_the_map(marks: Marks, why: str):
    assert refusal(reading.judge_drawing, files(), about(), marks) == why


def test_a_point_stands_where_a_wall_is_erased_or_where_it_stood():
    in_wall = msgspec.structs.replace(FLAG, x=0.02)
    near, far = Eraser(points=[(0, 0.4), (0, 0.6)], width=0.2), Eraser(points=[(1, 0), (1.4, 0)], width=0.1)
    open_by_day = Zone(points=SQUARE, hours=Hours(start="08:00", end="18:00"))
    reading.judge_drawing(files(), about(), Marks(flags=[in_wall], erasers=[far, near], forbidden_zones=[open_by_day]))
    reading.judge_drawing(files(), about(Marks(flags=[in_wall])), Marks(flags=[in_wall]))
    assert refusal(reading.judge_drawing, files(), about(), Marks(flags=[in_wall], erasers=[far])) == "map_flag_in_wall"


def png(mode: str, size: tuple[int, int] = (2, 1)) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, "PNG")
    return out.getvalue()


def test_pictures_are_read_by_what_they_are():
    assert image.is_picture(b"P2 1 1 255\n7")
    assert image.read(b"P2 1 1 255\n7").grey.tolist() == [[7]]
    assert image.read(png("I;16")).grey.tolist() == [[0, 0]]
    assert image.read(png("RGBA")).clear is not None


@pytest.mark.parametrize(
    "data",
    [
        b"GIF89a",
        b"P5 x",
        b"P5 1 1 0\n\0",
        b"P5 9 9 255\n\0",
        b"P2 1 1 255\nseven",
        image.PNG + bytes(8) + (1).to_bytes(4, "big") * 2,
        png("L")[:40],
    ],
)
def test_refuse_what_is_no_picture(data: bytes):
    assert refusal(image.read, data) == "map_no_image"


def test_a_large_picture_is_packed_quickly():
    assert image.level(np.broadcast_to(np.uint8(0), (image.FAST_FROM, 1))) < image.level(FLOOR)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"a: &x 1\nb: *x\n", "map_yaml_alias"),
        (b"a: {<<: {b: 1}}\n", "map_yaml_alias"),
        (b"a: " + b"x" * (LONGEST_WORD + 1), "map_no_yaml"),
        (b"[" * 40 + b"]" * 40, "map_yaml_vast"),
        (b"a: [", "map_no_yaml"),
    ],
)
def test_refuse_a_sheet_that_would_grow(text: bytes, why: str):
    assert refusal(load_yaml, text) == why


def test_refuse_a_resolution_that_is_no_number():
    sheet = SHEET.replace(b"0.05", b"fine")
    assert refusal(reading.read_maps, {"m.yaml": sheet, "m.pgm": pgm(FLOOR)}) == "map_no_resolution"


def test_an_area_without_cells_has_no_outline():
    assert outlines(np.zeros((4, 4), np.bool_)) == []


def test_a_plan_without_free_cells_has_no_area():
    assert Plan("", CELL, (0, 0, 0), np.full((2, 2), OCCUPIED, np.uint8)).area == 0
