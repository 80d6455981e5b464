"""The demo's past in the calendar: its schedules' runs, with reports and figures that agree."""

from datetime import date, datetime, time, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from lustra.app.demo import history, queries
from lustra.app.demo.fleet import ROBOTS
from lustra.core.scope import robots_own
from lustra.domains.task import plans
from lustra.protocol import bus
from lustra.protocol.recurrence import DAY
from lustra.robot.demo.past_schedules import Home, initial_schedules
from lustra.robot.demo.schedules import Planned
from tests.world import CLOCK, World

CLINIC = ("St. Orla Clinic", "ward 3")
WEEK = [
    Planned(name="Wards", start="05:30", rooms=(0, 1), end="06:45"),
    Planned(name="Evening", start="20:15", days=(1, 2)),
]
MONDAY = date(2026, 11, 2)


def test_days_are_local_without_a_gap_and_today_ends_now():
    end = datetime(2026, 11, 22, 3, 47, tzinfo=timezone.utc)
    for zone in {robot.site.zone for robot in ROBOTS} | {"America/New_York"}:
        where = ZoneInfo(zone)
        spans = history.spans(end, where, 30)  # over the end of summer time
        assert spans[0][1][1] == end
        assert all(a[1][0] == b[1][1] for a, b in pairwise(spans))
        assert all(begin.astimezone(where).time() == time(4) for _, (begin, _) in spans)
        assert [day for day, _ in spans] == [spans[0][0] - n * DAY for n in range(31)]


def test_every_schedule_of_the_demo_leaves_the_hour_free_at_which_days_change():
    for home in history.locate_homes(list(ROBOTS)).values():
        for _, schedule in home.plans:
            start, end = schedule.weekly("UTC").start, schedule.weekly("UTC").end or time(0)
            assert start >= history.EARLY
            assert end > start or end < history.EARLY


async def test_show_past_occurrences_in_the_calendar_with_their_reports(world: World):
    home = Home(*CLINIC, zone="Europe/Dublin", plans=initial_schedules(*CLINIC, WEEK, rides=False))
    [_, (day, span)] = history.spans(datetime(2026, 11, 3, 12, tzinfo=timezone.utc), ZoneInfo(home.zone), 1)
    assert day == MONDAY
    await world.pool.execute(robots_own.sql(queries.PLAN_DAYS), "SC0001", [day])
    for _ in range(2):  # a day that stands is not made again
        await history.keep_day(world.pool, "SC0001", home, day, span)
    payload = {"startDate": "2026-11-02", "endDate": "2026-11-02", "zone": home.zone}
    rows = (await world.call("user", "/task/calendar", **payload))["list"]
    assert [(row["schedule"], row["day"], row["state"], len(row["units"])) for row in rows] == [
        ("Wards", "2026-11-02", "done", 2),
        ("Evening", "2026-11-02", "done", 1),
    ]
    for row in rows:
        took = 0.0
        for unit in row["units"]:
            stored = await world.pool.fetchrow(
                'select run, task_name, map_name, "end", coverage, ended - started as took'
                " from task_report where id = $1",
                unit["taskReportId"],
            )
            took += stored["took"].total_seconds()
            assert tuple(stored)[:-1] == (unit["run"], unit["task"], unit["mapName"], "finished", unit["coverage"])
        assert row["seconds"] == pytest.approx(took, abs=0.1)
    assert (await world.call("rivaluser", "/task/calendar", **payload))["list"] == []


async def test_pass_over_a_deleted_thing_of_an_unknown_kind(world: World):
    odd = bus.Event(id="e", at=next(CLOCK), kind="timetask", name="odd/thing", deleted=True)
    async with world.as_ingest() as db:
        await plans.keep(db, "SC0001", odd)
