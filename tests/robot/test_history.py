"""Past days: believable, whole, always made alike, and their reports agree with their cells."""

from datetime import datetime, timedelta, timezone
from itertools import pairwise

import numpy as np
import pytest

from lustra.protocol.bus import Occurrence
from lustra.protocol.masks import unpack_mask
from lustra.robot.buildings import catalogue
from lustra.robot.demo.history import Day, day
from lustra.robot.demo.past_schedules import Home, initial_schedules
from lustra.robot.demo.schedules import Planned
from lustra.robot.schedules.schedule import LATE_MS

START = datetime(2026, 11, 3, 9, 41, tzinfo=timezone.utc)
END = START + timedelta(days=1)
PLACE = ("St. Orla Clinic", "ward 3")


@pytest.fixture(scope="module")
def simulated_day() -> Day:
    return day("SC0006", Home(*PLACE), START, END)


def test_a_day_has_a_point_every_five_seconds_in_order(simulated_day: Day):
    times = [p[0] for p in simulated_day.points]
    assert times[0] == START.timestamp() * 1000
    assert {b - a for a, b in pairwise(times)} == {5000}
    assert len(times) == 17_280


def test_begin_and_end_a_demo_run_at_the_charger_without_a_jump(simulated_day: Day):
    dock = catalogue.floor(*PLACE).charger()
    assert dock is not None
    xy = np.array([p[1:3] for p in simulated_day.points])
    assert tuple(xy[0]) == tuple(xy[-1]) == (dock.x, dock.y)
    assert np.hypot(*np.diff(xy, axis=0).T).max() < 5 * 0.8
    assert len(np.unique(xy, axis=0)) > 1000
    levels = np.array([p[4:] for p in simulated_day.points])
    assert levels.min() > 10
    assert levels.max() <= 100


def test_match_demo_reports_with_their_cells_and_hours(simulated_day: Day):
    floor = catalogue.floor(*PLACE)
    assert len(simulated_day.reports) > 10
    for report in simulated_day.reports:
        cells, missed, beyond = (
            unpack_mask(mask, floor.grid.shape) for mask in (report.cells, report.missed, report.unreachable) if mask
        )
        assert not (cells & missed).any()
        assert not (beyond & (cells | missed)).any()
        assert (cells | missed | beyond).sum() * floor.resolution**2 == pytest.approx(report.planned, rel=0.001)
        assert cells.sum() * floor.resolution**2 == pytest.approx(report.cleaned, rel=0.01)
        assert report.started < report.ended
        assert report.battery_from >= report.battery_to
        assert report.coverage >= 0.95 or report.end != "finished"
    assert sum(simulated_day.area.values()) == pytest.approx(sum(r.cleaned for r in simulated_day.reports), rel=0.01)
    assert len({r.id for r in simulated_day.reports}) == len(simulated_day.reports)


def test_the_same_day_is_always_made_alike_and_others_differ(simulated_day: Day):
    again = day("SC0006", Home(*PLACE), START, END)
    assert again == simulated_day
    other = day("SC0007", Home(*PLACE), START, END)
    assert other.reports != simulated_day.reports


WEEK = [
    Planned(name="Wards", start="10:30", rooms=(0, 1)),
    Planned(name="Corridor", start="12:00", rooms=(7,), end="12:05"),
    Planned(name="First", start="20:00", rooms=(7, 16)),
    Planned(name="Second", start="20:01", rooms=(2,)),
]


@pytest.fixture(scope="module")
def weeks() -> list[Day]:
    home = Home(*PLACE, zone="Europe/Dublin", plans=initial_schedules(*PLACE, WEEK, rides=False))
    starts = [START + timedelta(days=n) for n in range(40)]
    return [day("SC0006", home, start, start + timedelta(days=1), step_s=30) for start in starts]


def occurrences_in(weeks: list[Day], *states: str) -> list[tuple[Day, int, Occurrence]]:
    return [
        (simulated, at, occurrence)
        for simulated in weeks
        for at, occurrence in simulated.occurrences
        if occurrence.state in states
    ]


def test_a_schedule_is_done_at_its_time_and_each_of_its_units_has_its_report(weeks: list[Day]):
    done = occurrences_in(weeks, "done")
    assert len(done) > 40
    assert {occurrence.schedule for _, _, occurrence in done} >= {"Wards", "First"}
    for simulated, at, occurrence in done:
        runs = {report.id: report for report in simulated.reports}
        ran = [runs[unit.run] for unit in occurrence.units]
        assert [(report.task, report.end) for report in ran] == [(unit.task, "finished") for unit in occurrence.units]
        assert occurrence.start <= ran[0].started <= occurrence.start + LATE_MS
        assert ran[-1].ended == at
    assert all(a.ended <= b.started for simulated in weeks for a, b in pairwise(simulated.reports))


def test_a_schedule_is_missed_with_why_and_then_nothing_ran(weeks: list[Day]):
    missed = occurrences_in(weeks, "missed")
    assert {occurrence.reason for _, _, occurrence in missed} >= {"robot_off", "0x0535", "robot_busy"}
    for simulated, at, occurrence in missed:
        assert not any(unit.run for unit in occurrence.units)
        assert at >= occurrence.start + LATE_MS
        points = [p for p in simulated.points if occurrence.start <= p[0] < occurrence.start + LATE_MS]
        assert bool(points) == (occurrence.reason != "robot_off")  # who is off tells nothing
        ran = [
            report
            for report in simulated.reports
            if report.started < occurrence.start + LATE_MS and report.ended > occurrence.start
        ]
        assert bool(ran) == (occurrence.reason == "robot_busy")


def test_a_schedule_that_is_broken_off_ends_with_the_run_that_was(weeks: list[Day]):
    for state, end in (("interrupted", "interrupted"), ("cancelled", "cancelled"), ("forced_end", "cancelled")):
        ended = occurrences_in(weeks, state)
        assert ended
        for simulated, at, occurrence in ended:
            last = {report.id: report for report in simulated.reports}[
                [unit.run for unit in occurrence.units if unit.run][-1]
            ]
            assert (last.end, last.ended) == (end, at)
            assert last.coverage < 0.95
            assert (occurrence.reason == "robot_off") == (state == "interrupted")
            assert state != "forced_end" or abs(occurrence.end - at) < 1000


def test_the_day_that_ends_now_leaves_what_it_cannot_end(simulated_day: Day):
    end = datetime(2026, 11, 3, 10, 34, tzinfo=timezone.utc)
    home = Home(*PLACE, zone="Europe/Dublin", plans=initial_schedules(*PLACE, WEEK, rides=False))
    [(_, occurrence)] = day("SC0006", home, START, end).occurrences
    assert (occurrence.schedule, occurrence.state, occurrence.reason) == ("Wards", "missed", "robot_off")
    assert not any(unit.run for unit in occurrence.units)
    assert simulated_day.occurrences == []


def test_a_robot_that_rides_cleans_on_the_other_floors_and_comes_home():
    hotel = ("Kestrel Quay Hotel", "floor 2")
    week = [Planned(name="Halls", start="22:10", days=(7,), elevator="KQ-B")]
    known = initial_schedules(*hotel, week, rides=True)
    assert [(kind, occurrence.name) for kind, occurrence in known] == [
        ("elevator_timetask", "Lift halls"),
        ("elevator_timetask", "Halls"),
    ]
    sunday = datetime(2026, 11, 15, 4, tzinfo=timezone.utc)
    simulated = day("SC0003", Home(*hotel, zone="Europe/London", plans=known), sunday, sunday + timedelta(days=1))
    [(_, occurrence)] = simulated.occurrences
    maps = {report.id: report.map for report in simulated.reports}
    assert occurrence.state == "done"
    assert [(unit.map, maps[unit.run]) for unit in occurrence.units] == [
        ("kestrel-1", "kestrel-1"),
        ("kestrel-3", "kestrel-3"),
    ]
    xy = np.array([p[1:3] for p in simulated.points])
    assert np.hypot(*np.diff(xy, axis=0).T).max() < 5 * 0.8
    assert tuple(xy[0]) == tuple(xy[-1])
