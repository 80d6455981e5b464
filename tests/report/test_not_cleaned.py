"""A report says what its run did not clean, patch by patch, and why; and how it is cleaned now."""

from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import numpy as np
import pytest

from lustra.core.errors import Code
from lustra.domains.report import keep as reports
from lustra.domains.report.cleaned import Frame
from lustra.domains.report.patches import draw_task, find_patches
from lustra.live.ingest import state as hot
from lustra.protocol.bus import Mask
from lustra.protocol.geometry import area, from_cell
from lustra.protocol.masks import Cells, pack_mask, unpack_mask
from tests.alarm.test_alarms import NOW, alarm_message, say
from tests.report.test_cleaned import SHAPE, keep_floor
from tests.report.test_cleaned_rooms import CELL, ORIGIN, keep_rooms, swept
from tests.world import World, report, state

MISSED = (2, 2, 5, 5)  # 4, 3 and 2 m²
STUCK = (25, 12, 28, 14)
BEYOND = (0, 20, 3, 21)
SPECK = (12, 2, 12, 2)  # 0.25 m²


async def keep_run(world: World, left: Cells, days: int = 0, beyond: Cells | None = None, **fields: Any) -> int:
    """A run that ended so many days ago; the number of its report."""
    ended = int((datetime.now(timezone.utc) - timedelta(days=days)).timestamp() * 1000)
    masks = {"missed": pack_mask(left), "unreachable": pack_mask(swept() if beyond is None else beyond)}
    sent = report(started=ended - 60_000, ended=ended, **(masks | fields))
    async with world.as_ingest() as db:
        await reports.keep(db, [("SC0001", sent)])
    return await world.pool.fetchval("select id from task_report where run = $1", sent.id)


async def raise_fault(world: World, run: str, column: float, row: float) -> None:
    x, y = from_cell(column, row, ORIGIN, CELL)
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), state(at=NOW, run=run, x=x, y=y))])
    await say(world, alarm_message("raised", (f"{run}{column}", "stuck")))


async def select_left(world: World, report_id: int, account: str = "user") -> dict[str, Any]:
    return await world.call(account, "/taskReport/notCleaned", taskReportId=report_id)


def cells_of(answer: dict[str, Any], kind: str) -> Cells:
    return unpack_mask(msgspec.convert(answer[kind], Mask), SHAPE)


async def test_divide_the_uncleaned_area_into_missed_blocked_and_unreachable(world: World):
    await keep_rooms(world)
    await raise_fault(world, "r1", 30, 13)
    number = await keep_run(world, swept(MISSED, STUCK, SPECK), beyond=swept(BEYOND), id="r1")
    answer = await select_left(world, number)
    assert [(p["kind"], p["area"], p["room"], p["code"]) for p in answer["list"]] == [
        ("missed", 4.0, "Lobby", ""),
        ("blocked", 3.0, "Hall", "stuck"),
        ("unreachable", 2.0, "", ""),
    ]
    assert [answer[f"{kind}Area"] for kind in ("missed", "blocked", "unreachable")] == [4.25, 3.0, 2.0]
    assert np.array_equal(cells_of(answer, "missed"), swept(MISSED, SPECK))
    assert np.array_equal(cells_of(answer, "blocked"), swept(STUCK))
    assert np.array_equal(cells_of(answer, "unreachable"), swept(BEYOND))
    assert answer["list"][1]["content"] not in {"", "stuck"}


async def test_of_several_faults_the_nearest_blocks_and_one_far_away_none(world: World):
    await keep_floor(world, "SC0001")
    await raise_fault(world, "r1", 0, 29)
    number = await keep_run(world, swept(MISSED), id="r1")
    assert [p["kind"] for p in (await select_left(world, number))["list"]] == ["missed"]


async def test_the_same_place_is_counted_over_the_runs_of_a_week(world: World):
    await keep_floor(world, "SC0001")
    await keep_run(world, swept(MISSED), days=9)
    await keep_run(world, swept(MISSED), days=3)
    await keep_run(world, swept((2, 2, 5, 3)), days=2)  # half of it
    await keep_run(world, swept((2, 2, 5, 2)), days=1)  # a quarter
    number = await keep_run(world, swept(MISSED))
    await keep_run(world, swept(MISSED), days=-1)
    assert [p["times"] for p in (await select_left(world, number))["list"]] == [3]


async def test_a_task_for_a_patch_covers_it_and_begins_where_the_robot_drove_past(world: World):
    await keep_floor(world, "SC0001")
    number = await keep_run(world, swept(MISSED), driven=[10.0, 10.0, 2.0, 1.5, -9.0, 3.0], beyond=swept(BEYOND))
    patch, beyond = (await select_left(world, number))["list"]
    assert area([tuple(corner) for corner in patch["corners"]]) >= 4
    assert patch["start"] == [2.0, 1.5]
    assert (beyond["corners"], beyond["start"]) == ([], None)
    alone = await keep_run(world, swept(MISSED))
    assert [p["start"] == p["at"] for p in (await select_left(world, alone))["list"]] == [True]


@pytest.mark.parametrize(("resolution", "cells", "count"), [(0.1, 49, 0), (0.1, 50, 1), (0.05, 199, 0), (0.05, 200, 1)])
def test_leave_out_patches_under_half_a_square_metre(resolution: float, cells: int, count: int):
    missed = np.zeros((20, 30), np.bool_)
    missed.ravel()[:cells] = True
    assert len(find_patches(Frame(resolution, 0.0, 0.0, 0.0, width=30, height=20), missed)) == count


def test_a_task_for_a_patch_at_the_maps_edge_stays_on_the_map():
    frame = Frame(0.1, 0.0, 0.0, 0.0, width=40, height=30)
    (patch,) = find_patches(frame, np.ones((30, 40), np.bool_))
    draw_task(frame, patch, [])
    assert sorted(set(patch.corners)) == [(0.0, 0.0), (0.0, 3.0), (4.0, 0.0), (4.0, 3.0)]


@pytest.mark.parametrize("fields", [{"missed": None}, {"map": "Gone"}])
async def test_claim_no_coverage_without_the_robots_grid_or_the_map(world: World, fields: Any):
    await keep_floor(world, "SC0001")
    answer = await select_left(world, await keep_run(world, swept(MISSED), **fields))
    assert (answer["known"], answer["missed"], answer["list"]) == (False, None, [])


async def test_a_broken_mask_leaves_the_rest_of_the_report_readable(world: World):
    await keep_floor(world, "SC0001")
    broken = Mask(width=4, height=4, data="AAAA")
    answer = await select_left(world, await keep_run(world, swept(), missed=broken))
    assert (answer["known"], answer["missedArea"], answer["list"]) == (True, 0.0, [])


async def test_a_foreign_tenant_does_not_see_what_was_left(world: World):
    await keep_floor(world, "SC0001")
    number = await keep_run(world, swept(MISSED))
    for account in ("rivaluser", "rival"):
        code, _ = await world.raw(account, "/taskReport/notCleaned", taskReportId=number)
        assert code == Code.NOT_FOUND
