"""What a run did not clean, and why: missed, blocked by a fault near by, or out of the reach of its tool.

Rules: the robot's report says which cells it could reach and did not clean, and which it cannot reach; without them
nothing is claimed. A missed place is counted again for each run of the floor in the WEEK before that left it as well.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lustra.core.context import Ctx
from lustra.domains.alarm.api import name_alarm
from lustra.domains.device.api import Where
from lustra.domains.map.api import RoomCells, load_room_cells, load_version
from lustra.domains.report import queries
from lustra.domains.report.cleaned import Frame, of_floor, place_cells, read_cells, read_frame
from lustra.domains.report.patches import Fault, Patch, count_again, draw_task, find_patches, name_faults
from lustra.domains.report.service import load_alarms, load_report
from lustra.protocol.masks import Cells, pack_mask, unpack_mask

WEEK = 7  # days
MOST_RUNS = 60  # of before that are looked at
UNKNOWN: dict[str, Any] = {
    "known": False,
    **{f"{kind}Area": 0.0 for kind in ("missed", "blocked", "unreachable")},
    **dict.fromkeys(("missed", "blocked", "unreachable")),
    "list": list[Any](),
}


async def load_not_cleaned(ctx: Ctx, report_id: int) -> dict[str, Any]:
    """Refused where the report is not in scope; nothing is known while support is kept out."""
    report = await load_report(ctx, report_id)
    if report["map"] is None:
        return UNKNOWN
    version = await load_version(ctx, report["mapId"], report["map"]["revision"])
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.id = {}", report_id)
    row = await ctx.app.pool.fetchrow(where.sql(queries.LEFT_CELLS), *where.values)
    if row is None or row["missed"] is None:
        return UNKNOWN
    rooms = await load_room_cells(ctx, version)
    alarms = await load_alarms(ctx, report["deviceId"], report["run"])
    faults = [Fault(alarm["code"], alarm["x"], alarm["y"]) for alarm in alarms if alarm["x"] is not None]
    earlier = await _load_earlier(ctx, version, row)
    evidence = Evidence(read_frame(version), row, earlier, faults, rooms, report["driven"])
    return await asyncio.to_thread(describe, evidence, ctx.language)


async def _load_earlier(ctx: Ctx, version: Any, row: Any) -> Sequence[Any]:
    """What the runs of the week before left of the floor."""
    where = of_floor(ctx, version)
    where.add("r.started < {}", row["started"])
    return await ctx.app.pool.fetch(
        where.sql(
            queries.LEFT_BEFORE, since=where.value(row["started"]), days=where.value(WEEK), most=where.value(MOST_RUNS)
        ),
        *where.values,
    )


@dataclass(frozen=True)
class Evidence:
    """`row`: what the run's report says of its cells; `earlier`: the same of runs before; `driven`: its way."""

    frame: Frame
    row: Any
    earlier: Sequence[Any]
    faults: Sequence[Fault]
    rooms: Sequence[RoomCells]
    driven: Sequence[float]


def describe(run: Evidence, language: str) -> dict[str, Any]:
    frame = run.frame
    left, beyond = (place_cells(frame, run.row[kind]) for kind in ("missed", "unreachable"))
    patches = find_patches(frame, left)
    name_faults(frame, patches, run.faults)
    before = (read_cells(frame, {**old, "cells": old["missed"]}) for old in run.earlier)
    count_again(patches, [cells for cells in before if cells is not None])
    for patch in patches:
        draw_task(frame, patch, run.driven)
    blocked = np.zeros_like(left)
    for patch in patches:
        if patch.fault:
            blocked[patch.window] |= patch.cells
    name = _Rooms(frame, run.rooms).name
    out_of_reach = find_patches(frame, beyond)
    kinds = [("blocked" if patch.fault else "missed", patch) for patch in patches]
    kinds += [("unreachable", patch) for patch in out_of_reach]
    sums = {"missed": left & ~blocked, "blocked": blocked, "unreachable": beyond}
    cell = frame.resolution**2
    return {
        "known": True,
        **{f"{kind}Area": round(float(cells.sum()) * cell, 4) for kind, cells in sums.items()},
        **{kind: pack_mask(cells) for kind, cells in sums.items()},
        "list": [_tell(kind, patch, name(patch), language) for kind, patch in kinds],
    }


def _tell(kind: str, patch: Patch, room: str, language: str) -> dict[str, Any]:
    code = patch.fault.code if patch.fault else ""
    return {
        "kind": kind,
        "area": round(patch.area, 4),
        "at": patch.at,
        "room": room,
        "code": code,
        "content": name_alarm(code, language),
        "times": patch.times,
        "corners": patch.corners,
        "start": patch.start,
    }


class _Rooms:
    """The drawn rooms of a floor, the smallest first: one may lie in a hall that is one, too."""

    def __init__(self, frame: Frame, rooms: Sequence[RoomCells]) -> None:
        masks = [(room.name, unpack_mask(room.mask, (frame.height, frame.width))) for room in rooms if room.name]
        self.masks: list[tuple[str, Cells]] = sorted(masks, key=lambda entry: int(entry[1].sum()))

    def name(self, patch: Patch) -> str:
        """The room in which more than half of a patch lies; "" of none."""
        half = patch.cells.sum() / 2
        return next((name for name, cells in self.masks if (cells[patch.window] & patch.cells).sum() > half), "")
