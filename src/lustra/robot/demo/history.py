"""A robot's past days, by the same planner, drives and counting of cells, under a virtual clock.

Each room of a floor is planned and swept once; a day is then only a timetable that is sampled. What its schedules want
comes at its time, between them the rounds of the demo. A day begins and ends at the charger, so that days can be made
in any order; the same day is always made alike.
"""

import random
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from lustra.protocol.bus import Report
from lustra.robot.buildings import catalogue
from lustra.robot.demo.cleaning import FULL_ENOUGH
from lustra.robot.demo.day_log import DayLog, Point
from lustra.robot.demo.past_schedules import SPARE_S, Home, PastSchedules, ReportedOccurrence
from lustra.robot.demo.planned_runs import PlannedRun, runs_from_charger

ROUNDS = ((5.0, 7.0), (12.0, 13.5), (18.0, 20.0))  # UTC hours between which the rounds of a day begin
REST_S = (60.0, 600.0)  # at the charger between two rooms
REFRESH_S = 1800.0  # at the charger when battery or disinfectant would not do for another room

Jobs = deque[tuple[float, PlannedRun]]  # rooms of rounds, each with the second at which it may begin


@dataclass
class Day:
    points: list[Point]
    area: dict[datetime, float]  # m² by UTC hour
    reports: list[Report]
    occurrences: list[ReportedOccurrence]


def day(sn: str, home: Home, start: datetime, end: datetime, *, step_s: float = 5.0) -> Day:
    """All that the robot has sent between two times: points, cleaned m² by hour, reports, occurrences."""
    dice = random.Random(f"{sn} {start.isoformat()}")  # noqa: S311  (a believable past, no secret)
    day_log = DayLog(sn, start, (end - start).total_seconds(), dice)
    day_log.add_level()
    choice = runs_from_charger(home.building, home.floor, home.berth)
    jobs = plan_rounds(choice, round_starts(start, day_log.total, dice), dice.randrange(len(choice)))
    past = PastSchedules(day_log, home)
    for due in past.due_occurrences():
        clean_until(day_log, jobs, due.at)
        past.simulate(due)
    clean_until(day_log, jobs, day_log.total)
    day_log.charge(max(0.0, day_log.total - day_log.now))
    return Day(
        day_log.points(step_s, catalogue.charger(home.map, home.berth)), day_log.area, day_log.reports, past.reported
    )


def round_starts(start: datetime, total: float, dice: random.Random) -> list[float]:
    """Seconds after the start at which rounds begin."""
    midnight = start.astimezone(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    hours = [24 * d + dice.uniform(*between) for d in range(-1, 3) for between in ROUNDS]
    times = [(midnight + timedelta(hours=h) - start).total_seconds() for h in hours]
    return sorted(t for t in times if 0 <= t < total)


def plan_rounds(choice: list[PlannedRun], times: list[float], shift: int) -> Jobs:
    """Every round goes through all rooms, each from another one on."""
    starts = [(at, (shift + n) % len(choice)) for n, at in enumerate(times)]
    return deque((at, planned) for at, first in starts for planned in choice[first:] + choice[:first])


def clean_until(day_log: DayLog, jobs: Jobs, until: float) -> None:
    """Does what there is time for."""
    while jobs:
        begin, planned = jobs[0]
        fill = REFRESH_S if day_log.battery < FULL_ENOUGH or day_log.liquid < FULL_ENOUGH else 0.0
        wait = max(0.0, begin - day_log.now) + fill
        if day_log.now + wait + planned.seconds + SPARE_S > until:
            return
        jobs.popleft()
        day_log.charge(wait)
        day_log.run(planned)
        day_log.charge(day_log.rng.uniform(*REST_S))
