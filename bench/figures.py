"""What benches share: how a figure is printed, and how much is measured.

Rule: with BENCH_SHORT a bench measures just enough to show that it still works; such figures are kept nowhere.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

SHORT = bool(os.environ.get("BENCH_SHORT"))


def print_figure(name: str, value: float, unit: str, **more: Any) -> None:
    """One line for run.py, which says what `more` may hold. A short form is judged by no limit."""
    if SHORT:
        more = {key: each for key, each in more.items() if key not in ("limit", "at_least")}
    print(json.dumps({"name": name, "value": round(value, 4), "unit": unit, **more}), flush=True)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share (0 to 1) of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
