"""Figures of two files of results, each before and after: `compare.py BEFORE.json AFTER.json`.

Rule: a figure with a floor is compared by its multiple of that floor, which a slow or busy machine lengthens as much;
others as they are. Of a speed, and of what shall be at least so much, more is better. What is worse by more than NOISE
is marked; a figure that stands in one file only is not compared.
"""

import json
import sys
from pathlib import Path
from typing import Any

NOISE = 0.25  # of what it was: two runs on one quiet machine differ by as much
Figure = dict[str, Any]
Runs = dict[str, dict[str, Any]]


def figures(runs: Runs) -> dict[tuple[str, str], Figure]:
    """By bench and name."""
    return {(bench, figure["name"]): figure for bench, run in runs.items() for figure in run["figures"]}


def compared(figure: Figure) -> float:
    floor = figure.get("floor")
    return figure["value"] / floor if floor else figure["value"]


def ratio(before: Figure, after: Figure) -> float:
    """How many times as bad it is as it was; 1: the same."""
    was, now = compared(before), compared(after)
    if after.get("at_least") or after["unit"].endswith("/s"):
        was, now = now, was
    return now / was if was else 1.0


def compare(before: Runs, after: Runs) -> list[tuple[str, bool]]:
    """A line for each figure of both, and whether it is worse by more than noise."""
    former, lines = figures(before), list[tuple[str, bool]]()
    for (bench, name), figure in figures(after).items():
        if (was := former.get((bench, name))) is None:
            continue
        times = ratio(was, figure)
        is_worse = times > 1 + NOISE
        floor = f"{was['floor']:10.4g} {figure['floor']:10.4g}" if was.get("floor") and figure.get("floor") else ""
        numbers = f"{was['value']:10.4g} {figure['value']:10.4g} {figure['unit']:8} {times:6.2f} × {floor:22}"
        lines.append((f"  {f'{bench}: {name}':56} {numbers}{'WORSE' if is_worse else ''}".rstrip(), is_worse))
    return lines


def main(paths: list[str]) -> int:
    before, after = (json.loads(Path(path).read_text("utf-8")) for path in paths)
    lines = compare(before, after)
    print(f"  {'figure':56} {'before':>10} {'after':>10} {'':8} {'ratio':>6}   {'floor before':>10} {'after':>10}")
    print("\n".join(line for line, _ in lines) or "  nothing that both files have")
    return 1 if any(is_worse for _, is_worse in lines) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
