"""A run counts once, belongs to who owned the robot then, and is listed, shown and exported as it was."""

import io
import zipfile
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import openpyxl
import pytest

from lustra.core import sheet as sheets
from lustra.core.errors import Code
from lustra.domains.report import keep as reports
from lustra.domains.report import queries, service
from lustra.live.ingest import presence
from lustra.live.ingest import state as hot
from lustra.protocol.bus import Mask, Report
from lustra.protocol.flaws import Flawed
from tests.map.test_maps import mirrored
from tests.world import World, report, state

AT = 1_772_366_400_000
FOREIGN = ("rivaluser", "rival")


async def keep_reports(world: World, *sent: Report, sn: str = "SC0001"):
    async with world.as_ingest() as db:
        return await reports.keep(db, [(sn, item) for item in sent])


async def store_states(world: World, *states: Any, sn: str = "SC0001"):
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), fields) for fields in states])
        await reports.follow(db)


async def list_reports(world: World, account: str = "user", **filters: Any):
    return (await world.call(account, "/taskReport/list", **filters))["list"]


async def test_a_report_handed_over_twice_counts_once(world: World):
    sent = report()
    assert await keep_reports(world, sent, sent) == {"SC0001": [sent.id]}
    assert await keep_reports(world, sent) == {"SC0001": [sent.id]}  # the robot may forget it, again
    assert len(await list_reports(world)) == 1


async def test_a_report_of_a_robot_of_nobody_gets_no_receipt(world: World):
    assert await keep_reports(world, report(), sn="SC9999") == {}


@pytest.mark.spec("call.taskReport.list", "ent.task_report", "rule.report.coverage", "rule.report.efficiency")
async def test_the_list_tells_thousandths_and_hundredths(world: World):
    await keep_reports(world, report(coverage=0.9, cleaned=81, started=AT, ended=AT + 1_800_000))
    (row,) = await list_reports(world)
    assert (row["coverage"], row["efficiency"], row["seconds"]) == (900, 16200, 1800)
    assert row["deviceSerialNumber"] == "SC0001"


@pytest.mark.spec("call.taskReport.listChildTask", "odd.field.gid.listChildTask", "ent.task_report.gid")
async def test_the_runs_of_one_group_are_listed_as_they_began(world: World):
    second, first = (
        report(id=name, gid="g1", started=AT + start, ended=AT + start + 1000)
        for name, start in (("b", 5000), ("a", 0))
    )
    await keep_reports(world, second, report(id="alone"), first, report(id="other", gid="g2"))
    for gid, runs in (("g1", ["a", "b"]), ("alone", ["alone"]), ("a", []), ("none", [])):
        listed = (await world.call("user", "/taskReport/listChildTask", gid=gid))["list"]
        ids = [row["taskReportId"] for row in listed]
        rows = await world.pool.fetch("select run from task_report where id = any($1) order by started, run", ids)
        assert [row["run"] for row in rows] == runs, gid
        assert {row["gid"] for row in listed} <= {gid}
        for account in FOREIGN:
            assert (await world.call(account, "/taskReport/listChildTask", gid=gid))["list"] == []


async def test_the_list_is_filtered(world: World):
    await keep_reports(world, report(task="Lobby", started=AT, ended=AT + 1), report(task="Ballroom", end="cancelled"))
    await keep_reports(world, report(task="Ward 机器"), sn="SC0003")
    assert {r["taskName"] for r in await list_reports(world, taskName="ball")} == {"Ballroom"}
    assert {r["taskName"] for r in await list_reports(world, text="机器")} == {"Lobby", "Ballroom", "Ward 机器"}
    assert {r["taskName"] for r in await list_reports(world, end="cancelled")} == {"Ballroom"}
    assert {r["taskName"] for r in await list_reports(world, deviceIds=[world.devices["SC0003"]])} == {"Ward 机器"}
    assert {r["taskName"] for r in await list_reports(world, startDate="2026-03-01", endDate="2026-03-01")} == {"Lobby"}
    assert {r["taskName"] for r in await list_reports(world, userId=world.accounts["sub"])} == {"Ward 机器"}
    assert len(await list_reports(world, pageSize=1, currentPage=2)) == 1


async def test_totals_are_those_of_all_runs_that_match_on_whatever_page(world: World):
    span = {"started": AT, "ended": AT + 600_000}
    await keep_reports(world, *(report(cleaned=cleaned, reachable=50.0, **span) for cleaned in (10.5, 20.25, 40.0)))
    await keep_reports(world, report(task="Other", cleaned=5.0))
    whole = await world.call("user", "/taskReport/list", taskName="Lobby", pageSize=1, currentPage=2)
    assert (whole["total"], whole["sums"]) == (3, {"seconds": 1800.0, "plannedArea": 150.0, "cleanedArea": 70.75})
    nothing = await world.call("user", "/taskReport/list", taskName="None")
    assert nothing["sums"] == {"seconds": 0.0, "plannedArea": 0.0, "cleanedArea": 0.0}


async def test_a_heading_sorts_all_runs_not_those_of_the_page(world: World):
    await keep_reports(world, *(report(task=task, cleaned=area) for task, area in (("Ward 10", 5), ("Ward 9", 70))))
    await keep_reports(world, report(task="ward 1", cleaned=30))
    tasks = [r["taskName"] for r in await list_reports(world, sort="task")]
    assert tasks == ["ward 1", "Ward 9", "Ward 10"]
    largest = await list_reports(world, sort="cleanedArea", descending=True, pageSize=1)
    assert [r["taskName"] for r in largest] == ["Ward 9"]
    sheet = (await world.post("user", "/taskReport/export", sort="task", form="csv")).text.splitlines()[1:]
    assert [next(task for task in tasks if task in line) for line in sheet] == tasks


@pytest.mark.parametrize("column", queries.SORTS)
async def test_each_column_of_the_list_sorts(world: World, column: str):
    await keep_reports(world, report(), report())
    assert len(await list_reports(world, sort=column)) == 2


async def test_numbers_are_answered_as_the_robot_sent_them(world: World):
    sent = report(cleaned=12.3, planned=45.7, battery_from=61.9, liquid_ml=0.7, distance=100.1, driven=[0.1, -2.3])
    await keep_reports(world, sent)
    [row] = await list_reports(world)
    assert (row["cleanedArea"], row["workArea"], row["batteryFrom"]) == (12.3, 45.7, 61.9)
    assert (row["liquidMl"], row["distance"]) == (0.7, 100.1)
    detail = await world.call("user", "/taskReport/detail", taskReportId=row["taskReportId"])
    assert detail["driven"] == [0.1, -2.3]


async def test_a_foreign_tenant_sees_no_report(world: World):
    await keep_reports(world, report())
    report_id = (await list_reports(world))[0]["taskReportId"]
    for account in FOREIGN:
        assert await list_reports(world, account) == []
        assert (await world.raw(account, "/taskReport/detail", taskReportId=report_id))[0] == Code.NOT_FOUND
        sheet = await world.post(account, "/taskReport/export")
        assert openpyxl.load_workbook(io.BytesIO(sheet.content)).active.max_row == 1


async def test_a_robot_that_changes_hands_leaves_its_reports_behind(world: World):
    await keep_reports(world, report(task="Before"))
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a"
        " where a.account = 'rivaluser' and serial_number = 'SC0001'"
    )
    await keep_reports(world, report(task="After"))
    assert {r["taskName"] for r in await list_reports(world)} == {"Before"}
    assert {r["taskName"] for r in await list_reports(world, "rivaluser")} == {"After"}


async def test_the_detail_shows_the_cells_and_the_way(world: World):
    cells = Mask.pack(16, 2, b"\xff\x00\x0f\xf0", column=3, row=4)
    await keep_reports(world, report(cells=cells, driven=[0.0, 1.5, 2.0, 3.5]))
    detail = await world.call("user", "/taskReport/detail", taskReportId=(await list_reports(world))[0]["taskReportId"])
    assert detail["driven"] == [0.0, 1.5, 2.0, 3.5]
    assert Mask(**detail["cells"]).bits() == b"\xff\x00\x0f\xf0"
    assert detail["map"] is None


async def test_a_run_knows_its_neighbours_and_what_its_task_came_to_before(world: World):
    runs = [("SC0001", "Ward"), ("SC0001", "Lobby"), ("SC0002", "Ward"), ("SC0001", "Ward"), ("SC0001", "Lobby")]
    for at, (sn, task) in enumerate(runs):
        started = 1_790_000_000_000 + at * 3_600_000
        async with world.as_ingest() as db:
            await reports.keep(db, [(sn, report(task=task, started=started, ended=started + 60_000, id=f"run{at}"))])
    rows = await world.pool.fetch("select id from task_report order by started")
    first, second, foreign, third, last = (row["id"] for row in rows)
    ask = {run: await world.call("user", "/taskReport/neighbours", taskReportId=run) for run in (first, third, last)}
    assert [(a["earlierId"], a["laterId"]) for a in ask.values()] == [(None, second), (second, last), (third, None)]
    assert [a["before"] and a["before"]["taskReportId"] for a in ask.values()] == [None, first, second]
    for account in FOREIGN:
        assert (await world.raw(account, "/taskReport/neighbours", taskReportId=foreign))[0] == Code.NOT_FOUND


async def fetch_floor(world: World, account: str, report_id: int):
    """The code of the envelope, 0 for the picture itself."""
    answer = await world.post(account, "/taskReport/floor", taskReportId=report_id)
    return 0 if answer.headers["content-type"] == "image/png" else answer.json()["message"]["code"]


async def test_the_floor_of_a_run_is_a_picture_for_those_who_may_look(world: World):
    await mirrored(world, at=1)
    await keep_reports(world, report())
    [row] = await list_reports(world)
    run = row["taskReportId"]
    assert [await fetch_floor(world, account, run) for account in ("user", *FOREIGN)] == [0, *[Code.NOT_FOUND] * 2]
    await world.call("user", "/support/close")
    assert [await fetch_floor(world, account, run) for account in ("user", "dealer")] == [0, Code.SUPPORT_CLOSED]
    detail = await world.call("dealer", "/taskReport/detail", taskReportId=run)
    assert (detail["closed"], detail["map"], detail["cells"], detail["driven"]) == (True, None, None, [])


async def test_a_run_on_a_map_that_nobody_has_shows_no_floor(world: World):
    await keep_reports(world, report())
    [row] = await list_reports(world)
    assert await fetch_floor(world, "user", row["taskReportId"]) == Code.NOT_FOUND


@pytest.mark.spec("rule.export.duration", "rule.export.percent", "const.x.export_name")
async def test_the_export_has_durations_percentages_and_no_formula(world: World):
    await keep_reports(
        world, report(task='=HYPERLINK("http://x")', started=AT, ended=AT + 25 * 3_600_000, coverage=0.985)
    )
    answer = await world.post("user", "/taskReport/export")
    assert answer.headers["content-disposition"].endswith("export.xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    row = dict(zip((c.value for c in sheet[1]), sheet[2], strict=True))
    assert row["Duration"].value == timedelta(hours=25)
    assert row["Duration"].number_format == "[h]:mm:ss"
    assert (row["Coverage"].value, row["Coverage"].number_format) == (0.985, "0.0%")
    assert row["Battery used"].value == pytest.approx(0.2)
    assert (row["Task"].value, row["Task"].data_type) == ('=HYPERLINK("http://x")', "s")
    assert row["Start time"].value == datetime(2026, 3, 1, 12)  # noqa: DTZ001  a sheet knows no zones


async def test_the_export_ends_with_the_sums_that_the_list_shows(world: World):
    await keep_reports(world, *(report(task=f"Task {n}", cleaned=20.25 * n, planned=100) for n in (1, 2)))
    sums = (await world.call("user", "/taskReport/list", currentPage=1, pageSize=1, taskName="Task"))["sums"]
    answer = await world.post("user", "/taskReport/export", taskName="Task")
    lines = list(openpyxl.load_workbook(io.BytesIO(answer.content)).active)
    head, empty, last = [cell.value for cell in lines[0]], lines[-2], lines[-1]
    assert (len(lines), any(cell.value for cell in empty)) == (5, False)
    row = {title: cell.value for title, cell in zip(head, last, strict=True) if cell.value is not None}
    assert row.pop("Duration") == timedelta(seconds=sums["seconds"])
    assert row == {
        "Device": "Total",
        "Planned area (m²)": sums["plannedArea"],
        "Cleaned area (m²)": sums["cleanedArea"],
    }
    assert (last[0].font.bold, last[head.index("Duration")].number_format) == (True, "[h]:mm:ss")
    assert not lines[1][0].font.bold
    table = await world.post("user", "/taskReport/export", taskName="Task", form="csv")
    assert len(table.text.splitlines()) == 3


async def test_the_export_is_written_some_rows_at_a_time_and_has_them_all_in_order(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "AT_ONCE", 2)
    await keep_reports(world, *(report(task=f"Task {n}") for n in range(5)))
    written: list[int] = []
    add = sheets.Sheet.add

    def counted(self: Any, rows: Any):
        written.append(len(rows))
        add(self, rows)

    monkeypatch.setattr(sheets.Sheet, "add", counted)
    answer = await world.post("user", "/taskReport/export")
    rows = openpyxl.load_workbook(io.BytesIO(answer.content)).active.iter_rows(min_row=2, max_row=6, values_only=True)
    assert [row[6] for row in rows] == [f"Task {n}" for n in (4, 3, 2, 1, 0)]
    assert written == [2, 2, 1]


async def test_list_a_run_under_way_and_interrupt_it_when_its_robot_goes_silent(world: World):
    await store_states(world, state(AT, run="r1", task="Lobby", cleaned=3, planned=50, battery=90))
    await store_states(world, state(AT + 60_000, run="r1", task="Lobby", cleaned=20, planned=50, battery=85))
    (row,) = await list_reports(world)
    assert (row["end"], row["cleanedArea"], row["batteryFrom"], row["batteryTo"]) == ("running", 20, 90, 85)
    async with world.as_ingest() as db:
        silent = await presence.mark_silent(db, datetime.now(timezone.utc) + timedelta(seconds=1))
        await reports.follow(db)
    assert [(sn, change.reason) for sn, change in silent] == [("SC0001", "no_heartbeat")]
    (row,) = await list_reports(world)
    assert (row["end"], row["cleanedArea"], row["seconds"], row["coverage"]) == ("interrupted", 20, 60, 400)


async def test_the_robots_own_report_replaces_what_was_known_once(world: World):
    await store_states(world, state(AT, run="r1", task="Lobby", cleaned=3, planned=50))
    await keep_reports(world, report(id="r1", cleaned=49, end="finished"))
    await keep_reports(world, report(id="r1", cleaned=1, end="failed"))
    await store_states(world, state(AT + 1000, run="r1", cleaned=2))
    (row,) = await list_reports(world)
    assert (row["end"], row["cleanedArea"]) == ("finished", 49)


@pytest.mark.parametrize("data", [b"", b"{}", b'{"id":"\\u0000"}', b'{"v":1,"at":1,"id":"","task":"t"}'])
def test_refuse_a_message_that_is_no_report(data: bytes):
    with pytest.raises(Flawed):
        reports.read(data)


@pytest.mark.parametrize("name", ["planned", "reachable", "cleaned"])
@pytest.mark.parametrize("area", [-0.1, 1e10])
def test_a_report_of_an_area_that_no_floor_has_is_refused(name: str, area: float):
    assert reports.read(msgspec.json.encode(report())).cleaned == 81.0
    with pytest.raises(Flawed) as refused:
        reports.read(msgspec.json.encode(report(**{name: area})))
    assert (refused.value.flaw.field, refused.value.flaw.reason) == (name, "out_of_range")


async def test_words_are_found_in_any_case_and_width(world: World):
    await keep_reports(world, report(task="Lobby East", map="Ground"))
    for filters in ({"text": "ｌＯＢＢＹ ｅ"}, {"text": "sc0001"}, {"taskName": "ＥＡＳＴ"}, {"mapName": "gROUND"}):
        assert len(await list_reports(world, **filters)) == 1, filters
    assert await list_reports(world, text="lobby  east") == []


async def test_both_days_of_a_filter_are_included_by_the_clock_at_the_robots_site(world: World):
    """Midsummer in London: the day begins at 23:00 UTC."""
    day = datetime(2026, 7, 1, 23, tzinfo=timezone.utc)
    starts = {
        "before": day - timedelta(seconds=1),
        "first": day,
        "last": day + timedelta(hours=48, seconds=-1),
        "after": day + timedelta(hours=48),
    }
    runs = {name: int(at.timestamp() * 1000) for name, at in starts.items()}
    await keep_reports(world, *(report(task=name, started=at, ended=at + 1000) for name, at in runs.items()))
    rows = await list_reports(world, startDate="2026-07-02", endDate="2026-07-03")
    assert {row["taskName"] for row in rows} == {"first", "last"}


async def test_of_two_reports_of_one_run_the_one_that_ended_later_is_kept(world: World):
    short, long = (report(id="r1", started=AT, ended=AT + seconds * 1000, cleaned=seconds) for seconds in (60, 120))
    await keep_reports(world, long, short)
    assert [row["seconds"] for row in await list_reports(world)] == [120]


async def test_a_text_that_looks_like_an_escape_stays_as_it_is(world: World):
    await keep_reports(world, report(task="_x0041_ and _x000D_", map="_X0041_"))
    answer = await world.post("user", "/taskReport/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        rows = archive.read("xl/worksheets/sheet1.xml").decode()
    assert ">_x005F_x0041_ and _x005F_x000D_<" in rows
    assert ">_X0041_<" in rows
