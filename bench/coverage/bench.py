"""Coverage of runs over a whole map, by lanes, rings and walls: the project's sample, our largest floor, the real maps
where they are, or `bench.py MAP.yaml …`.

Per map and route: what the run covers of the floor that the tool can reach (in edge mode of the strip along the
walls), the path's least distance to an obstacle (sampled at each cm, exact distance to square cells), which may not be
less than the robot's radius, cells that it cleans in a forbidden zone, and how long planning 1,000 m² takes (the best
of three).
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure

from lustra.robot.buildings import catalogue
from lustra.robot.maps.bundle import read_map
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.lattice import RADIUS, Lattice
from lustra.robot.navigation.planner import Plan, Route, plan
from lustra.robot.navigation.sweep import least_distance, sweep

ROOT = Path(__file__).resolve().parents[2]
ROUTES: tuple[Route, ...] = ("bow", "spiral", "edge")
LARGEST = ("Jade Gate Mall", "floor 1")
TRIES = 1 if SHORT else 3
PLANNED = 1000.0  # m²
PLANNED_S = 0.5  # s for so much, where there is at least that much


def read(file: Path) -> Floor:
    return read_map(file.read_text(), lambda name: (file.parent / name).read_bytes(), file.stem)


def measure(floor_map: Floor, route: Route) -> dict[str, float]:
    width, height = floor_map.size
    ring = [
        tuple(p) for p in floor_map.to_metres(np.array([[0, 0], [width, 0], [width, height], [0, height]])).tolist()
    ]
    lattice = Lattice(floor_map.blocked, floor_map.resolution)
    parts = np.bincount(lattice.parts[lattice.parts > 0])
    wide = np.where(lattice.parts == parts.argmax(), lattice.distance, 0)
    row, column = np.unravel_index(int(wide.argmax()), wide.shape)
    start = tuple(floor_map.to_metres(np.array([[column, row]]))[0].tolist())
    seconds = float("inf")
    done: Plan | None = None
    for _ in range(TRIES):
        began = time.perf_counter()
        done = plan(floor_map, Lattice(floor_map.blocked, floor_map.resolution), ring, start, route)
        seconds = min(seconds, time.perf_counter() - began)
    assert done is not None
    cleaned = sweep(floor_map, done.path)
    return {
        "free_m2": floor_map.square_metres(~floor_map.blocked),
        "coverage": float((cleaned & done.reachable).sum() / done.reachable.sum()),
        "forbidden": float((cleaned & floor_map.blocked).sum()),
        "least_distance_m": least_distance(floor_map, done.path),
        "planning_s": seconds,
    }


def floors() -> Iterator[Floor]:
    """The sample, our largest floor, and the real maps."""
    yield read(ROOT / "docs" / "samples" / "floor.yaml")
    if SHORT:
        return
    mall = catalogue.floor(*LARGEST)
    mall.name = "mall"
    yield mall
    data = Path(os.environ.get("LUSTRA_SAMPLE_DATA", ROOT.parent / "shared" / "data"))
    yield from (read(file) for file in sorted((data / "nav2" / "maps").glob("*.yaml")))


if __name__ == "__main__":
    for floor_map in [read(Path(name)) for name in sys.argv[1:]] or floors():
        for route in ROUTES:
            figures = measure(floor_map, route)
            reachable = {"floor": 1.0, "floor_name": "all that the tool can reach"}
            print_figure(
                f"{floor_map.name}, {route}: coverage", figures["coverage"], "", limit=0.95, at_least=True, **reachable
            )
            near = {"floor": RADIUS, "floor_name": "the robot's radius, m"}
            least = figures["least_distance_m"]
            print_figure(f"{floor_map.name}, {route}: least distance", least, "m", limit=RADIUS, at_least=True, **near)
            print_figure(f"{floor_map.name}, {route}: cleaned where it may not", figures["forbidden"], "cells", limit=0)
            share = max(1.0, figures["free_m2"] / PLANNED)
            print_figure(f"{floor_map.name}, {route}: planning", figures["planning_s"] / share, "s", limit=PLANNED_S)
