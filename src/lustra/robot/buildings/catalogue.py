"""The virtual buildings by name; as a script it writes the sample floor that people import:
`python -m lustra.robot.buildings.catalogue FOLDER` makes floor.yaml and floor.pgm.
"""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from lustra.protocol.bus import Flag
from lustra.robot.buildings import clinic, hotel, mall
from lustra.robot.buildings.floor_plan import FloorPlan
from lustra.robot.maps.floor import FREE, OCCUPIED, Floor

PLANS: dict[tuple[str, str], Callable[[], FloorPlan]] = {
    (hotel.BUILDING, "floor 1"): hotel.ground,
    (hotel.BUILDING, "floor 2"): lambda: hotel.guests("2"),
    (hotel.BUILDING, "floor 3"): lambda: hotel.guests("3"),
    (clinic.BUILDING, "ward 3"): lambda: clinic.ward("3"),
    (clinic.BUILDING, "ward 4"): lambda: clinic.ward("4"),
    (mall.BUILDING, "floor 1"): mall.ground,
}
SAMPLE = (clinic.BUILDING, "ward 3")
PGM_VALUES = {FREE: 0, OCCUPIED: 255}  # with negate: 1 free is black and obstacles are white; all else between
GREY = 128


@cache
def floor(building: str, name: str) -> Floor:
    """A floor of a building; the caller must not change it (Floor.changed makes a new one)."""
    return PLANS[building, name]().render()


@cache
def guarded(building: str, name: str) -> list[tuple[str, float, float]]:
    """Doors of a floor that open by a card: name, x and y."""
    return PLANS[building, name]().guarded if (building, name) in PLANS else []


def floors() -> list[tuple[str, str]]:
    return list(PLANS)


def charger(of: Floor, index: int) -> Flag:
    flags = [f for f in of.flags if f.type == "charging"]
    return flags[index % len(flags)]


def write_sample(folder: Path) -> None:
    sample = floor(*SAMPLE)
    picture = np.full(sample.grid.shape, GREY, np.uint8)
    for value, shade in PGM_VALUES.items():
        picture[sample.grid == value] = shade
    width, height = sample.size
    head = f"P5\n# {sample.building}, {sample.floor}: a floor plan of our own, drawn by lustra.robot.buildings\n"
    head += (
        f"# {sample.resolution} m per pixel, first row is the top, free is black (negate: 1)\n{width} {height}\n255\n"
    )
    (folder / "floor.pgm").write_bytes(head.encode() + np.flipud(picture).tobytes())
    x, y, yaw = sample.origin
    (folder / "floor.yaml").write_text(
        f"# {sample.building}, {sample.floor}: sample map to try the import with; written by lustra.robot.buildings\n"
        f"image: floor.pgm\nresolution: {sample.resolution}\norigin: [{x}, {y}, {yaw}]\n"
        "negate: 1\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )


if __name__ == "__main__":
    write_sample(Path(sys.argv[1]))
