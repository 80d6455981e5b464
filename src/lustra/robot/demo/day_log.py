"""The log of a simulated day: legs of its drive, battery and disinfectant, cleaned m², and its runs' reports."""

import hashlib
import math
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

import numpy as np

from lustra.protocol.bus import End, Flag, Report
from lustra.protocol.masks import pack_mask
from lustra.robot.demo.planned_runs import PlannedRun, cleaning_progress, return_drive
from lustra.robot.navigation.drive import SPEEDS, Drive
from lustra.robot.navigation.lattice import TOOL
from lustra.robot.navigation.run import ML_PER_M2, MOST_DRIVEN, THIN
from lustra.robot.simulation.energy import CHARGE, DRAIN_CLEAN, DRAIN_DRIVE, DRAIN_REST, REFILL_ML_S
from lustra.robot.simulation.tanks import TANK_ML

Point = tuple[int, float, float, float, float, float]  # ms, x, y, yaw, battery and disinfectant in %
# Shares of runs.
PAUSED = 0.10
TROUBLED = 0.05
CANCELLED = 0.04
HOLD_S = (20.0, 240.0)


@dataclass
class Leg:
    """Part of a drive, or a halt in it."""

    begin: float
    end: float
    drive: Drive
    t: float  # of the drive, at `begin`
    moves: bool = True


@dataclass
class DayLog:
    """`legs` of the drive; `knots`: battery and disinfectant where their course changes; reports."""

    sn: str
    start: datetime
    total: float
    rng: random.Random
    legs: list[Leg] = field(default_factory=list[Leg])
    levels: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    area: dict[datetime, float] = field(default_factory=dict[datetime, float])
    reports: list[Report] = field(default_factory=list[Report])
    gaps: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])  # in which it was off
    now: float = 0.0
    battery: float = 100.0
    liquid: float = 100.0

    def add_level(self) -> None:
        self.levels.append((self.now, self.battery, self.liquid))

    def drive(self, drive: Drive, t0: float, t1: float, drain: float, ml: float = 0.0) -> None:
        self.legs.append(Leg(self.now, self.now + t1 - t0, drive, t0))
        self.spend(t1 - t0, drain, ml)

    def spend(self, seconds: float, drain: float, ml: float = 0.0) -> None:
        self.now += seconds
        self.battery = max(0.0, self.battery - drain * seconds / 3600)
        self.liquid = max(0.0, self.liquid - ml / TANK_ML * 100)
        self.add_level()

    def charge(self, seconds: float) -> None:
        """At the charger; the course of battery and disinfectant has a corner where each is full."""
        until = self.now + seconds
        full = (
            self.now + (100 - self.battery) / CHARGE * 3600,
            self.now + (100 - self.liquid) / 100 * TANK_ML / REFILL_ML_S,
        )
        for at in sorted({at for at in full if self.now < at < until} | {until}):
            self.fill(at - self.now)

    def fill(self, seconds: float) -> None:
        self.now += seconds
        self.battery = min(100.0, self.battery + CHARGE * seconds / 3600)
        self.liquid = min(100.0, self.liquid + REFILL_ML_S * seconds / TANK_ML * 100)
        self.add_level()

    def off(self, seconds: float) -> None:
        """Switched off at the charger: it sends nothing."""
        self.gaps.append((self.now, self.now + seconds))
        self.spend(seconds, 0.0)

    def hold(self, drive: Drive, t: float, seconds: float) -> None:
        """Stands still somewhere on a drive."""
        self.legs.append(Leg(self.now, self.now + seconds, drive, t, moves=False))
        self.spend(seconds, DRAIN_REST)

    def run(self, planned: PlannedRun, *, until: float = math.inf, broken: bool = False) -> Report:
        """One run: out, clean (perhaps with a halt, perhaps not to its end), back; and its report. `broken`: its
        computer starts anew on the way."""
        began, battery, luck = self.now, self.battery, self.rng.random()
        self.drive(planned.out, 0.0, planned.out.seconds, DRAIN_DRIVE)
        short = broken or luck > 1 - CANCELLED
        halt = self.rng.uniform(*HOLD_S) if luck < PAUSED + TROUBLED else 0.0
        last = planned.clean.seconds * (self.rng.uniform(0.3, 0.8) if short else 1.0)
        last = min(last, until - self.now - halt)
        at = last * self.rng.uniform(0.1, 0.9)
        for t0, t1, wait in ((0.0, at, halt), (at, last, 0.0)):
            metres = planned.clean.along(np.array([t0, t1]))[0]
            self.add_area_by_hour(planned, t0, t1)
            self.drive(planned.clean, t0, t1, DRAIN_CLEAN, ML_PER_M2 * TOOL * float(metres[1] - metres[0]))
            if wait:
                self.hold(planned.clean, t1, wait)
        end = "finished" if last >= planned.clean.seconds else "interrupted" if broken else "cancelled"
        report = self.report(planned, began, last, halt, end)
        report.battery_from, report.battery_to = round(battery, 1), round(self.battery, 1)
        report.faults = ["0x0205"] if halt and luck < TROUBLED else []
        self.reports.append(report)
        if broken:
            self.hold(planned.clean, last, self.rng.uniform(*HOLD_S))
        back = return_drive(planned, last)
        self.drive(back, 0.0, back.seconds, DRAIN_DRIVE)
        return report

    def add_area_by_hour(self, planned: PlannedRun, t0: float, t1: float) -> None:
        """Shares out the cleaned m² of a piece that begins now over the hours that it lies in."""
        first = self.start + timedelta(seconds=self.now)
        hour = first.astimezone(timezone.utc).replace(minute=0, second=0, microsecond=0)
        t = t0
        while t < t1:
            after = hour + timedelta(hours=1)
            until = min(t1, t0 + (after - first).total_seconds())
            m2 = np.interp([t, until], planned.clean.arrive, planned.swept)
            self.area[hour] = self.area.get(hour, 0.0) + float(m2[1] - m2[0])
            t, hour = until, after

    def ms(self, seconds: float) -> int:
        return round((self.start.timestamp() + seconds) * 1000)

    def report(self, planned: PlannedRun, began: float, last: float, halt: float, end: End) -> Report:
        """Of a run that ends now."""
        m2, mask, missed = float(planned.swept[-1]), planned.mask, planned.missed
        if end != "finished":
            swept, painted = cleaning_progress(planned.floor, planned.clean, planned.area, last)
            m2, mask, missed = float(swept[-1]), pack_mask(painted), pack_mask(planned.reach & ~painted)
        metres = float(planned.clean.along(np.array([last]))[0][0])
        return Report(
            at=self.ms(self.now),
            id=hashlib.sha256(f"{self.sn} {self.ms(began)}".encode()).hexdigest()[:16],
            task=planned.task.name,
            map=planned.floor.name,
            map_revision=planned.floor.revision,
            started=self.ms(began),
            ended=self.ms(self.now),
            end=end,
            planned=round(planned.planned, 3),
            reachable=round(planned.reachable, 3),
            cleaned=round(m2, 4),
            coverage=round(min(1.0, m2 / planned.reachable), 4),
            battery_from=0.0,
            battery_to=0.0,
            liquid_ml=round(ML_PER_M2 * TOOL * metres, 1),
            distance=round(planned.out.length + metres, 2),
            pauses=int(halt > 0),
            paused_s=round(halt, 1),
            cells=mask,
            driven=driven_points(planned, last),
            route=planned.task.route,
            speed=planned.task.speed,
            factor=1.0,
            missed=missed,
            unreachable=planned.unreachable,
        )

    def points(self, step_s: float, dock: Flag) -> list[Point]:
        at = np.arange(0.0, self.total, step_s)
        pose = np.tile([dock.x, dock.y, dock.yaw], (len(at), 1))
        for leg in self.legs:
            a, b = np.searchsorted(at, [leg.begin, leg.end]).tolist()
            if a < b:
                t = np.minimum(leg.t + (at[a:b] - leg.begin) * leg.moves, leg.drive.seconds)
                pose[a:b, :2], pose[a:b, 2], _ = leg.drive.poses(t)
        knots = np.array(self.levels)
        levels = [np.interp(at, knots[:, 0], knots[:, k]) for k in (1, 2)]
        yaw = np.arctan2(np.sin(pose[:, 2]), np.cos(pose[:, 2]))
        ms = (self.ms(0.0) + np.round(at * 1000)).astype(np.int64).tolist()
        columns = [np.round(c, 3).tolist() for c in (pose[:, 0], pose[:, 1], yaw, *levels)]
        off = np.zeros(len(at), np.bool_)
        for since, until in self.gaps:
            off |= (at >= since) & (at < until)
        return [point for point, silent in zip(zip(ms, *columns, strict=True), off.tolist(), strict=True) if not silent]


def driven_points(planned: PlannedRun, last: float) -> list[float]:
    seconds = np.arange(0.0, last, max(THIN / SPEEDS[planned.task.speed], last / MOST_DRIVEN) * 4)
    corners = planned.clean.arrive[planned.clean.arrive <= last]
    xy = planned.clean.poses(np.unique(np.concatenate([seconds, corners])))[0]
    flat: list[float] = np.round(xy, 2).ravel().tolist()
    return flat
