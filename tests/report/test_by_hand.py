"""Runs are entered, corrected and deleted by people who have their owner in scope; what the robot said is kept."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.report import keep as reports
from tests.map.test_maps import mirrored
from tests.report.test_charts import keep_run, ms
from tests.world import World, report

FOREIGN = ("rival", "rivaluser")
NOON = ms(2026, 3, 5, 12)
RUN = {
    "taskName": "Lobby",
    "startTime": "2026-03-05T12:00:00Z",
    "endTime": "2026-03-05T13:00:00Z",
    "workArea": 50,
    "cleanedArea": 40.5,
}


async def select(world: World, report_id: int, account: str = "user") -> Any:
    return await world.call(account, "/taskReport/detail", taskReportId=report_id)


async def name_of(world: World, account: str) -> str:
    return await world.pool.fetchval("select name from account where account = $1", account)


async def insert(world: World, account: str = "user", sn: str = "SC0001", **fields: Any) -> tuple[int, Any]:
    return await world.raw(account, "/taskReport/insertTaskReport", **(RUN | {"deviceId": world.devices[sn]} | fields))


@pytest.mark.spec("call.taskReport.editTaskReport")
async def test_mark_a_corrected_run_and_store_the_robots_figures(world: World):
    report_id = await keep_run(world, NOON, 3600, cleaned=12.3, reachable=90.0)
    assert (await select(world, report_id))["original"] is None
    await world.call("dealer", "/taskReport/editTaskReport", taskReportId=report_id, cleanedArea=45, workArea=60)
    await world.call("user", "/taskReport/editTaskReport", taskReportId=report_id, taskName="Hall", end="failed")
    row = await select(world, report_id)
    assert (row["byHand"], row["taskName"], row["end"]) == ("edited", "Hall", "failed")
    assert row["editor"] == await name_of(world, "user")
    assert (row["cleanedArea"], row["plannedArea"], row["coverage"], row["efficiency"]) == (45, 60, 750, 4500)
    original = row["original"]
    assert (original["taskName"], original["cleanedArea"], original["workArea"]) == ("Lobby", 12.3, 100)
    assert original["endTime"] == row["endTime"]
    [edit, former] = (await world.call("admin", "/log/list", action="report.edit"))["list"]
    assert edit["before"] == {"taskName": "Lobby", "end": "finished"}
    assert former["before"].keys() == {"cleanedArea", "workArea"}


async def test_a_late_correction_is_refused(world: World):
    report_id = await keep_run(world, NOON)
    seen = (await select(world, report_id))["updateTime"]
    await world.call("user", "/taskReport/editTaskReport", taskReportId=report_id, cleanedArea=1)
    late = {"taskReportId": report_id, "cleanedArea": 2, "updateTime": seen}
    code, data = await world.raw("user", "/taskReport/editTaskReport", **late)
    assert (code, data["fields"]) == (Code.CONFLICT, ["cleanedArea"])
    assert (await select(world, report_id))["cleanedArea"] == 1


async def test_ignore_a_repeated_report_of_a_corrected_run(world: World):
    report_id = await keep_run(world, NOON, id="r1", cleaned=12)
    await world.call("user", "/taskReport/editTaskReport", taskReportId=report_id, cleanedArea=45)
    await keep_run(world, NOON, id="r1", cleaned=12)
    assert (await select(world, report_id))["cleanedArea"] == 45


async def test_a_run_that_goes_on_is_left_to_its_robot(world: World):
    report_id = await keep_run(world, NOON)
    await world.pool.execute("update task_report set provisional = true")
    code, data = await world.raw("user", "/taskReport/editTaskReport", taskReportId=report_id, cleanedArea=1)
    assert (code, data["field"]) == (Code.BAD_INPUT, "taskReportId")


@pytest.mark.spec("call.taskReport.insertTaskReport")
async def test_a_run_is_entered_by_hand_for_its_robots_owner(world: World):
    await mirrored(world)
    code, data = await insert(world, "dealer", mapName="Ground")
    assert code == 0
    row = await select(world, data["taskReportId"])
    assert (row["byHand"], row["editor"], row["original"]) == ("inserted", await name_of(world, "dealer"), None)
    assert (row["taskName"], row["cleanedArea"], row["coverage"], row["seconds"]) == ("Lobby", 40.5, 810, 3600)
    assert (row["mapName"], row["building"], row["ownerUserId"]) == ("Ground", "Kestrel", world.accounts["user"])
    assert row["mapId"] is not None
    await world.call("user", "/taskReport/editTaskReport", taskReportId=row["taskReportId"], cleanedArea=1)
    row = await select(world, row["taskReportId"])
    assert (row["byHand"], row["editor"], row["original"]) == ("inserted", await name_of(world, "user"), None)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"endTime": "2026-03-05T11:00:00Z"}, "endTime"),
        ({"endTime": "2100-03-05T11:00:00Z"}, "endTime"),
        ({"cleanedArea": -1}, "cleanedArea"),
        ({"workArea": 1e12}, "workArea"),
        ({"taskName": " "}, "taskName"),
        ({"startTime": "yesterday"}, "startTime"),
        ({"end": "running"}, "end"),
    ],
)
async def test_a_run_that_cannot_have_been_is_refused(world: World, fields: dict[str, Any], field: str):
    code, data = await insert(world, **fields)
    assert (code, data["field"]) == (Code.BAD_INPUT, field)
    report_id = await keep_run(world, ms(2026, 3, 5, 12), 3600)
    code, data = await world.raw("user", "/taskReport/editTaskReport", taskReportId=report_id, **fields)
    if field != "taskName":
        assert (code, data["field"]) == (Code.BAD_INPUT, field)


async def test_an_area_too_small_for_any_column_is_none(world: World):
    code, entered = await insert(world, cleanedArea=5e-324)
    assert code == 0, entered
    assert await world.pool.fetchval("select cleaned from task_report order by id desc limit 1") == 0


@pytest.mark.spec("call.taskReport.deleteTaskReport", "q.delete_before_time")
async def test_runs_are_deleted_by_number_or_before_a_day_at_their_site(world: World):
    await world.pool.execute("update device set zone = 'Asia/Tokyo' where serial_number = 'SC0002'")
    evening = ms(2026, 3, 4, 20)  # the next day in Tokyo
    early, tokyo, noon = [await keep_run(world, evening, sn=sn) for sn in ("SC0001", "SC0002")] + [
        await keep_run(world, NOON)
    ]

    async def left() -> set[int]:
        return {row["id"] for row in await world.pool.fetch("select id from task_report")}

    delete = "/taskReport/deleteTaskReport"
    assert await world.call("user", delete, time="2026-03-05", deviceIds=[world.devices["SC0002"]]) == {"count": 0}
    assert await world.call("user", delete, time="2026-03-05") == {"count": 1}
    assert await left() == {tokyo, noon}
    assert await world.call("user", delete, taskReportId=noon, time="") == {"count": 1}
    assert await left() == {tokyo}
    assert early not in await left()


@pytest.mark.parametrize("fields", [{}, {"deviceIds": []}, {"time": "", "taskReportId": ""}, {"deviceIds": [1]}])
async def test_without_a_number_or_a_day_nothing_is_deleted(world: World, fields: dict[str, Any]):
    await keep_run(world, NOON)
    assert (await world.raw("user", "/taskReport/deleteTaskReport", **fields))[0] == Code.BAD_INPUT
    assert await world.pool.fetchval("select count(*) from task_report") == 1


async def test_a_number_and_a_day_at_once_are_refused(world: World):
    report_id = await keep_run(world, NOON)
    for besides in ({"time": "2026-04-01"}, {"deviceIds": [world.devices["SC0001"]]}):
        code, _ = await world.raw("user", "/taskReport/deleteTaskReport", taskReportId=report_id, **besides)
        assert code == Code.BAD_INPUT
    assert await world.pool.fetchval("select count(*) from task_report") == 1


@pytest.mark.parametrize("account", FOREIGN)
async def test_a_foreign_tenant_changes_no_run(world: World, account: str):
    report_id = await keep_run(world, NOON)
    before = await world.pool.fetchval("select json_agg(r)::text from task_report r")
    change = {"taskReportId": report_id, "cleanedArea": 1}
    assert (await world.raw(account, "/taskReport/editTaskReport", **change))[0] == Code.NOT_FOUND
    assert (await insert(world, account))[0] == Code.NOT_FOUND
    assert (await world.raw(account, "/taskReport/deleteTaskReport", taskReportId=report_id))[0] == Code.NOT_FOUND
    assert await world.call(account, "/taskReport/deleteTaskReport", time="2100-01-01") == {"count": 0}
    assert (await world.raw(account, "/taskReport/chartMap", taskReportId=report_id))[0] == Code.NOT_FOUND
    assert await world.pool.fetchval("select json_agg(r)::text from task_report r") == before


async def test_let_a_bound_account_read_runs_and_change_none(world: World):
    report_id = await keep_run(world, NOON)
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'sub'", world.devices["SC0001"]
    )
    assert (await select(world, report_id, "sub"))["taskName"] == "Lobby"
    for path, fields in (("editTaskReport", {"cleanedArea": 1}), ("deleteTaskReport", {})):
        code, _ = await world.raw("sub", f"/taskReport/{path}", taskReportId=report_id, **fields)
        assert code == Code.NOT_FOUND
    assert (await insert(world, "sub"))[0] == Code.NOT_FOUND


async def test_sums_stay_where_old_data_is_cleared_and_say_so(world: World):
    for days in (400, 300):
        ended = int((datetime.now(timezone.utc) - timedelta(days=days)).timestamp() * 1000)
        async with world.as_ingest() as db:
            await reports.keep(db, [("SC0001", report(started=ended - 60_000, ended=ended, cleaned=10))])
    days = {"endDate": str((datetime.now(timezone.utc) - timedelta(days=200)).date()), "range": "year"}
    await world.call("admin", "/user/cleanCache", confirm=1)
    summary = await world.call("user", "/taskReport/chartSummary", **days)
    assert (summary["runs"], summary["clearedRuns"], summary["cleanedArea"]) == (2, 1, 20)


@pytest.mark.spec("call.taskReport.chartMap")
async def test_the_floor_and_the_way_of_a_run_are_pictures_of_one_size(world: World):
    await mirrored(world)
    report_id = await keep_run(world, NOON, map="Ground", driven=[-1.0, -2.0, 0.5, -2.0])
    pictures = await world.call("user", "/taskReport/chartMap", taskReportId=report_id)
    assert pictures["mapUrl"].startswith("data:image/png;base64,iVBOR")
    assert pictures["trackUrl"].startswith("data:image/svg+xml;base64,")
