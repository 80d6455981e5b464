"""What the robot reads of a bundle that it is handed, and what it refuses before anything is unpacked."""

import numpy as np
import pytest

from lustra.protocol.refusals import RobotRefusal
from lustra.robot.maps import bundle as bundles
from lustra.robot.maps.floor import FREE, OCCUPIED, UNKNOWN
from tests.robot.conftest import bundle

SHEET = "image: map.pgm\nresolution: 0.05\norigin: {origin}\nnegate: {negate}\n"
GREYS = b"P5 3 1 255\n\x00\x80\xff"  # black, grey, white


@pytest.mark.parametrize(("negate", "cells"), [(0, [OCCUPIED, UNKNOWN, FREE]), (1, [FREE, UNKNOWN, OCCUPIED])])
def test_black_is_a_wall_unless_the_map_is_negated(negate: int, cells: list[int]):
    sheet = SHEET.format(origin=[0, 0, 0], negate=negate)
    floor = bundles.read_bundle(bundle(**{"map.yaml": sheet, "map.pgm": GREYS, "annotations.json": None}), "x")
    assert np.asarray(floor.grid).tolist() == [cells]


@pytest.mark.parametrize(("origin", "read"), [([1, 2, 0.5], (1, 2, 0.5)), ([1, 2], (1, 2, 0))])
def test_a_map_lies_where_its_origin_says_and_turned_as_it_says(origin: list[float], read: tuple[float, ...]):
    sheet = SHEET.format(origin=origin, negate=0)
    floor = bundles.read_bundle(bundle(**{"map.yaml": sheet, "map.pgm": GREYS, "annotations.json": None}), "x")
    assert floor.origin == read


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "\\evil", "a/../../evil", "a\\..\\evil", "C:evil"])
def test_a_name_that_leads_out_of_the_bundle_is_refused(name: str):
    with pytest.raises(RobotRefusal) as refused:
        bundles.read_bundle(bundle(**{name: "x"}), "x")
    assert refused.value.reason == "map_archive_outside"


def test_a_bundle_is_bounded_in_bytes_and_in_files(monkeypatch: pytest.MonkeyPatch):
    assert (bundles.LARGEST_BYTES, bundles.MOST_FILES, bundles.LARGEST_SIDE) == (256 << 20, 16, 10_000)
    _, files = bundles.open_archive(bundle())
    size = sum(entry.file_size for entry in files.values())
    for name, most in (("LARGEST_BYTES", size), ("MOST_FILES", len(files))):
        with monkeypatch.context() as patch:
            patch.setattr(bundles, name, most)
            bundles.open_archive(bundle())
            patch.setattr(bundles, name, most - 1)
            with pytest.raises(RobotRefusal) as refused:
                bundles.open_archive(bundle())
            assert refused.value.reason == "map_too_large"


def test_a_picture_has_at_most_10000_cells_a_side():
    sides = []
    for width, height in ((10_001, 1), (1, 10_001), (10_000, 1)):
        picture = b"P5 %d %d 255\n" % (width, height) + bytes(width * height)
        try:
            sides.append(max(bundles.decode_picture(picture).shape))
        except RobotRefusal as refused:
            sides.append(refused.reason)
    assert sides == ["map_too_large", "map_too_large", 10_000]
