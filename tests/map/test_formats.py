"""What other products and our own bundle tell becomes the floor that it was."""

import io
import json
import math
import os
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import ndimage

from lustra.core.errors import Code, Refusal
from lustra.domains.map import rules
from lustra.domains.map.formats import archive as archives
from lustra.domains.map.formats import detection, keepout, limits, valetudo
from lustra.domains.map.formats.bundle import build_bundle
from lustra.domains.map.formats.marks import Marks
from lustra.domains.map.formats.outline import MOST_POINTS, outlines
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN, Plan
from lustra.domains.map.formats.rmf.drawing import fill_outside
from lustra.protocol.bus import Eraser, Flag, Zone
from lustra.protocol.hours import Hours

BESIDE = Path(__file__).parents[3] / "shared" / "data"
DATA = Path(os.environ.get("LUSTRA_SAMPLE_DATA", BESIDE))


def sample(*names: str) -> dict[str, bytes]:
    if not DATA.is_dir():
        pytest.skip(f"no sample data at {DATA}")
    return {Path(name).name: (DATA / name).read_bytes() for name in names}


def refusal(files: dict[str, bytes]) -> str:
    with pytest.raises(Refusal) as refused:
        detection.read_plans(files)
    assert refused.value.code == Code.MAP_REFUSED
    return refused.value.reason


def drawn(seed: int) -> Plan:
    dice = np.random.default_rng(seed)
    height, width = dice.integers(2, 60, 2).tolist()
    grid = dice.choice(np.array([FREE, OCCUPIED, UNKNOWN], np.uint8), (height, width))
    grid[0, 0] = FREE

    def points(count: int) -> list[tuple[float, float]]:
        return [(float(x), float(y)) for x, y in dice.normal(0, 20, (count, 2))]

    def hours() -> Hours | msgspec.UnsetType:
        start, end = dice.choice(24 * 60, 2, replace=False).tolist()
        span = Hours(start=f"{start // 60:02}:{start % 60:02}", end=f"{end // 60:02}:{end % 60:02}")
        return span if seed % 2 and dice.random() > 1 / 2 else msgspec.UNSET

    def zones(least: int) -> list[Zone]:
        names = ["", "Küche", "大厅 1", "غرفة", 'a"b\\c\u2028']
        return [
            Zone(name=str(dice.choice(names)), id=f"z{n}", points=points(least + n), hours=hours())
            for n in range(int(dice.integers(0, 4)))
        ]

    marks = Marks(
        flags=[Flag(name=f"F{n}", type="stop", x=x, y=y, yaw=x / 7) for n, (x, y) in enumerate(points(3))],
        virtual_walls=zones(2),
        forbidden_zones=zones(3),
        free_areas=zones(3),
        erasers=[Eraser(points=points(2), width=float(dice.uniform(0.1, 2)), name="noise")],
        hours=hours(),
    )
    x, y, yaw = dice.normal(0, 30, 3).tolist()
    resolution = float(dice.choice([0.05, 0.025, 0.1, 1 / 3, 1e-5]))
    return Plan(f"Floor {seed}", resolution, (x, y, yaw), grid, marks, "Kestrel Quay", str(seed))


@pytest.mark.parametrize("seed", range(100))
def test_a_bundle_that_was_read_is_written_the_same_byte_for_byte(seed: int):
    plan = drawn(seed)
    first = build_bundle(plan)
    (again,) = detection.read_plans({"any.zip": first})
    assert build_bundle(again) == first
    assert (again.marks, again.origin, again.resolution) == (plan.marks, plan.origin, plan.resolution)
    assert again.grid.tolist() == plan.grid.tolist()


def test_a_bundle_without_hours_is_still_one_of_the_first_version():
    def read_notes(seed: int) -> dict[str, object]:
        with zipfile.ZipFile(io.BytesIO(build_bundle(drawn(seed)))) as archive:
            return json.loads(archive.read("annotations.json"))

    assert read_notes(2)["version"] == 1
    assert "hours" not in json.dumps(read_notes(2))
    assert drawn(3).marks.timed
    assert read_notes(3)["version"] == 2


def patched(entry: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(build_bundle(drawn(1)))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, data if name == entry else old.read(name))
    return out.getvalue()


def test_a_bundle_that_somebody_patched_or_that_is_newer_is_refused():
    assert refusal({"a.zip": patched("map.pgm", b"P5 1 1 255\n\xfe")}) == "map_checksum"
    assert refusal({"a.zip": patched("annotations.json", b'{"version": 99}')}) == "map_newer"
    assert refusal({"a.zip": patched("annotations.json", b'{"flags": 7}')}) == "map_broken"


def test_a_grid_without_free_floor_is_refused():
    sheet = b"image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n"
    assert refusal({"a.yaml": sheet, "a.pgm": b"P5 2 1 255\n\0\xcd"}) == "map_no_free"


VALETUDO: dict[str, Any] = {
    "__class": "ValetudoMap",
    "pixelSize": 5,
    "metaData": {"version": 2},
    "layers": [
        {
            "type": "segment",
            "compressedPixels": [v for row in range(20) for v in (100, 200 + row, 40)],
            "metaData": {"segmentId": "7", "name": "Kitchen"},
        },
        {"type": "wall", "pixels": [v for row in range(20) for v in (99, 200 + row)]},
    ],
    "entities": [
        {"type": "charger_location", "points": [550, 1050], "metaData": {"angle": 90}},
        {"type": "virtual_wall", "points": [510, 1010, 590, 1010]},
        {"type": "no_go_area", "points": [510, 1020, 560, 1020, 560, 1060, 510, 1060]},
        {"type": "no_mop_area", "points": [600, 1020, 650, 1020, 650, 1060, 600, 1060]},
        {"type": "obstacle", "points": [530, 1080], "metaData": {"label": "Shoe (89%)"}},
        {"type": "obstacle", "points": [540, 1080]},
        {"type": "robot_position", "points": [520, 1020]},
    ],
}


def test_a_valetudo_map_keeps_its_frame_rooms_walls_zones_obstacles_and_the_dock():
    (plan,) = detection.read_plans({"Ground floor.json": json.dumps(VALETUDO).encode()})
    assert (plan.name, plan.resolution, plan.area) == ("Ground floor", 0.05, pytest.approx(2.0))
    assert plan.origin == (
        pytest.approx(4.45),
        pytest.approx(-11.5),
        0.0,
    )  # lower left, with the margin
    (room,) = plan.marks.free_areas
    assert room.name == "Kitchen"
    assert {(round(x, 3), round(y, 3)) for x, y in room.points} == {(5, -11), (7, -11), (7, -10), (5, -10)}
    dock, *obstacles = plan.marks.flags
    assert (dock.type, dock.x, dock.y) == ("charging", 5.5, -10.5)
    assert [(flag.name, flag.type, flag.x, flag.y) for flag in obstacles] == [
        ("Shoe (89%) 2", "other", 5.3, -10.8),
        ("Obstacle 3", "other", 5.4, -10.8),
    ]
    assert len(plan.marks.virtual_walls) == 1
    assert [zone.name for zone in plan.marks.forbidden_zones] == ["", "No mopping"]
    rules.refuse_bad_marks(
        plan.marks, Marks(), plan.grid, plan.resolution, plan.origin
    )  # nothing of it lies beyond its own map


@pytest.mark.parametrize(("angle", "yaw"), [(0, 90), (90, 0), (180, -90), (270, -180), (45, 45), ("x", 0), (None, 0)])
def test_a_valetudo_dock_looks_where_its_angle_says_clockwise_from_north(angle: Any, yaw: float):
    """0 looks up the map (+y), 90 to the right (+x)."""
    dock = {"type": "charger_location", "points": [550, 1050], "metaData": {"angle": angle}}
    (plan,) = detection.read_plans({"m.json": json.dumps(VALETUDO | {"entities": [dock]}).encode()})
    difference = math.remainder(plan.marks.flags[0].yaw - math.radians(yaw), math.tau)
    assert difference == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"layers": []}, "map_no_image"),
        ({"pixelSize": 0}, "map_no_resolution"),
        ({"layers": [{"type": "floor", "compressedPixels": [0, 0, 10**12]}]}, "map_broken"),
        ({"layers": [{"type": "floor", "pixels": [0, 0, 10**6, 5]}]}, "map_too_large"),
        ({"layers": [{"type": "floor", "pixels": "x"}]}, "map_broken"),
        ({"layers": [{"type": "floor", "compressedPixels": [0, 0, 2**63]}]}, "map_broken"),
        ({"layers": [{"type": "floor", "compressedPixels": [-1, 0, 5]}]}, "map_broken"),
        ({"pixelSize": 1e9}, "map_range"),
    ],
)
def test_a_valetudo_map_that_makes_no_floor_is_refused(change: dict[str, Any], why: str):
    assert refusal({"m.json": json.dumps(VALETUDO | change).encode()}) == why


def test_refuse_a_valetudo_map_that_is_vast(monkeypatch: pytest.MonkeyPatch):
    data = {"m.json": json.dumps(VALETUDO).encode()}
    for limit in ("LONGEST", "MOST_RUNS"):
        with monkeypatch.context() as patch:
            patch.setattr(valetudo, limit, 0)
            assert refusal(data) == "map_broken"
    far = [{"type": "floor", "pixels": [0, 0, 4000, 4000]}] * 8
    assert refusal({"m.json": json.dumps(VALETUDO | {"layers": far}).encode()}) == "map_many_cells"


def test_a_valetudo_segment_that_is_a_speck_is_no_room():
    speck = {"type": "segment", "pixels": [100, 200], "metaData": {"name": "Speck"}}
    layers = [*VALETUDO["layers"], speck]
    (plan,) = detection.read_plans({"m.json": json.dumps(VALETUDO | {"layers": layers}).encode()})
    assert [room.name for room in plan.marks.free_areas] == ["Kitchen"]


def test_an_outline_follows_the_cells_and_goes_round_a_hole():
    area = np.zeros((20, 20), np.bool_)
    area[2:18, 3:17] = True
    (ring,) = outlines(area)
    assert set(ring) == {(3, 2), (17, 2), (17, 18), (3, 18)}
    area[6:12, 6:12] = False
    (ring,) = outlines(area)
    assert {(6, 6), (12, 12), (3, 2)} <= set(ring)
    area[:] = False
    area[2:6, 2:6] = area[6:10, 6:10] = True  # they meet at a corner only
    assert len(outlines(area)) == 2


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_outlines_without_slack_cover_just_the_cells(seed: int, blocks: int):
    dice = np.random.default_rng(seed)
    cells = np.zeros((24, 30), np.bool_)
    for _ in range(blocks):  # holes, islands in them, and corners that touch
        row, column, height, width = dice.integers((0, 0, 1, 1), (24, 30, 12, 15)).tolist()
        cells[row : row + height, column : column + width] ^= True
    rings = outlines(cells, slack=0.0, least=0.0)
    assert sum(abs(area(ring)) for ring in rings) == np.count_nonzero(cells)
    middles = np.argwhere(cells)[:, ::-1] + 0.5
    shapes = shapely.union_all([shapely.make_valid(shapely.Polygon(ring)) for ring in rings])
    assert shapely.contains_xy(shapes, *middles.T).all()


@pytest.mark.parametrize("slack", [0.0, 0.5, 1.0])
def test_a_straightened_outline_lies_within_its_slack_of_the_cells(slack: float):
    rows, columns = np.indices((120, 120))
    disc = np.hypot(rows - 60, columns - 60) < 50
    (ring,) = outlines(disc, slack=slack)
    (exact,) = outlines(disc, slack=0.0)
    border = shapely.LinearRing(exact)
    assert shapely.hausdorff_distance(shapely.LinearRing(ring), border) <= slack + 1e-9
    assert len(ring) <= len(exact)


def test_an_area_with_more_edges_than_can_be_joined_is_refused():
    with pytest.raises(Refusal) as refused:
        outlines(np.indices((330, 330)).sum(axis=0) % 2 == 0)
    assert (refused.value.code, refused.value.reason) == (Code.MAP_REFUSED, "map_many_edges")


def test_an_area_with_more_holes_than_a_zone_has_points_leaves_the_small_ones_out():
    cells = np.ones((200, 200), np.bool_)
    for row in range(5, 190, 10):
        cells[row : row + 4, 5:190][:, np.arange(185) % 10 < 4] = False
    cells[100:140, 100:140] = False
    (ring,) = outlines(cells)
    assert len(ring) <= MOST_POINTS
    assert abs(area(ring)) == pytest.approx(200 * 200 - 40 * 40, rel=0.01)


@pytest.mark.sample_data
def test_a_keepout_mask_becomes_forbidden_zones_of_the_map():
    (depot,) = detection.read_plans(sample("nav2/maps/depot.yaml", "nav2/maps/depot.pgm"))
    mask = sample("nav2/maps/depot_keepout.yaml", "nav2/maps/depot_keepout.pgm")
    height, width = depot.grid.shape
    zones = keepout.zones(mask, keepout.Frame(width, height, depot.resolution, depot.origin))
    assert zones
    rules.refuse_bad_marks(Marks(forbidden_zones=zones), Marks(), depot.grid, depot.resolution, depot.origin)
    (mask_plan,) = detection.read_plans(mask)
    zone_area = sum(abs(area(z.points)) for z in zones)
    assert zone_area == pytest.approx(np.count_nonzero(mask_plan.grid == OCCUPIED) * 0.05**2, rel=0.1)


@pytest.mark.parametrize(("cell", "block"), [(0.5, 2), (0.05, 20), (0.02, 50)])
def test_a_masks_cells_are_as_coarse_as_they_like(cell: float, block: int):
    """Two squares of a metre and a speck between them."""
    grid = np.full((block, 4 * block), 254, np.uint8)
    grid[:, :block] = grid[:, -block:] = 0
    if cell < 0.1:
        grid[block // 2, 2 * block] = 0
    height, width = grid.shape
    head = f"P5 {width} {height} 255\n".encode()
    where = f"image: mask.pgm\nresolution: {cell}\norigin: [0.5, 0.5, 0]\nnegate: 0\n"
    where += "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
    hall = keepout.Frame(120, 120, 0.05, (0, 0, 0))
    zones = keepout.zones({"mask.yaml": where.encode(), "mask.pgm": head + grid.tobytes()}, hall)
    assert [abs(area(zone.points)) for zone in zones] == pytest.approx([1, 1])


SPEEDS = b"image: mask.pgm\nresolution: 0.5\norigin: [0, 0, 0]\nmode: %s\noccupied_thresh: 1.0\nfree_thresh: 0.0\n"


@pytest.mark.parametrize(("mode", "grey"), [(b"scale", 128), (b"raw", 50)])
def test_a_mask_of_speeds_is_refused_for_what_it_is(mode: bytes, grey: int):
    picture = b"P5 4 4 255\n" + bytes([grey] * 12 + [0] * 4)
    with pytest.raises(Refusal) as refused:
        keepout.zones({"m.yaml": SPEEDS % mode, "mask.pgm": picture}, keepout.Frame(4, 4, 0.5, (0, 0, 0)))
    assert refused.value.reason == "map_speed_mask"


def test_a_mask_of_speeds_that_leaves_some_floor_free_is_refused_too():
    sheet = SPEEDS.replace(b"1.0", b"0.65").replace(b"0.0", b"0.2") % b"scale"
    picture = b"P5 4 4 255\n" + bytes([160] * 8 + [254] * 6 + [0] * 2)
    with pytest.raises(Refusal) as refused:
        keepout.zones({"m.yaml": sheet, "mask.pgm": picture}, keepout.Frame(4, 4, 0.5, (0, 0, 0)))
    assert refused.value.reason == "map_speed_mask"


def test_soft_edges_make_no_speeds_of_a_mask():
    sheet = SPEEDS.replace(b"1.0", b"0.65").replace(b"0.0", b"0.2") % b"scale"
    picture = b"P5 4 4 255\n" + bytes([0, 0, 0, 160, 0, 0, 0, 160] + [254] * 8)
    (zone,) = keepout.zones({"m.yaml": sheet, "mask.pgm": picture}, keepout.Frame(4, 4, 0.5, (0, 0, 0)))
    assert abs(area(zone.points)) == pytest.approx(1.5)


def area(ring: list[tuple[float, float]]) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


@settings(max_examples=50, deadline=None)
@given(arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 12)), elements=st.sampled_from([FREE, OCCUPIED])))
def test_outside_of_walls_is_what_is_reached_from_the_corner(grid: Any):
    labelled: Any = ndimage.label(grid == grid[0, 0])
    outside, _ = labelled
    assert ((fill_outside(grid) == UNKNOWN) == (outside == outside[0, 0])).all()


def zipped(**sizes: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, size in sizes.items():
            archive.writestr(name, bytes(size))
    return out.getvalue()


@pytest.mark.parametrize(
    ("sizes", "taken"),
    [
        ({"a": 60, "b": 40}, True),
        ({"a": 60, "b": 41}, False),  # together
        ({"a": 61}, False),  # one alone
        ({"a": 1, "b": 1, "c": 1}, True),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, False),  # too many
    ],
)
def test_an_archive_is_bounded_in_all_in_each_file_and_in_their_number(
    monkeypatch: pytest.MonkeyPatch, sizes: dict[str, int], taken: bool
):
    assert (archives.LARGEST_ARCHIVE, archives.LARGEST_ENTRY, archives.MOST_ENTRIES) == (160 << 20, 128 << 20, 200)
    for name, most in (("LARGEST_ARCHIVE", 100), ("LARGEST_ENTRY", 60), ("MOST_ENTRIES", 3)):
        monkeypatch.setattr(archives, name, most)
    if taken:
        assert archives.unpack(zipped(**sizes)).keys() == sizes.keys()
        return
    with pytest.raises(Refusal) as refused:
        archives.unpack(zipped(**sizes))
    assert refused.value.reason == "map_archive_large"


@pytest.mark.parametrize(("width", "height"), [(10_001, 1), (1, 10_001)])
def test_a_map_has_at_most_10000_cells_a_side(width: int, height: int):
    limits.judge_size(10_000, 10_000)
    with pytest.raises(Refusal) as refused:
        limits.judge_size(width, height)
    assert refused.value.reason == "map_too_large"
    sheet, head = b"image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n", b"P5 %d %d 255\n" % (width, height)
    with pytest.raises(Refusal) as refused:
        detection.read_plans({"a.yaml": sheet, "a.pgm": head + bytes(width * height)})
    assert refused.value.reason == "map_too_large"
