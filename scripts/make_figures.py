"""README.md's table of measured figures, from the newest run of each bench in bench/results."""

import json
import re
from pathlib import Path
from typing import Any

from house import ROOT

BEGIN = re.compile(r"(<!-- figures: [^\n]* -->\n)")
END = "<!-- /figures -->"
GROUPED = 1000  # from here on digits are grouped
HEAD = "| bench | figure | measured | worst | promised | floor of the same run |\n|---|---|---:|---:|---:|---|\n"


def newest(root: Path) -> dict[str, dict[str, Any]]:
    """Each bench's newest run, by its name."""
    runs: dict[str, dict[str, Any]] = {}
    for path in sorted((root / "bench" / "results").glob("*.json")):
        runs |= json.loads(path.read_text("utf-8"))
    return dict(sorted(runs.items()))


def amount(value: float, unit: str) -> str:
    return f"{value:.3g} {unit}".strip() if abs(value) < GROUPED else f"{value:,.0f} {unit}".strip()


def line(bench: str, figure: dict[str, Any]) -> str:
    unit = figure["unit"]
    worst = amount(figure["worst"], unit) if "worst" in figure else ""
    sign = "≥" if figure.get("at_least") else "≤"
    promised = f"{sign} {amount(figure['limit'], unit)}" if "limit" in figure else ""
    floor = f"{amount(figure['floor'], '')}, {figure['floor_name']}" if figure.get("floor") else ""
    cells = (bench, figure["name"], amount(figure["value"], unit), worst, promised, floor)
    return "| " + " | ".join(cells) + " |\n"


def machine(runs: dict[str, dict[str, Any]]) -> str:
    """On what they were measured, each machine once, with how busy it was."""
    machines: dict[str, list[str]] = {}
    for bench, run in runs.items():
        about = run["machine"]
        text = f"{about['cores']} cores, {about['cpu']}, {about['memory_gb']} GB, Python {about['python']}"
        machines.setdefault(text, []).append(f"{bench} on {run['at'][:10]} at a load of {about['load']:g}")
    return "".join(f"\n{text}: {', '.join(benches)}.\n" for text, benches in machines.items())


def table(root: Path) -> str:
    runs = newest(root)
    return HEAD + "".join(line(name, figure) for name, run in runs.items() for figure in run["figures"]) + machine(runs)


def page(root: Path) -> str:
    """README.md as it should be."""
    before, head, rest = BEGIN.split((root / "README.md").read_text("utf-8"), maxsplit=1)
    return before + head + table(root) + END + rest.split(END, 1)[1]


if __name__ == "__main__":
    (ROOT / "README.md").write_text(page(ROOT), "utf-8")
