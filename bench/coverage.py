"""Coverage of a bow run over a whole map: `python bench/coverage.py MAP.yaml [MAP.yaml …]`.

Printed per map: free and reachable m², what the run covers of the reachable, the path's least distance to an obstacle
(sampled at each cm, exact distance to square cells), its length, and the planning time.
"""

import sys
import time
from pathlib import Path

import numpy as np

from lustra.robot.bundle import read_map
from lustra.robot.lattice import Lattice
from lustra.robot.planner import plan
from lustra.robot.sweep import least_distance, sweep


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


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, {k: round(v, 4) for k, v in measure(Path(name)).items()})
