"""A robot's past days, by the same planner, drives and counting of cells, under a virtual clock.

Each room of a floor is planned and swept once; a day is then only a timetable that is sampled. What its schedules want
comes at its time, between that the rounds of its duty. A day begins and ends at the charger, so that days can be made
in any order; the same day is always made alike.
"""

import random
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from lustra.protocol.bus import Report
from lustra.robot import buildings
from lustra.robot.day_log import Book, Point
from lustra.robot.demo_cleaning import FULL_ENOUGH
from lustra.robot.past_schedules import SPARE_S, Home, Past, Told
from lustra.robot.planned_runs import Round, rounds

ROUNDS = ((5.0, 7.0), (12.0, 13.5), (18.0, 20.0))  # UTC hours between which the rounds of a day begin
REST_S = (60.0, 600.0)  # at the charger between two rooms
REFRESH_S = 1800.0  # at the charger when battery or disinfectant would not do for another room

Jobs = deque[tuple[float, Round]]  # rooms of rounds, each with the second at which it may begin


@dataclass
class Day:
    points: list[Point]
    area: dict[datetime, float]  # m² by UTC hour
    reports: list[Report]
    occurrences: list[Told]


def day(sn: str, home: Home, start: datetime, end: datetime, *, step_s: float = 5.0) -> Day:
    """All that the robot told between two times: points, cleaned m² by hour, reports, what became of its schedules."""
    dice = random.Random(f"{sn} {start.isoformat()}")  # noqa: S311  (a believable past, no secret)
    book = Book(sn, start, (end - start).total_seconds(), dice)
    book.note()
    choice = rounds(home.building, home.floor, home.berth)
    jobs = duty(choice, begins(start, book.total, dice), dice.randrange(len(choice)))
    past = Past(book, home)
    for due in past.due():
        work(book, jobs, due.at)
        past.follow(due)
    work(book, jobs, book.total)
    book.charge(max(0.0, book.total - book.now))
    return Day(book.points(step_s, buildings.charger(home.told, home.berth)), book.area, book.reports, past.told)


def begins(start: datetime, total: float, dice: random.Random) -> list[float]:
    """Seconds after the start at which rounds begin."""
    midnight = start.astimezone(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    hours = [24 * d + dice.uniform(*between) for d in range(-1, 3) for between in ROUNDS]
    times = [(midnight + timedelta(hours=h) - start).total_seconds() for h in hours]
    return sorted(t for t in times if 0 <= t < total)


def duty(choice: list[Round], times: list[float], shift: int) -> Jobs:
    """Every round goes through all rooms, each from another one on."""
    starts = [(at, (shift + n) % len(choice)) for n, at in enumerate(times)]
    return deque((at, one) for at, first in starts for one in choice[first:] + choice[:first])


def work(book: Book, jobs: Jobs, until: float) -> None:
    """Does what there is time for."""
    while jobs:
        begin, one = jobs[0]
        fill = REFRESH_S if book.battery < FULL_ENOUGH or book.liquid < FULL_ENOUGH else 0.0
        wait = max(0.0, begin - book.now) + fill
        if book.now + wait + one.seconds + SPARE_S > until:
            return
        jobs.popleft()
        book.charge(wait)
        book.run(one)
        book.charge(book.dice.uniform(*REST_S))
