"""What was cleaned stands beside its target, and beside cleaning by hand: by the figures that somebody set, or not."""

from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lustra.core.errors import Code
from tests.report.test_charts import FOREIGN, ZONES, keep_run, ms
from tests.world import World

DAYS = {"startDate": "2026-03-01", "endDate": "2026-03-10"}
BY_HAND = {"targetArea": 250, "manualRate": 310, "manualWater": 0.2, "careMinutes": 5}
UNSET = {"targetArea": None, "manualRate": None, "manualWater": None, "careMinutes": None}


async def show(world: World, account: str = "user", **payload: Any) -> Any:
    return await world.call(account, "/taskReport/chartTarget", **(DAYS | payload))


async def set_target(world: World, account: str = "user", **figures: Any) -> None:
    await world.call(account, "/taskReport/updateTarget", **figures)


async def register_on(world: World, day: date) -> None:
    """All robots at noon of that day; none was another's before."""
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc)
    await world.pool.execute("update device set created_at = $1", noon)


async def test_without_figures_nothing_is_made_up(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=100)
    chart = await show(world)
    assert chart["target"] == UNSET
    names = ("targetArea", "targetShare", "savedTime", "savedWaterMl")
    for row in (chart["total"], chart["before"], *chart["list"]):
        assert {name: row[name] for name in names} == dict.fromkeys(names)
    view = await world.call("user", "/taskReport/target")
    assert (view["own"], view["counts"]) == (None, UNSET)


async def test_hours_and_water_are_those_by_hand_less_what_the_runs_took(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=620, liquid_ml=24_000)
    await keep_run(world, ms(2026, 3, 6, 12), cleaned=310, liquid_ml=100_000)
    await set_target(world, **BY_HAND)
    chart = await show(world)
    assert chart["total"]["savedTime"] == 3 * 3600 - 2 * 5 * 60
    assert chart["total"]["savedWaterMl"] == 930 * 200 - 124_000
    by_day = {row["date"]: row for row in chart["list"]}
    assert by_day["2026-03-05"]["savedTime"] == 2 * 3600 - 300
    assert by_day["2026-03-06"]["savedWaterMl"] == 62_000 - 100_000  # more than by hand, and says so
    await set_target(world, careMinutes=None)  # what is left out stays
    assert (await show(world))["total"]["savedTime"] == 3 * 3600


async def test_a_robots_target_counts_each_day_on_which_it_was_there(world: World):
    await register_on(world, date(2026, 3, 6))
    await set_target(world, targetArea=250)
    chart = await show(world)
    robots = chart["list"][-1]["robotDays"]
    assert robots > 1
    assert [row["robotDays"] for row in chart["list"]] == [0] * 5 + [robots] * 5
    assert chart["total"]["robotDays"] == 5 * robots
    assert (chart["total"]["targetArea"], chart["before"]["targetArea"]) == (250 * 5 * robots, 0)
    assert chart["before"]["targetShare"] is None
    single = await show(world, deviceIds=[world.devices["SC0001"]])
    assert single["total"]["robotDays"] == 5


async def test_a_robot_counts_from_its_first_run_also_before_its_registration(world: World):
    await register_on(world, date(2026, 3, 6))
    await keep_run(world, ms(2026, 3, 4, 12), cleaned=100)
    chart = await show(world, deviceIds=[world.devices["SC0001"]])
    assert [row["robotDays"] for row in chart["list"]] == [0] * 3 + [1] * 7


async def test_days_to_come_have_no_target(world: World):
    today = datetime.now(ZoneInfo(await zone_of(world, "SC0001"))).date()
    days = {"startDate": str(today - timedelta(days=1)), "endDate": str(today + timedelta(days=3))}
    await register_on(world, today - timedelta(days=30))
    chart = await show(world, **days, deviceIds=[world.devices["SC0001"]])
    assert [row["robotDays"] for row in chart["list"]] == [1, 1, 0, 0, 0]


async def zone_of(world: World, sn: str) -> str:
    return await world.pool.fetchval("select zone from device where serial_number = $1", sn)


async def test_a_robot_that_changes_hands_within_a_scope_counts_once_on_that_day(world: World):
    await register_on(world, date(2026, 3, 1))
    device = world.devices["SC0001"]
    await world.pool.execute(
        "insert into former_owner (device_id, owner_id, to_id, things, until, by_id)"
        " values ($1, $2, $2, 'keep', $3, $2)",
        device,
        world.accounts["user"],
        ms(2026, 3, 5, 12),
    )
    chart = await show(world, deviceIds=[device])
    assert [row["robotDays"] for row in chart["list"]] == [1] * 10


async def test_each_figure_is_the_accounts_own_or_of_the_nearest_above(world: World):
    await keep_run(world, ms(2026, 3, 5, 12), cleaned=620)
    await set_target(world, "dealer", targetArea=100, manualRate=310)
    await set_target(world, "user", targetArea=250)
    view = await world.call("user", "/taskReport/target")
    assert view["own"]["targetArea"] == 250
    assert view["own"]["manualRate"] is None
    assert view["counts"] == UNSET | {"targetArea": 250, "manualRate": 310}
    assert (await show(world))["total"]["savedTime"] == 2 * 3600
    assert (await show(world, "dealer"))["target"] == UNSET | {"targetArea": 100, "manualRate": 310}
    user = world.accounts["user"]
    assert (await show(world, "dealer", userId=user))["target"]["targetArea"] == 250
    await set_target(world, "user", **UNSET)
    assert (await world.call("user", "/taskReport/target"))["counts"]["targetArea"] == 100


async def test_let_a_dealer_set_a_customers_figures_and_refuse_a_late_edit(world: World):
    user = world.accounts["user"]
    await set_target(world, "dealer", userId=user, targetArea=300)
    view = await world.call("user", "/taskReport/target")
    assert (view["own"]["targetArea"], view["account"]) == (300, "Bright Floors")
    await set_target(world, "user", targetArea=301)
    late = {"userId": user, "targetArea": 302, "updateTime": view["own"]["updateTime"]}
    code, data = await world.raw("dealer", "/taskReport/updateTarget", **late)
    assert (code, data["fields"]) == (Code.CONFLICT, ["targetArea"])


@pytest.mark.parametrize("account", FOREIGN)
async def test_a_foreign_account_neither_reads_nor_sets_them(world: World, account: str):
    await set_target(world, "user", targetArea=300)
    user = {"userId": world.accounts["user"], "targetArea": 1}
    assert (await world.call(account, "/taskReport/target"))["counts"] == UNSET
    for path in ("/taskReport/target", "/taskReport/chartTarget", "/taskReport/updateTarget"):
        assert (await world.raw(account, path, **user))[0] == Code.NOT_FOUND
    assert (await world.call("user", "/taskReport/target"))["own"]["targetArea"] == 300


@pytest.mark.parametrize("value", [0, -1, 1_000_001, "much", "Infinity"])
async def test_a_target_that_is_none_is_refused(world: World, value: Any):
    code, data = await world.raw("user", "/taskReport/updateTarget", targetArea=value)
    assert (code, data["field"]) == (Code.BAD_INPUT, "targetArea")


AREAS = st.decimals(0, 5000, places=2).map(float)
RUNS = st.lists(st.tuples(st.integers(0, 40 * 24 * 60), AREAS, AREAS, st.sampled_from(ZONES)), max_size=12)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    runs=RUNS,
    rate=st.decimals(1, 2000, places=1).map(float),
    water=st.decimals("0.01", 3, places=2).map(float),
    care=st.none() | st.integers(1, 90),
)
async def test_derive_the_savings_from_the_reports_to_the_last_digit(
    world: World, runs: list[tuple[int, float, float, str]], rate: float, water: float, care: int | None
):
    await world.pool.execute("delete from task_report")
    await world.pool.execute("delete from report_sum")
    await set_target(world, manualRate=rate, manualWater=water, careMinutes=care, targetArea=123.4)
    for minute, cleaned, liquid, zone in runs:
        await world.pool.execute("update device set zone = $1 where serial_number = 'SC0001'", zone)
        await keep_run(world, ms(2026, 3, 1) + minute * 60_000, cleaned=cleaned, liquid_ml=liquid)
    chart = await show(world, startDate="2026-02-15", endDate="2026-04-30")
    cleaned = sum(Fraction(str(run[1])) for run in runs)
    liquid = sum(Fraction(str(run[2])) for run in runs)
    seconds = cleaned * 3600 / Fraction(str(rate)) - len(runs) * 60 * (care or 0)
    water_ml = cleaned * Fraction(str(water)) * 1000 - liquid
    total = chart["total"]
    assert (total["savedTime"], total["savedWaterMl"]) == (round(seconds), float(water_ml))
    assert total["targetArea"] == float(Fraction("123.4") * total["robotDays"])
    assert sum(row["robotDays"] for row in chart["list"]) == total["robotDays"]
    water_by_day = sum(Fraction(str(row["savedWaterMl"])) for row in chart["list"])
    assert float(water_by_day) == total["savedWaterMl"]
