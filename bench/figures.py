"""What benches share: how a figure is printed, and how much is measured.

Rule: with BENCH_SHORT a bench measures just enough to show that it still works; such figures are kept nowhere.
"""

import json
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

SHORT = bool(os.environ.get("BENCH_SHORT"))


def print_figure(name: str, value: float, unit: str, **more: Any) -> None:
    """One line for run.py, which says what `more` may hold. A short form is judged by no limit."""
    if SHORT:
        more = {key: each for key, each in more.items() if key not in ("limit", "at_least", "most_floors")}
    print(json.dumps({"name": name, "value": round(value, 4), "unit": unit, **more}), flush=True)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share (0 to 1) of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


Attempt = Callable[[], Awaitable[object]]


async def time_ms(attempt: Attempt) -> float:
    """Milliseconds that one attempt takes."""
    began = time.perf_counter()
    await attempt()
    return (time.perf_counter() - began) * 1000


async def times_ms(attempt: Attempt, count: int, *, warm: int = 0, before: Attempt | None = None) -> list[float]:
    """Milliseconds of each, one after the other; the first `warm` are not counted, nor what `before` does."""
    times: list[float] = []
    for _ in range(warm + count):
        if before:
            await before()
        times.append(await time_ms(attempt))
    return times[warm:]
