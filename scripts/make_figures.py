"""Tables of measured figures, from the newest run of each bench in bench/results: README.md's, of what people ask for
first, and docs/figures.md with all of them."""

import json
import re
from pathlib import Path
from typing import Any

from house import ROOT

README, WHOLE = Path("README.md"), Path("docs", "figures.md")
BEGIN = re.compile(r"(<!-- figures: [^\n]* -->\n)")
END = "<!-- /figures -->"
GROUPED = 1000  # from here on digits are grouped
COLUMNS = "figure | measured | worst | limit | floor of the same run |\n"
INTRODUCTION = """# Figures

The newest run of each bench in `bench/results`; `make bench` writes both. *Worst* is the worst case beside a
percentile, and *limit* the target on two quiet cores, load generator included. The *floor* was measured in the same
run: the time that this machine takes for the least that could do the job, so that a slow hour can be told from a slow
product. A missed limit fails `make bench`, unless the bench allows the figure a number of floors, which then decide.
What a bench does is described at the head of its program in `bench/`.
"""
FIRST: dict[str, tuple[str, ...]] = {  # by bench, in the order of README.md
    "drain": ("states drained from the bus into rows", "10000 robots at 1 Hz: a state to its row, 99 of 100"),
    "latency": ("state of a robot to a tab, p95",),
    "push": ("200 tabs with 30 robots each, 1000 states a second: a state to a tab, p95",),
    "alarms": ("alarm of a robot to a screen, p95",),
    "relay": ("drive command to wheel, p95", "share of nginx, 16 connections"),
    "video": ("first picture of a camera", "glass to glass, sent by WebRTC, seen by WebRTC"),
    "devices": ("first page of 10,000, 95th percentile", "10000 cards scroll"),
    "canvas": ("map, open 4000x4000",),
    "world": ("map of the world, 10,000 robots, 1,000 states a second: a frame while it moves",),
    "history": ("a point of a whole day", "replay of a run of 8 h, p95"),
    "year": ("the year taken apart, slowest of five, p95",),
    "logins": ("10,000 robots log in over MQTT and TLS",),
    "rollout": ("request of an update client in a cold start, p99",),
    "power": ("robots with a wrong or half version after a power cut",),
    "faults": ("everything killed, first write",),
    "backup": ("backup of a year of 10,000 robots", "the same restored"),
    "startup": ("first start", "start with data, slowest of 3"),
    "peers": (
        "Lustra: messages stored",
        "Zabbix 6.0: messages stored",
        "Home Assistant 2024.3: messages stored",
        "Lustra: lost of 10,000 acknowledged, all killed",
        "Zabbix 6.0: lost of 10,000 acknowledged, all killed",
        "Home Assistant 2024.3: lost of 2,000 acknowledged, all killed",
    ),
}

Figure = dict[str, Any]
Runs = dict[str, dict[str, Any]]


def newest(root: Path) -> Runs:
    """Each bench's newest run, by its name."""
    runs: Runs = {}
    for path in sorted((root / "bench" / "results").glob("*.json")):
        runs |= json.loads(path.read_text("utf-8"))
    return dict(sorted(runs.items()))


def amount(value: float, unit: str) -> str:
    return f"{value:.3g} {unit}".strip() if abs(value) < GROUPED else f"{value:,.0f} {unit}".strip()


def line(figure: Figure, *before: str) -> str:
    unit = figure["unit"]
    worst = amount(figure["worst"], unit) if "worst" in figure else ""
    sign = "≥" if figure.get("at_least") else "≤"
    limit = f"{sign} {amount(figure['limit'], unit)}" if "limit" in figure else ""
    floor = f"{amount(figure['floor'], '')}, {figure['floor_name']}" if figure.get("floor") else ""
    cells = (*before, figure["name"], amount(figure["value"], unit), worst, limit, floor)
    return "| " + " | ".join(cells) + " |\n"


def machine(run: dict[str, Any]) -> str:
    about = run["machine"]
    return f"{about['cores']} cores, {about['cpu']}, {about['memory_gb']} GB, Python {about['python']}"


def first_figures(runs: Runs) -> str:
    """README.md's table. Raises SystemExit for a figure that its bench does not give any more."""
    lines: list[str] = []
    for bench, names in FIRST.items():
        given = {figure["name"]: figure for figure in runs[bench]["figures"]} if bench in runs else {}
        if missing := set(names) - given.keys():
            raise SystemExit(f"bench/results has no figure of {bench}: {', '.join(sorted(missing))}")
        lines += [line(given[name], bench) for name in names]
    return f"| bench | {COLUMNS}|---|---|---:|---:|---:|---|\n" + "".join(lines)


def all_figures(runs: Runs) -> str:
    """docs/figures.md: a table a bench, with the machine and how busy it was."""
    parts = [INTRODUCTION]
    for bench, run in runs.items():
        rows = "".join(map(line, run["figures"]))
        where = f"On {run['at'][:10]}, {machine(run)}, at a load of {run['machine']['load']:g}."
        parts.append(f"\n## {bench}\n\n{where}\n\n| {COLUMNS}|---|---:|---:|---:|---|\n{rows}")
    return "".join(parts)


def pages(root: Path) -> dict[Path, str]:
    """Both pages as they should be, by their paths."""
    runs = newest(root)
    before, head, rest = BEGIN.split((root / README).read_text("utf-8"), maxsplit=1)
    return {README: before + head + first_figures(runs) + END + rest.split(END, 1)[1], WHOLE: all_figures(runs)}


if __name__ == "__main__":
    for path, text in pages(ROOT).items():
        (ROOT / path).write_text(text, "utf-8")
