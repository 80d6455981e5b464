"""Past days: believable, whole, always made alike, and their reports agree with their cells."""

from datetime import datetime, timedelta, timezone
from itertools import pairwise

import numpy as np
import pytest

from lustra.protocol.bus import Occurrence
from lustra.robot import buildings
from lustra.robot.demo_schedules import Planned
from lustra.robot.history import Day, day
from lustra.robot.past_schedules import Home, plans
from lustra.robot.schedule import LATE_MS
from lustra.robot.sweep import unpacked

START = datetime(2026, 11, 3, 9, 41, tzinfo=timezone.utc)
END = START + timedelta(days=1)
PLACE = ("St. Orla Clinic", "ward 3")


@pytest.fixture(scope="module")
def made() -> Day:
    return day("SC0006", Home(*PLACE), START, END)


def test_a_day_has_a_point_every_five_seconds_in_order(made: Day):
    times = [p[0] for p in made.points]
    assert times[0] == START.timestamp() * 1000
    assert {b - a for a, b in pairwise(times)} == {5000}
    assert len(times) == 17_280


def test_it_begins_and_ends_at_the_charger_and_never_jumps(made: Day):
    dock = buildings.floor(*PLACE).charger()
    assert dock is not None
    xy = np.array([p[1:3] for p in made.points])
    assert tuple(xy[0]) == tuple(xy[-1]) == (dock.x, dock.y)
    assert np.hypot(*np.diff(xy, axis=0).T).max() < 5 * 0.8
    assert len(np.unique(xy, axis=0)) > 1000
    levels = np.array([p[4:] for p in made.points])
    assert levels.min() > 10
    assert levels.max() <= 100


def test_its_reports_agree_with_their_cells_and_with_the_hours(made: Day):
    floor = buildings.floor(*PLACE)
    assert len(made.reports) > 10
    for report in made.reports:
        assert report.cells is not None
        cells = unpacked(report.cells, floor.grid.shape)
        assert cells.sum() * floor.resolution**2 == pytest.approx(report.cleaned, rel=0.01)
        assert report.started < report.ended
        assert report.battery_from >= report.battery_to
        assert report.coverage >= 0.95 or report.end != "finished"
    assert sum(made.area.values()) == pytest.approx(sum(r.cleaned for r in made.reports), rel=0.01)
    assert len({r.id for r in made.reports}) == len(made.reports)


def test_the_same_day_is_always_made_alike_and_others_differ(made: Day):
    again = day("SC0006", Home(*PLACE), START, END)
    assert again == made
    other = day("SC0007", Home(*PLACE), START, END)
    assert other.reports != made.reports


WEEK = [
    Planned(name="Wards", start="10:30", rooms=(0, 1)),
    Planned(name="Corridor", start="12:00", rooms=(7,), end="12:05"),
    Planned(name="First", start="20:00", rooms=(7, 16)),
    Planned(name="Second", start="20:01", rooms=(2,)),
]


@pytest.fixture(scope="module")
def weeks() -> list[Day]:
    home = Home(*PLACE, zone="Europe/Dublin", plans=plans(*PLACE, WEEK, rides=False))
    starts = [START + timedelta(days=n) for n in range(40)]
    return [day("SC0006", home, start, start + timedelta(days=1), step_s=30) for start in starts]


def told(weeks: list[Day], *states: str) -> list[tuple[Day, int, Occurrence]]:
    return [(one, at, what) for one in weeks for at, what in one.occurrences if what.state in states]


def test_a_schedule_is_done_at_its_time_and_each_of_its_units_has_its_report(weeks: list[Day]):
    done = told(weeks, "done")
    assert len(done) > 40
    assert {what.schedule for _, _, what in done} >= {"Wards", "First"}
    for one, at, what in done:
        runs = {report.id: report for report in one.reports}
        ran = [runs[unit.run] for unit in what.units]
        assert [(report.task, report.end) for report in ran] == [(unit.task, "finished") for unit in what.units]
        assert what.start <= ran[0].started <= what.start + LATE_MS
        assert ran[-1].ended == at
    assert all(a.ended <= b.started for one in weeks for a, b in pairwise(one.reports))


def test_a_schedule_is_missed_with_why_and_then_nothing_ran(weeks: list[Day]):
    missed = told(weeks, "missed")
    assert {what.reason for _, _, what in missed} >= {"robot_off", "0x0535", "robot_busy"}
    for one, at, what in missed:
        assert not any(unit.run for unit in what.units)
        assert at >= what.start + LATE_MS
        points = [p for p in one.points if what.start <= p[0] < what.start + LATE_MS]
        assert bool(points) == (what.reason != "robot_off")  # who is off tells nothing
        ran = [report for report in one.reports if report.started < what.start + LATE_MS and report.ended > what.start]
        assert bool(ran) == (what.reason == "robot_busy")


def test_a_schedule_that_is_broken_off_ends_with_the_run_that_was(weeks: list[Day]):
    for state, end in (("interrupted", "interrupted"), ("cancelled", "cancelled"), ("forced_end", "cancelled")):
        found = told(weeks, state)
        assert found
        for one, at, what in found:
            last = {report.id: report for report in one.reports}[[unit.run for unit in what.units if unit.run][-1]]
            assert (last.end, last.ended) == (end, at)
            assert last.coverage < 0.95
            assert (what.reason == "robot_off") == (state == "interrupted")
            assert state != "forced_end" or abs(what.end - at) < 1000


def test_the_day_that_ends_now_leaves_what_it_cannot_end(made: Day):
    end = datetime(2026, 11, 3, 10, 34, tzinfo=timezone.utc)
    home = Home(*PLACE, zone="Europe/Dublin", plans=plans(*PLACE, WEEK, rides=False))
    [(_, what)] = day("SC0006", home, START, end).occurrences
    assert (what.schedule, what.state, what.reason) == ("Wards", "missed", "robot_off")
    assert not any(unit.run for unit in what.units)
    assert made.occurrences == []


def test_a_robot_that_rides_cleans_on_the_other_floors_and_comes_home():
    hotel = ("Kestrel Quay Hotel", "floor 2")
    week = [Planned(name="Halls", start="22:10", days=(7,), lift="KQ-B")]
    known = plans(*hotel, week, rides=True)
    assert [(kind, what.name) for kind, what in known] == [("elevator_timetask", "Lift halls"),
                                                           ("elevator_timetask", "Halls")]  # fmt: skip
    sunday = datetime(2026, 11, 15, 4, tzinfo=timezone.utc)
    one = day("SC0003", Home(*hotel, zone="Europe/London", plans=known), sunday, sunday + timedelta(days=1))
    [(_, what)] = one.occurrences
    maps = {report.id: report.map for report in one.reports}
    assert what.state == "done"
    assert [(unit.map, maps[unit.run]) for unit in what.units] == [("kestrel-1", "kestrel-1"),
                                                                   ("kestrel-3", "kestrel-3")]  # fmt: skip
    xy = np.array([p[1:3] for p in one.points])
    assert np.hypot(*np.diff(xy, axis=0).T).max() < 5 * 0.8
    assert tuple(xy[0]) == tuple(xy[-1])
