"""How robots do on a new version is compared with what the same robots did before, and stops a roll-out."""

import dataclasses
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.rollout.health import NAMES, Pair, Runs, chance_of_more, compare, count_runs
from tests.rollout.conftest import Workshop
from tests.rollout.test_rollouts import ALL, SMALL

LIMITS: dict[Any, int] = dict.fromkeys(NAMES, 20)
PLAN = {"healthRuns": 2, "steps": [100]}

amounts = st.floats(min_value=0.1, max_value=1e4)
counts = st.integers(min_value=0, max_value=40)


@st.composite
def some_runs(draw: st.DrawFn) -> Runs:
    number = draw(st.integers(min_value=1, max_value=20))
    return Runs(
        runs=number,
        seconds=draw(amounts),
        alarms=draw(counts),
        assists=draw(counts),
        cleaned=draw(amounts),
        covered=draw(st.floats(min_value=0.01, max_value=1)) * number,
        measured=number,
        used=draw(amounts),
        powered=draw(amounts),
    )


pairs = st.lists(st.builds(Pair, st.integers(1, 4), some_runs(), some_runs()), max_size=6)


def verdict(given: list[Pair], limit: int = 20) -> set[str]:
    return {measure.name for measure in compare(given, dict.fromkeys(NAMES, limit)) if measure.worse}


@given(st.lists(st.builds(Pair, st.integers(1, 4), some_runs(), st.just(Runs())), max_size=6))
def test_robots_that_do_as_before_do_not_do_worse(some: list[Pair]):
    assert verdict(some) == set()
    assert verdict([dataclasses.replace(pair, after=pair.before) for pair in some], 0) == set()


@given(pairs)
def test_robots_that_do_better_never_stop_it(some: list[Pair]):
    better = [
        dataclasses.replace(
            pair,
            after=dataclasses.replace(
                pair.after,
                alarms=pair.after.alarms // 2,
                assists=pair.after.assists // 2,
                cleaned=pair.after.cleaned * 2,
                covered=pair.after.covered * 2,
                used=pair.after.used / 2,
            ),
        )
        for pair in some
    ]
    assert verdict(better) <= verdict(some)


@given(pairs, st.integers(0, 1000))
def test_a_wider_limit_never_stops_what_a_narrower_lets_pass(some: list[Pair], limit: int):
    assert verdict(some, limit + 10) <= verdict(some, limit)


@given(pairs, st.randoms())
def test_the_order_of_robots_is_all_the_same(some: list[Pair], random: Any):
    mixed = list(some)
    random.shuffle(mixed)
    assert verdict(mixed) == verdict(some)


@given(pairs, some_runs())
def test_a_robot_that_has_nothing_to_compare_says_nothing(some: list[Pair], runs: Runs):
    alone = [Pair(9, runs, Runs()), Pair(10, Runs(), runs)]
    assert compare([*some, *alone], LIMITS) == compare(some, LIMITS)
    assert 10 not in count_runs(alone)


@given(counts, counts, st.floats(min_value=0.01, max_value=0.99))
def test_the_chance_is_one_and_falls_with_each_alarm_more(newer: int, former: int, share: float):
    assert chance_of_more(0, former, share) == 1
    assert 0 <= chance_of_more(newer + 1, former, share) <= chance_of_more(newer, former, share) + 1e-9


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("alarms", {"alarms": 2}, {"alarms": 12}),
        ("assists", {"assists": 0}, {"assists": 6}),
        ("coverage", {"covered": 9.0, "measured": 10}, {"covered": 7.0, "measured": 10}),
        ("area", {"cleaned": 5000.0}, {"cleaned": 3500.0}),
        ("battery", {"used": 20.0, "powered": 1000.0}, {"used": 30.0, "powered": 1000.0}),
    ],
)
def test_each_measure_is_worse_by_more_than_its_limit(name: str, before: dict[str, Any], after: dict[str, Any]):
    usual = Runs(runs=10, seconds=36_000)
    former, newer = dataclasses.replace(usual, **before), dataclasses.replace(usual, **after)
    assert verdict([Pair(1, former, newer)]) == {name}
    assert verdict([Pair(1, newer, former)]) == set()


def test_continue_when_a_single_robot_of_many_has_worse_coverage():
    good, bad = Runs(runs=1, covered=0.9, measured=1), Runs(runs=1, covered=0.0, measured=1)
    assert verdict([Pair(1, good, bad), Pair(2, good, good), Pair(3, good, good)]) == set()
    assert verdict([Pair(1, good, bad), Pair(2, good, bad), Pair(3, good, good)]) == {"coverage"}


REPORT = """
insert into task_report (device_id, owner_id, owner_path, run, gid, provisional, map_revision, building, floor,
  map_name, task_name, started, ended, "end", planned, reachable, cleaned, coverage, battery_from, battery_to,
  clean_mode, route, speed, faults, factor, driven, updated_at)
select id, owner_id, owner_path, $2, '', false, 1, '', '', 'Ground', 'Lobby', $3::timestamptz,
  $3::timestamptz + interval '1 hour', 'finished', 100, 100, $4, $5, 90, 70, 'clean', 'bow', 'middle', '{}', 0, '{}',
  now() from device where serial_number = $1"""
ALARM = """
insert into alarm (device_id, owner_id, owner_path, code, type, level, state, source, raised_at, last_at, resolved_at,
  detail, map_name, run)
select id, owner_id, owner_path, $2, 2, 1, 2, 'robot', $3, $3, $3, '', '', '' from device where serial_number = $1"""


async def run(workshop: Workshop, sn: str, hours: float, *, cleaned: float = 90.0, alarms: int = 0) -> None:
    """One of an hour, that began so many hours from now."""
    started = now() + timedelta(hours=hours)
    values = (sn, f"{sn} {hours}", started, cleaned, cleaned / 100)
    await workshop.world.pool.execute(REPORT, *values)
    for number in range(alarms):
        await workshop.world.pool.execute(ALARM, sn, f"code{number}", started + timedelta(minutes=1))


async def begin(workshop: Workshop, serials: tuple[str, ...] = ALL[:2], **plan: Any) -> int:
    """Robots that have run three times before, and have installed it."""
    await workshop.world.pool.execute("update device set test_device = true where serial_number = 'SC0001'")
    build = await workshop.publish("2.0.0", SMALL, *serials)
    for sn in serials:
        for hours in (-80, -60, -40):
            await run(workshop, sn, hours)
        await workshop.switch_on(sn)
    rollout = await workshop.roll_out(build, **PLAN | plan)
    row = await workshop.settled(rollout)
    assert (row["state"], row["reason"], row["step"], row["confirmed"]) == ("running", "health_runs", 0, 1)
    return rollout


async def test_a_step_waits_until_its_robots_have_run_and_goes_on_when_they_do_well(workshop: Workshop):
    rollout = await begin(workshop)
    assert {row["deviceSerialNumber"]: row["runs"] for row in (await workshop.rollout(rollout))["list"]} == {
        "SC0001": 0,
        "SC0002": None,
    }
    await run(workshop, "SC0001", 1)
    await workshop.work()
    row = await workshop.rollout(rollout)
    assert (row["reason"], row["list"][0]["runs"], row["step"]) == ("health_runs", 1, 0)
    await run(workshop, "SC0001", 3, alarms=1)
    row = await workshop.settled(rollout)
    assert (row["reason"], row["step"], row["confirmed"]) == ("health_runs", 1, 2)
    assert [(m["name"], m["before"], m["after"], m["worse"]) for m in row["health"]][:3] == [
        ("alarms", 0, 0.5, False),
        ("assists", 0, 0, False),
        ("coverage", pytest.approx(0.9), pytest.approx(0.9), False),
    ]
    for hours in (5, 7):
        await run(workshop, "SC0002", hours)
    row = await workshop.settled(rollout)
    assert (row["state"], row["reason"]) == ("finished", "")


async def test_pause_when_robots_do_worse_and_say_by_how_much(workshop: Workshop):
    rollout = await begin(workshop)
    for hours in (1, 3):
        await run(workshop, "SC0001", hours, cleaned=60.0)
    row = await workshop.settled(rollout)
    assert (row["state"], row["reason"], row["step"]) == ("paused", "health_worse", 0)
    worse = {m["name"]: (round(m["before"], 2), round(m["after"], 2), m["limit"]) for m in row["health"] if m["worse"]}
    assert worse == {"coverage": (0.9, 0.6, 5), "area": (90, 60, 15), "battery": (22.22, 33.33, 25)}
    await workshop.change(rollout, "resume")
    row = await workshop.settled(rollout)
    assert (row["state"], row["step"], row["confirmed"]) == ("running", 1, 2)


async def test_pause_when_robots_do_not_run(workshop: Workshop):
    rollout = await begin(workshop, healthDays=1)
    await workshop.world.pool.execute("update rollout_robot set updated_at = updated_at - interval '25 hours'")
    await workshop.world.pool.execute("update rollout set step_at = step_at - interval '25 hours'")
    row = await workshop.settled(rollout)
    assert (row["state"], row["reason"]) == ("paused", "health_late")


async def test_runs_of_another_owner_are_not_compared(workshop: Workshop):
    rollout = await begin(workshop)
    await workshop.world.pool.execute(
        "update task_report r set owner_id = a.id, owner_path = a.path from account a where a.account = 'rivaluser'"
    )
    assert (await workshop.settled(rollout))["step"] == 1, "there is nothing to compare with"


async def test_limits_of_health_are_bounded(workshop: Workshop):
    build = await workshop.publish("2.0.0", SMALL, *ALL)
    for bad in ({"healthRuns": 51}, {"healthDays": 0}, {"coverageWorse": 101}, {"alarmsWorse": -1}):
        assert (await workshop.world.raw("admin", "/version/startRollout", publicId=build, **bad))[0] == Code.BAD_INPUT
