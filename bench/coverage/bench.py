"""Coverage of a bow run over a whole map: the project's sample, the real maps where they are, or `bench.py MAP.yaml …`.

Per map: what the run covers of the reachable floor, and the path's least distance to an obstacle (sampled at each cm,
exact distance to square cells), which may not be less than the robot's radius.
"""

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from lustra.robot.bundle import read_map
from lustra.robot.lattice import RADIUS, Lattice
from lustra.robot.planner import plan
from lustra.robot.sweep import least_distance, sweep

ROOT = Path(__file__).resolve().parents[2]


def measure(file: Path) -> dict[str, float]:
    told = read_map(file.read_text(), lambda name: (file.parent / name).read_bytes(), file.stem)
    width, height = told.size
    ring = [tuple(p) for p in told.to_metres(np.array([[0, 0], [width, 0], [width, height], [0, height]])).tolist()]
    lattice = Lattice(told.blocked, told.resolution)
    parts = np.bincount(lattice.parts[lattice.parts > 0])
    widest = np.argwhere((lattice.parts == parts.argmax()) & (lattice.distance >= 0.6))[0]
    start = tuple(told.to_metres(widest[::-1])[0].tolist())
    began = time.perf_counter()
    lattice = Lattice(told.blocked, told.resolution)
    done = plan(told, lattice, ring, start, "bow")
    seconds = time.perf_counter() - began
    cleaned = sweep(told, done.path) & done.reachable
    return {
        "free_m2": told.square_metres(done.area),
        "reachable_m2": told.square_metres(done.reachable),
        "coverage": float(cleaned.sum() / done.reachable.sum()),
        "least_distance_m": least_distance(told, done.path),
        "length_m": done.length,
        "points": len(done.path),
        "planning_s": seconds,
    }


def maps() -> list[Path]:
    """The sample, and the depot of the real data."""
    real = Path(os.environ.get("LUSTRA_SAMPLE_DATA", ROOT.parent / "shared" / "data")) / "nav2" / "maps" / "depot.yaml"
    return [ROOT / "docs" / "samples" / "floor.yaml", *([real] if real.exists() else [])]


def tell(name: str, value: float, unit: str, **more: object) -> None:
    print(json.dumps({"name": name, "value": round(value, 4), "unit": unit} | more), flush=True)


if __name__ == "__main__":
    for file in [Path(name) for name in sys.argv[1:]] or maps():
        found = measure(file)
        reachable = {"floor": 1.0, "floor_name": "all that the tool can reach"}
        tell(f"{file.stem}: coverage", found["coverage"], "", limit=0.95, at_least=True, **reachable)
        near = {"floor": RADIUS, "floor_name": "the robot's radius, m"}
        tell(f"{file.stem}: least distance", found["least_distance_m"], "m", limit=RADIUS, at_least=True, **near)
        tell(f"{file.stem}: planning", found["planning_s"], "s")
