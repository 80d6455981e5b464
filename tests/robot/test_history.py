"""Past days: believable, whole, always made alike, and their reports agree with their cells."""

from datetime import datetime, timedelta, timezone
from itertools import pairwise

import numpy as np
import pytest

from lustra.robot import buildings
from lustra.robot.history import Day, day
from lustra.robot.sweep import unpacked

START = datetime(2026, 11, 3, 9, 41, tzinfo=timezone.utc)
END = START + timedelta(days=1)
PLACE = ("St. Orla Clinic", "ward 3")


@pytest.fixture(scope="module")
def made() -> Day:
    return day("SC0006", *PLACE, START, END)


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
    again = day("SC0006", *PLACE, START, END)
    assert again == made
    other = day("SC0007", *PLACE, START, END)
    assert other.reports != made.reports
