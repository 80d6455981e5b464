"""What robots report amiss, through the bus: it is answered clearly, and the numbers of every screen stay right."""

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest

from lustra.core.errors import Code
from lustra.domains.report import keep
from lustra.protocol import bus
from lustra.protocol.flaws import Flaw, Flawed, Reason
from tests.live.test_ingest_bus import ingesting, tell
from tests.report.test_cleaned import keep_floor
from tests.world import World, report, until

NOON = datetime.now(timezone.utc).replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=3)
MS = timedelta(milliseconds=1)
RANGE = {"startDate": str(NOON.date() - timedelta(days=5)), "endDate": str(NOON.date() + timedelta(days=5))}


def run(after: timedelta = timedelta(), **fields: Any) -> bus.Report:
    """Of ten minutes, which began so long after noon three days ago."""
    began = round((NOON + after).timestamp() * 1000)
    return report(started=began, ended=began + 600_000, **fields)


async def hear_robot(world: World) -> tuple[list[str], list[dict[str, Any]]]:
    """Ids of reports of which the robot has a receipt, and what was refused to it."""
    receipts, refusals = list[str](), list[dict[str, Any]]()

    async def receipt(message: Any) -> None:
        receipts.extend(json.loads(message.data)["ids"])

    async def refusal(message: Any) -> None:
        refusals.append(json.loads(message.data))

    await world.services.bus.subscribe(bus.cmd("SC0001", "kept"), receipt)
    await world.services.bus.subscribe(bus.cmd("SC0001", "refused"), refusal)
    return receipts, refusals


async def sums(world: World) -> dict[str, float]:
    """Cleaned area by day, the same in the series, the total, the parts and the list."""
    chart = (await world.call("user", "/taskReport/chart", **RANGE))["list"]
    by_day = {row["date"]: row["cleanedArea"] for row in chart if row["runs"]}
    total = await world.call("user", "/summary/chartAll", **RANGE)
    parts = (await world.call("user", "/taskReport/chartParts", by="robot", **RANGE))["list"]
    listed = await world.call("user", "/taskReport/list", **RANGE)
    areas = {
        sum(by_day.values()),
        total["area"],
        sum(row["cleanedArea"] for row in parts),
        listed["sums"]["cleanedArea"],
    }
    assert len(areas) == 1, areas
    assert sum(row["runs"] for row in chart) == total["runs"] == listed["total"]
    return by_day


async def test_reports_twice_late_and_out_of_order_count_once_each_on_their_day(world: World):
    receipts, _ = await hear_robot(world)
    last, first = run(timedelta(days=2), cleaned=4.0), run(cleaned=1.0)
    late = run(timedelta(days=-2), cleaned=2.0)
    async with ingesting(world):
        for sent in (last, first, last, late, first):
            await tell(world, bus.report("SC0001"), sent)

        async def have_receipts() -> bool:
            return {last.id, first.id, late.id} <= set(receipts)

        await until(have_receipts)
    day = NOON.date()
    expected = {str(day - timedelta(days=2)): 2.0, str(day): 1.0, str(day + timedelta(days=2)): 4.0}
    assert await sums(world) == expected


@pytest.mark.parametrize("field", ["planned", "reachable", "cleaned"])
async def test_a_negative_area_is_refused_to_its_robot_and_counts_nowhere(world: World, field: str):
    receipts, refusals = await hear_robot(world)
    bad, good = run(**{field: -50.0}), run(timedelta(hours=1), cleaned=3.0)
    async with ingesting(world):
        await tell(world, bus.report("SC0001"), bad)
        await tell(world, bus.report("SC0001"), good)

        async def answered() -> bool:
            return bool(refusals) and good.id in receipts

        await until(answered)
    assert [(each["id"], each["field"], each["reason"]) for each in refusals] == [(bad.id, field, "out_of_range")]
    assert await sums(world) == {str(NOON.date()): 3.0}


async def test_a_report_from_tomorrow_counts_when_it_came_and_takes_as_long_as_it_says(world: World):
    receipts, _ = await hear_robot(world)
    await world.pool.execute("update device set zone = 'UTC'")
    ended = datetime.now(timezone.utc) + timedelta(days=1)
    sent = report(started=round(ended.timestamp() * 1000) - 60_000, ended=round(ended.timestamp() * 1000), cleaned=5.0)
    async with ingesting(world):
        await tell(world, bus.report("SC0001"), sent)

        async def has_receipt() -> bool:
            return sent.id in receipts

        await until(has_receipt)
    [row] = (await world.call("user", "/taskReport/list"))["list"]
    end = datetime.fromisoformat(row["endTime"])
    assert (row["seconds"], end <= datetime.now(timezone.utc)) == (60, True)
    assert [*await sums(world)] == [str(datetime.fromisoformat(row["startTime"]).date())]


async def test_a_report_of_a_deleted_map_is_shown_and_says_that_there_is_no_floor(world: World):
    await keep_floor(world, "SC0001")
    receipts, _ = await hear_robot(world)
    sent = run(cleaned=9.0)
    async with ingesting(world):
        await tell(world, bus.report("SC0001"), sent)

        async def has_receipt() -> bool:
            return sent.id in receipts

        await until(has_receipt)
    await world.pool.execute("delete from floor_map")
    [row] = (await world.call("user", "/taskReport/list"))["list"]
    number = row["taskReportId"]
    assert (row["mapId"], row["mapName"], row["cleanedArea"]) == (None, "Ground", 9.0)
    assert await sums(world) == {str(NOON.date()): 9.0}
    detail = await world.call("user", "/taskReport/detail", taskReportId=number)
    assert detail["mapName"] == "Ground"
    replay = await world.call("user", "/taskReport/replay", taskReportId=number)
    assert replay["marks"] == []
    answer = (await world.post("user", "/taskReport/chartMap", taskReportId=number)).json()
    assert (answer["message"]["code"], answer["data"]["field"]) == (Code.NOT_FOUND, "mapId")
    assert "map of this run was deleted" in str(answer["message"])


@pytest.mark.parametrize("path", ["/taskReport/list", "/taskReport/chartParts", "/taskReport/export"])
async def test_a_range_back_to_front_of_runs_is_refused(world: World, path: str):
    code, data = await world.raw("user", path, startDate="2026-05-01", endDate="2026-04-30")
    assert (code, data["field"]) == (Code.BAD_INPUT, "endDate")


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"id": ""}, "id", "missing"),
        ({"task": "x" * 1001}, "task", "out_of_range"),
        ({"started": 0}, "started", "out_of_range"),
        ({"ended": 1}, "ended", "out_of_range"),
    ],
)
def test_refuse_an_invalid_run_by_its_field(fields: dict[str, Any], field: str, reason: Reason):
    with pytest.raises(Flawed) as refused:
        keep.read(bus.encode(msgspec.structs.replace(run(), **fields)))
    assert refused.value.flaw == Flaw(field, reason)


async def test_no_report_is_stored_where_none_came(world: World):
    async with world.as_ingest() as db:
        assert await keep.keep(db, []) == {}
