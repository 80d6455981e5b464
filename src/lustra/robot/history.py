"""A robot's past days, by the same planner, drives and counting of cells, under a virtual clock.

Each room of a floor is planned and swept once; a day is then only a timetable that is sampled. A day begins and ends at
the charger, so that days can be made in any order; the same day is always made alike.
"""

import hashlib
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Flag, Mask, Report
from lustra.protocol.payloads.tasks import Task
from lustra.robot import buildings, worlds
from lustra.robot.drive import SPEEDS, TRANSIT, Drive, timetable
from lustra.robot.duty import FULL_ENOUGH, rooms_task
from lustra.robot.energy import CHARGE, DRAIN_CLEAN, DRAIN_DRIVE, DRAIN_REST, REFILL_ML_S, TANK_ML
from lustra.robot.floor import Cells, Floor
from lustra.robot.lattice import TOOL
from lustra.robot.planner import NoWay, plan
from lustra.robot.run import ML_PER_M2, MOST_DRIVEN, THIN
from lustra.robot.sweep import packed, paint
from lustra.robot.ways import DOCK_WITHIN

Point = tuple[int, float, float, float, float, float]  # ms, x, y, yaw, battery and disinfectant in %
Array = NDArray[np.float64]
ROUNDS = ((5.0, 7.0), (12.0, 13.5), (18.0, 20.0))  # UTC hours between which the rounds of a day begin
REST_S = (60.0, 600.0)  # at the charger between two rooms
PAUSED, TROUBLED, CANCELLED = 0.10, 0.05, 0.04  # shares of runs
HOLD_S = (20.0, 240.0)
REFRESH_S = 1800.0  # at the charger when battery or disinfectant would not do for another room
SPARE_S = 900.0  # between the last run of a day and its end


@dataclass(frozen=True)
class Round:
    """A room's run, planned and swept: all that a day needs of it."""

    task: Task
    out: Drive
    clean: Drive
    home: Drive
    planned: float
    reachable: float
    swept: Array  # m² that are cleaned at each corner of the clean drive
    mask: Mask
    area: Cells

    @property
    def seconds(self) -> float:
        return self.out.seconds + self.clean.seconds + self.home.seconds


@dataclass
class Day:
    points: list[Point]
    area: dict[datetime, float]  # m² by UTC hour
    reports: list[Report]


@dataclass
class Leg:
    """Part of a drive, or a halt in it."""

    begin: float
    end: float
    drive: Drive
    t: float  # of the drive, at `begin`
    moves: bool = True


@lru_cache(maxsize=16)
def rounds(building: str, floor: str, berth: int) -> list[Round]:
    told = buildings.floor(building, floor)
    tasks = [rooms_task(told, n) for n in range(len(told.free_areas))]
    made = [made_round(told, task, berth) for task in tasks if task is not None]
    return [one for one in made if one is not None]


def made_round(told: Floor, task: Task, berth: int) -> Round | None:
    """None where the robot does not come from its charger to the room and back."""
    dock = buildings.charger(told, berth)
    at = np.array([dock.x, dock.y])
    try:
        made = plan(told, worlds.lattice(told), list(task.areas[0].points), task.start or (dock.x, dock.y), task.route)
    except NoWay:
        return None
    out = transit(told, at, made.path[0], dock.yaw)
    if out is None:
        return None
    clean = timetable(made.path, float(out.yaws[-1]), SPEEDS[task.speed])
    home = transit(told, made.path[-1], at, float(clean.yaws[-1]), dock.yaw)
    if home is None:
        return None
    swept, painted = progress(told, clean, made.area)
    m2 = told.square_metres(made.area), told.square_metres(made.reachable)
    return Round(task, out, clean, home, *m2, swept, packed(painted), made.area)


def transit(told: Floor, a: Array, b: Array, yaw: float, last_yaw: float | None = None) -> Drive | None:
    lattice = worlds.lattice(told)
    begin, end = (lattice.nearest(told.to_vertices(p[None])[0], DOCK_WITHIN) for p in (a, b))
    way = lattice.way(begin, end) if begin and end else None
    if way is None:
        return None
    return timetable(np.concatenate([a[None], told.to_metres(np.array(way)), b[None]]), yaw, TRANSIT, last_yaw)


def progress(told: Floor, drive: Drive, area: Cells, until: float | None = None) -> tuple[Array, Cells]:
    """m² that are clean at each corner of the drive (up to a time), and the cells themselves."""
    painted = np.zeros(area.shape, np.bool_)
    line = told.to_vertices(drive.points if until is None else drive.line(0.0, until))
    counts = [0]
    for n in range(len(line) - 1):
        fresh = paint(painted, line[n : n + 2], TOOL / 2 / told.resolution)
        counts.append(int(np.count_nonzero(area.ravel()[fresh])))
    return np.cumsum(counts) * told.resolution**2, painted & area


def day(
    sn: str, building: str, floor: str, start: datetime, end: datetime, *, step_s: float = 5.0, berth: int = 0
) -> Day:
    """All that the robot told between two times: points, cleaned m² by hour, reports."""
    dice = random.Random(f"{sn} {start.isoformat()}")  # noqa: S311  (a believable past, no secret)
    book = Book(sn, buildings.floor(building, floor), start, (end - start).total_seconds(), dice)
    book.note()
    choice = rounds(building, floor, berth)
    shift = dice.randrange(len(choice))
    for n, begin in enumerate(begins(start, book.total, dice)):
        book.charge(max(0.0, begin - book.now))
        for one in choice[(shift + n) % len(choice) :] + choice[: (shift + n) % len(choice)]:
            if book.battery < FULL_ENOUGH or book.liquid < FULL_ENOUGH:
                book.charge(REFRESH_S)
            if book.now + one.seconds + SPARE_S > book.total:
                break
            book.run(one)
            book.charge(dice.uniform(*REST_S))
    book.charge(max(0.0, book.total - book.now))
    return Day(book.points(step_s, buildings.charger(book.told, berth)), book.area, book.reports)


def begins(start: datetime, total: float, dice: random.Random) -> list[float]:
    """Seconds after the start at which rounds begin."""
    midnight = start.astimezone(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    hours = [24 * d + dice.uniform(*between) for d in range(-1, 3) for between in ROUNDS]
    times = [(midnight + timedelta(hours=h) - start).total_seconds() for h in hours]
    return sorted(t for t in times if 0 <= t < total)


@dataclass
class Book:
    """A day as it is written: legs of the drive, battery and disinfectant where their course changes, reports."""

    sn: str
    told: Floor
    start: datetime
    total: float
    dice: random.Random
    legs: list[Leg] = field(default_factory=list[Leg])
    knots: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    area: dict[datetime, float] = field(default_factory=dict[datetime, float])
    reports: list[Report] = field(default_factory=list[Report])
    now: float = 0.0
    battery: float = 100.0
    liquid: float = 100.0

    def note(self) -> None:
        self.knots.append((self.now, self.battery, self.liquid))

    def go(self, drive: Drive, t0: float, t1: float, drain: float, ml: float = 0.0) -> None:
        self.legs.append(Leg(self.now, self.now + t1 - t0, drive, t0))
        self.spend(t1 - t0, drain, ml)

    def spend(self, seconds: float, drain: float, ml: float = 0.0) -> None:
        self.now += seconds
        self.battery = max(0.0, self.battery - drain * seconds / 3600)
        self.liquid = max(0.0, self.liquid - ml / TANK_ML * 100)
        self.note()

    def charge(self, seconds: float) -> None:
        """At the charger; the course of battery and disinfectant has a corner where each is full."""
        until = self.now + seconds
        full = (self.now + (100 - self.battery) / CHARGE * 3600,
                self.now + (100 - self.liquid) / 100 * TANK_ML / REFILL_ML_S)  # fmt: skip
        for at in sorted({at for at in full if self.now < at < until} | {until}):
            self.fill(at - self.now)

    def fill(self, seconds: float) -> None:
        self.now += seconds
        self.battery = min(100.0, self.battery + CHARGE * seconds / 3600)
        self.liquid = min(100.0, self.liquid + REFILL_ML_S * seconds / TANK_ML * 100)
        self.note()

    def run(self, one: Round) -> None:
        """One run: out, clean (perhaps with a halt, perhaps not to its end), home; and its report."""
        began, battery, luck = self.now, self.battery, self.dice.random()
        self.go(one.out, 0.0, one.out.seconds, DRAIN_DRIVE)
        last = one.clean.seconds * (self.dice.uniform(0.3, 0.8) if luck > 1 - CANCELLED else 1.0)
        halt = self.dice.uniform(*HOLD_S) if luck < PAUSED + TROUBLED else 0.0
        at = last * self.dice.uniform(0.1, 0.9)
        for t0, t1, wait in ((0.0, at, halt), (at, last, 0.0)):
            metres = one.clean.along(np.array([t0, t1]))[0]
            self.share(one, t0, t1)
            self.go(one.clean, t0, t1, DRAIN_CLEAN, ML_PER_M2 * TOOL * float(metres[1] - metres[0]))
            if wait:
                self.legs.append(Leg(self.now, self.now + wait, one.clean, t1, moves=False))
                self.spend(wait, DRAIN_REST)
        told = self.report(one, began, last, halt)
        told.battery_from, told.battery_to = round(battery, 1), round(self.battery, 1)
        told.faults = ["0x0205"] if halt and luck < TROUBLED else []
        self.reports.append(told)
        home = homewards(self.told, one, last)
        self.go(home, 0.0, home.seconds, DRAIN_DRIVE)

    def share(self, one: Round, t0: float, t1: float) -> None:
        """Shares out the cleaned m² of a piece that begins now over the hours that it lies in."""
        first = self.start + timedelta(seconds=self.now)
        hour = first.astimezone(timezone.utc).replace(minute=0, second=0, microsecond=0)
        t = t0
        while t < t1:
            after = hour + timedelta(hours=1)
            until = min(t1, t0 + (after - first).total_seconds())
            m2 = np.interp([t, until], one.clean.arrive, one.swept)
            self.area[hour] = self.area.get(hour, 0.0) + float(m2[1] - m2[0])
            t, hour = until, after

    def ms(self, seconds: float) -> int:
        return round((self.start.timestamp() + seconds) * 1000)

    def report(self, one: Round, began: float, last: float, halt: float) -> Report:
        """Of a run that ends now."""
        whole = last >= one.clean.seconds
        m2, mask = float(one.swept[-1]), one.mask
        if not whole:
            swept, painted = progress(self.told, one.clean, one.area, last)
            m2, mask = float(swept[-1]), packed(painted)
        metres = float(one.clean.along(np.array([last]))[0][0])
        return Report(
            at=self.ms(self.now), id=hashlib.sha256(f"{self.sn} {self.ms(began)}".encode()).hexdigest()[:16],
            task=one.task.name, map=self.told.name, map_revision=self.told.revision, started=self.ms(began),
            ended=self.ms(self.now), end="finished" if whole else "cancelled", planned=round(one.planned, 3),
            reachable=round(one.reachable, 3), cleaned=round(m2, 4), coverage=round(min(1.0, m2 / one.reachable), 4),
            battery_from=0.0, battery_to=0.0, liquid_ml=round(ML_PER_M2 * TOOL * metres, 1),
            distance=round(one.out.length + metres, 2), pauses=int(halt > 0), paused_s=round(halt, 1), cells=mask,
            driven=thinned(one, last), route=one.task.route, speed=one.task.speed, factor=1.0,
        )  # fmt: skip

    def points(self, step_s: float, dock: Flag) -> list[Point]:
        at = np.arange(0.0, self.total, step_s)
        pose = np.tile([dock.x, dock.y, dock.yaw], (len(at), 1))
        for leg in self.legs:
            a, b = np.searchsorted(at, [leg.begin, leg.end]).tolist()
            if a < b:
                t = np.minimum(leg.t + (at[a:b] - leg.begin) * leg.moves, leg.drive.seconds)
                pose[a:b, :2], pose[a:b, 2], _ = leg.drive.poses(t)
        knots = np.array(self.knots)
        levels = [np.interp(at, knots[:, 0], knots[:, k]) for k in (1, 2)]
        yaw = np.arctan2(np.sin(pose[:, 2]), np.cos(pose[:, 2]))
        ms = (self.ms(0.0) + np.round(at * 1000)).astype(np.int64).tolist()
        columns = [np.round(c, 3).tolist() for c in (pose[:, 0], pose[:, 1], yaw, *levels)]
        return list(zip(ms, *columns, strict=True))


def homewards(told: Floor, one: Round, last: float) -> Drive:
    """To the charger from where the run has ended."""
    if last >= one.clean.seconds:
        return one.home
    xy, yaw, _ = one.clean.poses(np.array([last]))
    return transit(told, xy[0], one.home.points[-1], float(yaw[0]), float(one.home.yaws[-1])) or one.home


def thinned(one: Round, last: float) -> list[float]:
    seconds = np.arange(0.0, last, max(THIN / SPEEDS[one.task.speed], last / MOST_DRIVEN) * 4)
    corners = one.clean.arrive[one.clean.arrive <= last]
    xy = one.clean.poses(np.unique(np.concatenate([seconds, corners])))[0]
    flat: list[float] = np.round(xy, 2).ravel().tolist()
    return flat
