"""How often each place of a floor was cleaned in a range of days, and how long ago: all its robots' reported runs, on
the grid of one map, as in `cleaned`.

Dose: the liquid of a run is taken as spread evenly over what it swept, since no robot says it cell by cell; a place has
the mean of its runs that said how much they used, beside a target in ml/m².

Rules: a run counts on the day on which it began, at its robot's site; how long ago is by the range's last day. Of more
than MOST runs the newest count, and how many do not is said. Steps are masks, each with its m² of free floor, so that
they sum up to all of it; those of how often go by the range. One floor is counted at a time, and what was counted stays
while no run of it changes.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from lustra.core.context import Ctx
from lustra.domains.map.api import load_free_cells, load_version
from lustra.domains.report import queries
from lustra.domains.report.cleaned import Frame, of_floor, read_cells, read_frame
from lustra.domains.report.sums.ranges import Days
from lustra.protocol.masks import Cells, pack_mask, unpack_mask

MOST = 3000  # runs
AT_ONCE = 100  # of them whose cells are held
WEEK = 7
# The least of each step; the last has no end.
DAYS_AGO = (0, 2, 4, 8, 15)
OF_TARGET = (0, 1, 50, 100, 150)  # percent
PERCENT = 100
NEVER = -1

Numbers = NDArray[np.int32]
Amounts = NDArray[np.float32]
_counted: LRUCache[Any, "Heat"] = LRUCache(64)
_turn = asyncio.Lock()


@dataclass(frozen=True, slots=True)
class Heat:
    """By cell: how often it was cleaned, and how many days before the range's end the last time began (NEVER: it was
    not); ml/m² of all its runs that reported liquid, and how many these are. `aside`: runs on maps in another frame;
    `dosed`: runs that reported liquid."""

    times: Numbers
    ago: Numbers
    liquid: Amounts
    doses: Numbers
    aside: int = 0
    dosed: int = 0


async def load_heat(ctx: Ctx, map_id: int, days: Days, target: float | None) -> dict[str, Any]:
    """`target`: ml/m² of a dose; None: no dose is shown. Refused where the map is not in scope, or support is kept
    out."""
    version = await load_version(ctx, map_id, None)
    frame, where = read_frame(version), of_floor(ctx, version)
    span = {name: f"{where.value(value)}::date" for name, value in (("start", days.start), ("end", days.end))}
    rows = await ctx.app.pool.fetch(where.sql(queries.HEAT_RUNS, most=str(MOST + 1), **span), *where.values)
    runs = rows[:MOST]
    free = unpack_mask(await load_free_cells(ctx, version), (frame.height, frame.width))
    heat = await _count(ctx, version, frame, runs)
    steps = await asyncio.to_thread(describe_steps, heat, free, days.count, frame.resolution**2)
    dose = await asyncio.to_thread(describe_dose, heat, free, target, frame.resolution**2) if target else []
    return {
        "revision": version["revision"],
        "startDate": days.start,
        "endDate": days.end,
        "runs": len(runs) - heat.aside,
        "leftOut": heat.aside,
        "isCut": len(rows) > MOST,
        "area": float(free.sum()) * frame.resolution**2,
        **steps,
        "dosed": heat.dosed,
        "dose": dose,
    }


async def _count(ctx: Ctx, version: Any, frame: Frame, runs: Sequence[Any]) -> Heat:
    key = frame, version["id"], tuple((run["id"], run["ago"], run["updated_at"]) for run in runs)
    async with _turn:
        if key not in _counted:
            heat = begin_heat((frame.height, frame.width))
            for begin in range(0, len(runs), AT_ONCE):
                some = {run["id"]: run["ago"] for run in runs[begin : begin + AT_ONCE]}
                where = of_floor(ctx, version)
                where.add("r.id = any({}::bigint[])", list(some))
                rows = await ctx.app.pool.fetch(where.sql(queries.CLEANED_CELLS), *where.values)
                heat = await asyncio.to_thread(add_runs, heat, frame, some, rows)
            _counted[key] = heat
        return _counted[key]


def begin_heat(shape: tuple[int, int]) -> Heat:
    """Of no run."""
    return Heat(
        np.zeros(shape, np.int32),
        np.full(shape, NEVER, np.int32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.int32),
    )


def add_runs(heat: Heat, frame: Frame, ago: dict[int, int], rows: Sequence[Any]) -> Heat:
    """`ago`: how many days before the range's end a report's run began."""
    times, last, aside, dosed = heat.times, heat.ago, heat.aside, heat.dosed
    for row in rows:
        cells = read_cells(frame, row)
        if cells is None:
            aside += 1
            continue
        times[cells] += 1
        last[cells & ((last == NEVER) | (last > ago[row["id"]]))] = ago[row["id"]]
        if (swept := int(cells.sum())) and row["liquid_ml"] is not None:
            heat.liquid[cells] += row["liquid_ml"] / (swept * frame.resolution**2)
            heat.doses[cells] += 1
            dosed += 1
    return Heat(times, last, heat.liquid, heat.doses, aside, dosed)


def choose_times(days: int) -> list[int]:
    """The least of each step: not at all, at all, weekly, every other day, daily, twice a day."""
    return sorted({0, 1, -(-days // WEEK), -(-days // 2), days, 2 * days})


def describe_steps(heat: Heat, free: Cells, days: int, cell: float) -> dict[str, Any]:
    """`days`: how many the range has; `cell`: m² of one."""
    cleaned = heat.times > 0
    ages = _steps(heat.ago, DAYS_AGO, cleaned & free, cell)
    never = {"least": None, "most": None, **_mask(free & ~cleaned, cell)}
    return {"times": _steps(heat.times, choose_times(days), free, cell), "daysAgo": [*ages, never]}


def describe_dose(heat: Heat, free: Cells, target: float, cell: float) -> list[dict[str, Any]]:
    """In percent of the target; 0: no run is known to have left any."""
    mean = heat.liquid / np.maximum(heat.doses, 1)
    percent = np.maximum((PERCENT * mean / target).astype(np.int32), 1)
    return _steps(np.where(heat.liquid > 0, percent, 0).astype(np.int32), OF_TARGET, free, cell)


def _steps(values: Numbers, steps: Sequence[int], among: Cells, cell: float) -> list[dict[str, Any]]:
    ends = [*(step - 1 for step in steps[1:]), None]
    return [
        {"least": least, "most": most, **_mask(_between(values, least, most) & among, cell)}
        for least, most in zip(steps, ends, strict=True)
    ]


def _between(values: Numbers, least: int, most: int | None) -> Cells:
    return (values >= least) if most is None else (values >= least) & (values <= most)


def _mask(cells: Cells, cell: float) -> dict[str, Any]:
    return {"area": float(cells.sum()) * cell, "cells": pack_mask(cells)}
