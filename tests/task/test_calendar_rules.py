"""The calendar's own rules, without a database: what was, what comes, how long it takes and what is in its way."""

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.domains.task.calendar import (
    PATIENCE,
    Entry,
    Plan,
    build_calendar,
    expect_occurrences,
    list_units,
    mark_overlaps,
    open_entries,
    parse_occurrences,
)
from lustra.protocol.payloads.schedules import ElevatorTimeTask

MONDAY = datetime(2026, 11, 23, tzinfo=timezone.utc)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
WEEK = MONDAY, MONDAY + 7 * DAY
EVENING = {"name": "Evening", "map_name": "hall", "task_list": ["A", "B"], "start_time": "20-00", "days": [1, 2]}
FLOORS = [{"map_name": "one", "task_list": ["A"]}, {"map_name": "two", "task_list": ["B", "C"]}]


def plan(known: datetime = MONDAY, kind: str = "timetask", robot: int = 1, **changed: Any) -> Plan:
    return Plan(robot, kind, EVENING | {"zone": "UTC"} | changed, known)


def entry(
    start: int, minutes: float = 10, state: str = "planned", robot: int = 1, end: datetime | None = None
) -> Entry:
    """Begins so many minutes after Monday began, and works so long."""
    at = MONDAY + start * MINUTE
    return Entry(robot, "timetask", f"at {start}", at, at.date(), end, state, spans=[minutes * 60])


def starts(entries: list[Entry]) -> list[datetime]:
    return [each.start for each in entries]


def test_a_schedule_comes_on_its_days_at_its_time():
    entries = list(expect_occurrences(plan(), *WEEK, MONDAY))
    assert starts(entries) == [MONDAY + timedelta(hours=20), MONDAY + DAY + timedelta(hours=20)]
    first = entries[0]
    assert (first.device_id, first.kind, first.schedule, first.zone) == (1, "timetask", "Evening", "UTC")
    assert (first.day, first.end, first.state, first.elevator) == (date(2026, 11, 23), None, "planned", "")
    assert [(unit["map"], unit["task"], unit["run"], unit["reason"]) for unit in first.units] == [
        ("hall", "A", "", ""),
        ("hall", "B", "", ""),
    ]


def test_list_no_schedule_that_is_off_and_mark_skipped_occurrences():
    assert list(expect_occurrences(plan(enable=0), *WEEK, MONDAY)) == []
    skipped, planned = expect_occurrences(plan(skips=["2026-11-23"]), *WEEK, MONDAY)
    assert (skipped.state, planned.state) == ("skipped", "planned")


def test_list_nothing_from_before_the_schedule_was_known():
    assert starts(list(expect_occurrences(plan(known=MONDAY + DAY), *WEEK, MONDAY))) == [
        MONDAY + DAY + timedelta(hours=20)
    ]
    assert len(list(expect_occurrences(plan(known=MONDAY - 30 * DAY), *WEEK, MONDAY))) == 2


@pytest.mark.parametrize(("late", "state"), [(timedelta(0), "planned"), (timedelta(seconds=1), "unheard")])
def test_a_robot_has_a_minute_to_say_that_it_begins(late: timedelta, state: str):
    now = MONDAY + timedelta(hours=20) + PATIENCE + late
    assert next(expect_occurrences(plan(), *WEEK, now)).state == state
    assert PATIENCE == MINUTE


def test_a_schedule_over_floors_has_the_units_of_each_and_its_elevator():
    content = {name: value for name, value in EVENING.items() if name not in {"map_name", "task_list"}}
    over = Plan(1, "elevator_timetask", content | {"zone": "UTC", "floors": FLOORS, "elevator_id": "E1"}, MONDAY)
    first = next(expect_occurrences(over, *WEEK, MONDAY))
    assert first.elevator == "E1"
    assert [(unit["map"], unit["task"]) for unit in first.units] == [("one", "A"), ("two", "B"), ("two", "C")]
    assert list_units(ElevatorTimeTask.model_validate(over.content)) == first.units


def test_join_a_robots_reports_with_its_schedule():
    row = {
        "device_id": 1,
        "kind": "timetask",
        "schedule": "Evening",
        "start": MONDAY,
        "day": MONDAY.date(),
        "ends": MONDAY + DAY,
        "state": "done",
        "reason": "low_battery",
        "units": [{"map": "hall", "task": "A"}],
    }
    known, deleted = parse_occurrences([row, row | {"schedule": "Gone"}], [plan(elevator_id="E1")])
    assert (known.zone, known.elevator, known.end, known.reason) == ("UTC", "E1", MONDAY + DAY, "low_battery")
    assert (deleted.zone, deleted.elevator, deleted.state, deleted.units) == ("", "", "done", row["units"])


def test_replace_the_expected_occurrence_by_the_reported():
    running = next(expect_occurrences(plan(), *WEEK, MONDAY))
    running.state = "running"
    entries = build_calendar([running], [plan(), plan(robot=2)], {(1, "hall", "A"): 60.0}, WEEK, MONDAY)
    assert [(each.device_id, each.state) for each in entries] == [
        (1, "running"),
        (2, "planned"),
        (1, "planned"),
        (2, "planned"),
    ]
    assert [each.spans for each in entries] == [[60.0, 0.0], [0.0, 0.0], [60.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("state", "over", "open_"),
    [
        ("planned", False, True),
        ("waiting", False, True),
        ("charging", False, True),
        ("running", False, True),
        ("skipped", False, False),
        ("unheard", False, False),
        ("done", True, False),
        ("forced_end", True, False),
        ("cancelled", True, False),
        ("interrupted", True, False),
        ("missed", True, False),
    ],
)
def test_divide_occurrences_into_past_and_upcoming(state: str, over: bool, open_: bool):
    each = entry(0, state=state)
    assert (each.over, open_entries([each]) == [each]) == (over, open_)


def test_end_a_run_after_its_units_and_rides_or_at_its_forced_end():
    each = entry(0, minutes=10)
    each.spans.append(60.0)
    each.riding = 2 * MINUTE
    assert (each.seconds, each.until) == (660.0, MONDAY + 13 * MINUTE)
    each.end = MONDAY + 12 * MINUTE
    assert each.until == MONDAY + 12 * MINUTE
    each.end = MONDAY + 14 * MINUTE
    assert each.until == MONDAY + 13 * MINUTE


@pytest.mark.parametrize(
    ("entries", "conflicts"),
    [
        ([entry(0), entry(10)], ["", ""]),  # one begins as the other ends
        ([entry(0), entry(9)], ["overlap", "overlap"]),
        ([entry(0, minutes=0), entry(0, minutes=0)], ["overlap", "overlap"]),
        ([entry(0), entry(9, robot=2)], ["", ""]),
        ([entry(0, state="done"), entry(9)], ["", ""]),
        ([entry(0, state="running"), entry(9)], ["overlap", "overlap"]),
        ([entry(0, minutes=60), entry(5, minutes=5), entry(30)], ["overlap", "overlap", "overlap"]),
        ([entry(0, minutes=5), entry(10, minutes=5), entry(15)], ["", "", ""]),
        ([entry(0, minutes=20), entry(15, minutes=20), entry(40)], ["overlap", "overlap", ""]),
    ],
)
def test_two_of_one_robot_that_meet_are_in_conflict(entries: list[Entry], conflicts: list[str]):
    for each in entries:
        each.conflict = ""
    mark_overlaps(entries)
    assert [each.conflict for each in entries] == conflicts
