"""Charts and summaries are sums of the reports, to the last digit, whatever the zones, and of robots in scope alone."""

from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lustra.core.errors import Code
from lustra.domains.account.api import seed
from lustra.domains.report import keep as reports
from lustra.domains.report.tables import RobotSum
from tests.world import World, report

FOREIGN = ("rival", "rivaluser")
CALLS = (
    "/taskReport/chart",
    "/taskReport/chartSummary",
    "/summary/chart",
    "/summary/chartAll",
    "/summary/chartOnLineNum",
)
ZONES = ("Europe/London", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York", "Asia/Kathmandu")
SPRING = {"startDate": "2026-03-01", "endDate": "2026-04-30"}


def ms(*moment: int, zone: str = "UTC") -> int:
    year, month, day, hour, minute = (*moment, 0, 0)[:5]
    return int(datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone)).timestamp() * 1000)


async def keep_run(world: World, started: int, seconds: float = 600, sn: str = "SC0001", **fields: Any) -> int:
    sent = report(started=started, ended=started + int(seconds * 1000), **fields)
    async with world.as_ingest() as db:
        await reports.keep(db, [(sn, sent)])
    return await world.pool.fetchval("select id from task_report where run = $1", sent.id)


async def show(world: World, path: str = "/taskReport/chart", account: str = "user", **payload: Any) -> Any:
    return await world.call(account, path, **(SPRING | payload))


async def areas(world: World, **payload: Any) -> dict[str, float]:
    return {row["date"]: row["cleanedArea"] for row in (await show(world, **payload))["list"] if row["runs"]}


@pytest.mark.spec("call.taskReport.chart", "const.report_units", "q.coverage_scale")
async def test_a_run_counts_whole_on_the_day_on_which_it_began_at_its_site(world: World):
    await keep_run(world, ms(2026, 3, 29, 23, 30, zone="Europe/London"), 3600, cleaned=30, reachable=60.0)
    await keep_run(world, ms(2026, 3, 30, 0, 30, zone="Europe/London"), 1800, cleaned=20, reachable=20.0)
    chart = await show(world)
    assert (chart["unit"], len(chart["list"]), chart["list"][0]["date"]) == ("day", 61, "2026-03-01")
    first, second = (row for row in chart["list"] if row["runs"])
    assert (first["date"], first["cleanedArea"], first["coverage"], first["efficiency"]) == (
        "2026-03-29",
        30,
        500,
        3000,
    )
    assert (second["date"], second["time"], second["workArea"], second["plannedArea"]) == ("2026-03-30", 1800, 100, 20)
    idle = chart["list"][0]
    assert (idle["runs"], idle["coverage"], idle["efficiency"]) == (0, None, None)


@pytest.mark.spec("rule.report.range", "const.report_ranges")
@pytest.mark.parametrize(
    ("name", "start", "unit"),
    [("week", "2026-04-24", "day"), ("month", "2026-04-01", "day"), ("threeMonths", "2026-01-31", "day")],
)
async def test_a_range_reaches_back_from_its_last_day(world: World, name: str, start: str, unit: str):
    chart = await world.call("user", "/taskReport/chart", range=name, endDate="2026-04-30")
    assert (chart["startDate"], chart["endDate"], chart["unit"]) == (start, "2026-04-30", unit)
    assert chart["list"][-1]["date"] == "2026-04-30"


async def test_a_year_is_shown_by_month_and_its_first_month_in_part(world: World):
    await keep_run(world, ms(2025, 4, 30, 12), cleaned=5)  # a day too early
    await keep_run(world, ms(2025, 5, 1, 12), cleaned=7)
    await keep_run(world, ms(2025, 12, 31, 12), cleaned=11)
    await keep_run(world, ms(2026, 4, 15, 12), cleaned=13)
    chart = await world.call("user", "/taskReport/chart", range="year", endDate="2026-04-15")
    assert (chart["startDate"], chart["unit"], len(chart["list"])) == ("2025-04-16", "month", 13)
    assert {row["date"]: row["cleanedArea"] for row in chart["list"] if row["runs"]} == {
        "2025-04-16": 5,
        "2025-05-01": 7,
        "2025-12-01": 11,
        "2026-04-01": 13,
    }


async def test_without_dates_it_is_30_days_up_to_the_latest_today_of_the_sites(world: World):
    await world.pool.execute("update device set zone = 'Pacific/Kiritimati' where serial_number = 'SC0002'")
    chart = await world.call("user", "/taskReport/chart")
    assert chart["endDate"] == str(datetime.now(ZoneInfo("Pacific/Kiritimati")).date())
    assert len(chart["list"]) == 30


@pytest.mark.parametrize("path", CALLS)
async def test_a_range_back_to_front_or_of_fifty_years_is_refused(world: World, path: str):
    code, data = await world.raw("user", path, startDate="2026-05-01", endDate="2026-04-30")
    assert (code, data["field"]) == (Code.BAD_INPUT, "endDate")
    code, data = await world.raw("user", path, startDate="2100-01-01")
    assert (code, data["field"]) == (Code.BAD_INPUT, "startDate")
    code, data = await world.raw("user", path, startDate="1976-04-30", endDate="2026-04-30")
    assert (code, data) == (Code.BAD_INPUT, {"field": "endDate", "days": 366})
    assert (await world.raw("user", path, range="5 years"))[0] == Code.BAD_INPUT


@pytest.mark.spec("call.taskReport.chartSummary")
async def test_a_range_stands_beside_as_many_days_before(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=10, reachable=20.0)
    await keep_run(world, ms(2026, 2, 20, 12), cleaned=4, reachable=20.0, faults=["blocked"])
    await keep_run(world, ms(2026, 2, 18, 12), cleaned=1000)  # before both
    days = {"startDate": "2026-03-01", "endDate": "2026-03-10"}
    summary = await world.call("user", "/taskReport/chartSummary", **days)
    assert (summary["cleanedArea"], summary["coverage"], summary["runs"], summary["warnCount"]) == (10, 500, 1, 0)
    before = summary["before"]
    assert (before["cleanedArea"], before["coverage"], before["warnCount"]) == (4, 200, 1)


async def test_a_late_or_corrected_report_corrects_its_day(world: World):
    late = ms(2026, 3, 5, 12)
    await keep_run(world, ms(2026, 3, 20, 12), cleaned=10)
    report_id = await keep_run(world, late, cleaned=0.1)
    await keep_run(world, late + 1000, cleaned=0.2)
    assert await areas(world) == {"2026-03-05": 0.3, "2026-03-20": 10}
    await world.call("user", "/taskReport/editTaskReport", taskReportId=report_id, cleanedArea=1.1)
    assert await areas(world) == {"2026-03-05": 1.3, "2026-03-20": 10}
    moved = {"startTime": "2026-03-06T10:00:00Z", "endTime": "2026-03-06T11:00:00Z"}
    await world.call("user", "/taskReport/editTaskReport", taskReportId=report_id, **moved)
    assert await areas(world) == {"2026-03-05": 0.2, "2026-03-06": 1.1, "2026-03-20": 10}
    await world.call("user", "/taskReport/deleteTaskReport", taskReportId=report_id)
    assert await areas(world) == {"2026-03-05": 0.2, "2026-03-20": 10}


async def test_a_run_that_goes_on_counts_and_its_report_replaces_it(world: World):
    device = world.devices["SC0001"]
    await world.pool.execute(
        "insert into task_report (device_id, owner_id, owner_path, run, provisional, map_name, task_name, started,"
        " ended, \"end\", planned, cleaned) select id, owner_id, owner_path, 'r1', true, 'Ground', 'Lobby',"
        " '2026-03-05 12:00Z', '2026-03-05 12:10Z', 'running', 50, 12.3 from device where id = $1",
        device,
    )
    assert await areas(world) == {"2026-03-05": 12.3}
    await keep_run(world, ms(2026, 3, 5, 12), id="r1", cleaned=44.4)
    assert await areas(world) == {"2026-03-05": 44.4}


async def test_a_site_that_gets_another_zone_has_its_days_made_anew(world: World):
    await keep_run(world, ms(2026, 3, 5, 23, 30), cleaned=10)
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=1)
    assert await areas(world) == {"2026-03-05": 11}
    await world.pool.execute("update device set zone = 'Asia/Tokyo' where serial_number = 'SC0001'")
    assert await areas(world) == {"2026-03-05": 1, "2026-03-06": 10}


RUN = st.tuples(
    st.integers(ms(2026, 2, 27), ms(2026, 5, 3)),
    st.integers(0, 40_000_000),
    st.floats(0, 10_000, width=32),
    st.floats(0, 10_000, width=32),
    st.sampled_from(["SC0001", "SC0002", "SC0003"]),
)


def decimal(value: float) -> Decimal:
    return Decimal(str(value))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(RUN, max_size=25), st.lists(st.sampled_from(ZONES), min_size=3, max_size=3))
async def test_sums_equal_the_list_to_the_last_digit(world: World, runs: list[Any], zones: list[str]):
    """Over the zones of the sites, and the nights on which their clocks change."""
    await world.pool.execute("delete from task_report")
    for sn, zone in zip(("SC0001", "SC0002", "SC0003"), zones, strict=True):
        await world.pool.execute("update device set zone = $2 where serial_number = $1", sn, zone)
    for started, took, cleaned, reachable, sn in runs:
        await keep_run(world, started, took / 1000, sn, cleaned=cleaned, reachable=reachable)
    listed = await world.call("user", "/taskReport/list", pageSize=1000, **SPRING)
    by_day: defaultdict[str, Decimal] = defaultdict(Decimal)
    zone_of = dict(zip((world.devices[sn] for sn in ("SC0001", "SC0002", "SC0003")), zones, strict=True))
    for row in listed["list"]:
        start = datetime.fromisoformat(row["startTime"]).astimezone(ZoneInfo(zone_of[row["deviceId"]]))
        by_day[str(start.date())] += decimal(row["cleanedArea"])
    chart = await show(world)
    assert {row["date"]: decimal(row["cleanedArea"]) for row in chart["list"] if row["runs"]} == {
        day: decimal(float(area)) for day, area in by_day.items()
    }
    total = await show(world, "/summary/chartAll")
    assert total["runs"] == listed["total"]
    sums = listed["sums"]
    assert (total["area"], total["plannedArea"], total["time"]) == tuple(
        sums[name] for name in ("cleanedArea", "plannedArea", "seconds")
    )
    for part in ("robot", "type", "customer", "country"):
        parts = (await show(world, "/taskReport/chartParts", by=part))["list"]
        assert sum(row["runs"] for row in parts) == listed["total"]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(RUN, max_size=25),
    st.lists(st.sampled_from(ZONES), min_size=3, max_size=3),
    st.tuples(st.dates(date(2026, 2, 25), date(2026, 5, 5)), st.integers(0, 366)),
)
async def test_a_range_taken_apart_equals_the_list_of_each_robot(
    world: World, runs: list[Any], zones: list[str], span: tuple[date, int]
):
    """From whatever sums of quarters, months, ten days and days it is put together."""
    await world.pool.execute("delete from task_report")
    for sn, zone in zip(("SC0001", "SC0002", "SC0003"), zones, strict=True):
        await world.pool.execute("update device set zone = $2 where serial_number = $1", sn, zone)
    for started, took, cleaned, reachable, sn in runs:
        await keep_run(world, started, took / 1000, sn, cleaned=cleaned, reachable=reachable)
    days = {
        "startDate": str(span[0] - timedelta(days=span[1] // 2)),
        "endDate": str(span[0] + timedelta(days=span[1] // 3)),
    }
    parts = {row["key"]: row for row in (await show(world, "/taskReport/chartParts", by="robot", **days))["list"]}
    for sn in ("SC0001", "SC0002", "SC0003"):
        device = world.devices[sn]
        listed = await world.call("user", "/taskReport/list", deviceIds=[device], pageSize=1, **days)
        row = parts.get(str(device), {"runs": 0})
        assert row["runs"] == listed["total"]
        if listed["total"]:
            names = {"cleanedArea": "cleanedArea", "plannedArea": "plannedArea", "time": "seconds"}
            assert {name: row[name] for name in names} == {name: listed["sums"][of] for name, of in names.items()}


@pytest.mark.spec("call.summary.chart", "call.summary.chartAll", "feat.area.reports")
async def test_the_summary_adds_the_online_rate(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), 3600, cleaned=10, reachable=20.0)
    await world.pool.execute("update device set created_at = '2026-03-01Z', zone = 'UTC'")
    await world.pool.execute(
        "insert into online_span select id, '2026-03-05 06:00Z', '2026-03-06 12:00Z' from device"
        " where serial_number = 'SC0001'"
    )
    summary = await show(world, "/summary/chart", deviceIds=[world.devices["SC0001"]])
    rates = {row["date"]: row["onlineRate"] for row in summary["list"] if row["onlineRate"]}
    assert rates == {"2026-03-05": 0.75, "2026-03-06": 0.5}
    [row] = [row for row in summary["list"] if row["runs"]]
    assert (row["area"], row["time"], row["efficiency"], row["coverage"]) == (10, 3600, 1000, 500)
    total = await show(world, "/summary/chartAll", deviceIds=[world.devices["SC0001"]])
    assert (total["area"], total["onlineRate"]) == (10, round(30 / (61 * 24), 4))
    assert total["before"]["runs"] == 0


@pytest.mark.spec("call.summary.chartOnLineNum")
async def test_count_connected_robots_by_the_day_of_their_site(world: World):
    await world.pool.execute("update device set created_at = '2026-03-01Z', zone = 'UTC'")
    await world.pool.execute(
        "insert into online_span select id, '2026-03-05Z', null from device where serial_number = 'SC0001'"
    )
    await world.pool.execute(
        "insert into online_span select id, '2026-03-05 12:00Z', null from device where serial_number = 'SC0002'"
    )
    await world.pool.execute("update online_span set ended = '2026-03-05 18:00Z' where began = '2026-03-05 12:00Z'")
    chart = await show(world, "/summary/chartOnLineNum", startDate="2026-02-27")
    rows = {row["date"]: (row["online"], row["total"], row["rate"]) for row in chart["list"]}
    assert rows["2026-02-28"] == (0, 0, None)
    assert rows["2026-03-04"] == (0, 3, 0)
    assert rows["2026-03-05"] == (1.25, 3, round(1.25 / 3, 4))
    assert rows["2026-03-06"] == (1, 3, round(1 / 3, 4))
    assert chart["rateBefore"] is None
    single = await show(world, "/summary/chartOnLineNum", startDate="2026-03-05", endDate="2026-03-05")
    assert single["list"] == [{"date": "2026-03-05", **single["whole"]}]
    assert single["whole"]["total"] == 3


async def test_time_to_come_counts_for_nothing(world: World):
    today = datetime.now(timezone.utc).date()
    await world.pool.execute("update device set created_at = now() - interval '3 days', zone = 'UTC'")
    await world.pool.execute("insert into online_span select id, now() - interval '3 days', null from device")
    chart = await show(world, "/summary/chartOnLineNum", startDate=str(today), endDate=str(today + timedelta(days=2)))
    assert [row["rate"] for row in chart["list"]] == [1.0, None, None]
    assert chart["rate"] == 1.0


async def test_a_robot_that_changes_hands_is_each_owners_for_their_time(world: World):
    device = world.devices["SC0001"]
    await world.pool.execute("update device set created_at = '2026-03-01Z', zone = 'UTC'")
    await world.pool.execute("insert into online_span values ($1, '2026-03-01Z', null)", device)
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=10)
    await world.pool.execute(
        "insert into former_owner (device_id, owner_id, to_id, things, until, by_id)"
        " values ($1, $2, $3, 'keep', $4, $2)",
        device,
        world.accounts["user"],
        world.accounts["rivaluser"],
        ms(2026, 3, 10),
    )
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a where a.account = 'rivaluser'"
        " and device.id = $1",
        device,
    )
    await keep_run(world, ms(2026, 3, 12, 12), cleaned=20)
    await world.pool.execute("update online_span set ended = '2026-03-20Z'")
    owned = {"account": "user", "deviceIds": [device]}
    assert await areas(world, **owned) == {"2026-03-05": 10}
    assert await areas(world, **(owned | {"account": "rivaluser"})) == {"2026-03-12": 20}
    for account, days in (("user", range(1, 10)), ("rivaluser", range(10, 20))):
        chart = await show(world, "/summary/chartOnLineNum", account=account, deviceIds=[device])
        online = [row["date"] for row in chart["list"] if row["online"]]
        assert online == [str(date(2026, 3, day)) for day in days]


async def test_an_account_that_moves_takes_its_sums_along(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=10)
    await world.pool.execute(
        "update account a set path = r.path || a.id::text from account r"
        " where a.account = 'user' and r.account = 'rival'"
    )
    assert (await show(world, account="rival"))["list"][4]["cleanedArea"] == 10
    assert all(row["runs"] == 0 for row in (await show(world, account="dealer"))["list"])


async def test_sums_are_taken_apart_by_robot_type_group_customer_and_country(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=10)
    await keep_run(world, ms(2026, 3, 5, 12), sn="SC0002", cleaned=30)
    await world.pool.execute("update device set customer_name = 'Kestrel', area = 'FR' where serial_number = 'SC0002'")
    await world.pool.execute(
        "with made as (insert into device_group (account_id, name) values ($1, 'Lobby team') returning id)"
        " insert into device_group_member select made.id, d.id from made, device d",
        world.accounts["user"],
    )
    await world.pool.execute(
        "with made as (insert into device_group (account_id, name) values ($1, 'Secret team') returning id)"
        " insert into device_group_member select made.id, d.id from made, device d",
        world.accounts["rivaluser"],
    )
    expected = {
        "robot": [("Robot 02 机器", 30), ("Robot 01 机器", 10)],
        "type": [("Scrubber", 40)],
        "group": [("Lobby team", 40)],
        "customer": [("Kestrel", 30), ("Bright Floors", 10)],
        "country": [("France", 30), ("United Kingdom", 10)],
    }
    for by, parts in expected.items():
        chart = await show(world, "/taskReport/chartParts", by=by)
        assert [(row["name"], row["cleanedArea"]) for row in chart["list"]] == parts, by


async def test_all_robots_together_are_as_much_as_each_named_and_bound_ones_too(world: World):
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'user'", world.devices["SC0010"]
    )
    for place, sn in enumerate(("SC0001", "SC0001", "SC0003", "SC0010")):
        await keep_run(world, ms(2026, 3, 5 + place, 12), sn=sn, cleaned=0.1 + place)
    every = list(world.devices.values())
    together = await areas(world)
    assert together == await areas(world, deviceIds=every)
    assert together == {"2026-03-05": 0.1, "2026-03-06": 1.1, "2026-03-07": 2.1, "2026-03-08": 3.1}
    await world.pool.execute("delete from task_report where cleaned = 1.1::real")
    for path in ("/taskReport/chartSummary", "/summary/chartAll"):
        assert await show(world, path) == await show(world, path, deviceIds=every)


async def test_filters_narrow_to_robots_types_and_accounts(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=10)
    await keep_run(world, ms(2026, 3, 5, 12), sn="SC0003", cleaned=30)
    kind = await world.pool.fetchval("select type_id from device limit 1")
    assert await areas(world, deviceIds=[world.devices["SC0001"]]) == {"2026-03-05": 10}
    assert await areas(world, userId=world.accounts["sub"]) == {"2026-03-05": 30}
    assert await areas(world, typeId=kind) == {"2026-03-05": 40}
    assert await areas(world, typeId=kind + 1) == {}
    assert await areas(world, deviceIds=[]) == {}


@pytest.mark.parametrize("account", FOREIGN)
async def test_a_foreign_tenant_finds_no_sum(world: World, account: str):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=10)
    await world.pool.execute("update device set created_at = '2026-03-01Z', zone = 'UTC'")
    named = {"deviceIds": [world.devices["SC0001"]]}
    assert all(row["runs"] == 0 for row in (await show(world, account=account, **named))["list"])
    assert (await show(world, "/summary/chartAll", account=account, **named))["area"] == 0
    assert (await show(world, "/taskReport/chartParts", account=account, by="robot", **named))["list"] == []
    assert all(row["total"] == 0 for row in (await show(world, "/summary/chartOnLineNum", account, **named))["list"])
    for path in CALLS:
        assert (await world.raw(account, path, userId=world.accounts["user"]))[0] == Code.NOT_FOUND


async def test_refuse_charts_without_the_right_to_the_page(world: World):
    await world.pool.execute("update account set keys = '{index,device/report}' where account = 'user'")
    for path in {*CALLS, "/taskReport/chartParts"} - {"/taskReport/chartSummary"}:
        assert (await world.raw("user", path, by="robot"))[0] == Code.FORBIDDEN, path


async def test_sums_of_a_robot_are_its_owners_and_of_those_above(world: World):
    await keep_run(world, ms(2026, 3, 5))
    async with world.services.sessions() as db:
        for account, seen in (("user", True), ("dealer", True), ("rivaluser", False), ("rival", False)):
            scope = await seed.load_scope(db, account)
            rows = await db.scalars(scope.select(RobotSum))
            assert {row.device_id for row in rows} == ({world.devices["SC0001"]} if seen else set())
