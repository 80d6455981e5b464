"""What becomes of a robot's schedules on a simulated day.

Rules: what is due is computed as the robot itself does. Most is done, with its reports; now and then the robot is off
at the time, its emergency stop is pressed, its computer starts anew in the middle, or somebody ends it; what comes
while the robot is at work waits as long as it would, and is missed then.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from lustra.protocol.bus import Occurrence, Schedule, Turn, Unit
from lustra.protocol.recurrence import between
from lustra.robot.buildings import catalogue
from lustra.robot.demo.day_log import DayLog
from lustra.robot.demo.elevator import early_schedule, hall_tasks
from lustra.robot.demo.planned_runs import PlannedRun, elevator_transfer, runs_from_charger, runs_from_elevator
from lustra.robot.demo.schedules import Planned, multi_floor_schedule, room_tasks, single_floor_schedule
from lustra.robot.maps.floor import Floor
from lustra.robot.schedules.schedule import BUSY, LATE_MS, ScheduleItem, schedule_units, to_ms
from lustra.robot.simulation.energy import DRAIN_DRIVE

# Shares of occurrences.
OFF = 0.03
PRESSED = 0.02
BROKEN = 0.03
OFF_S = (300.0, 1800.0)  # beyond what it may begin late
RIDE_S = (90.0, 210.0)  # in an elevator, and before it
SPARE_S = 900.0  # between the last run and what comes then: its hour, or the day's end
LATE_S = LATE_MS / 1000

ReportedOccurrence = tuple[int, Occurrence]  # ms at which the robot reported it


@dataclass(frozen=True)
class Home:
    """Where a robot is at home: `berth` is the number of its charger on that floor."""

    building: str
    floor: str
    berth: int = 0
    zone: str = "UTC"
    plans: Sequence[tuple[Schedule, ScheduleItem]] = ()

    @property
    def map(self) -> Floor:
        return catalogue.floor(self.building, self.floor)


@dataclass(frozen=True)
class Due:
    """`at` and `end` in seconds of the day."""

    at: float
    end: float
    occurrence: Occurrence


def initial_schedules(
    building: str, floor: str, week: Iterable[Planned], *, rides: bool
) -> list[tuple[Schedule, ScheduleItem]]:
    """The schedules that such a robot has from its first start on."""
    floor_map, halls = catalogue.floor(building, floor), hall_tasks(building) if rides else {}
    tasks, away = room_tasks(floor_map), {on: task for on, task in halls.items() if on != floor_map.name}
    schedules: list[tuple[Schedule, ScheduleItem]] = [("elevator_timetask", early_schedule(halls))] if halls else []
    for planned in week if tasks else ():
        if not planned.elevator:
            schedules.append(("timetask", single_floor_schedule(planned, floor_map, tasks)))
        elif away:
            schedules.append(("elevator_timetask", multi_floor_schedule(planned, away)))
    return schedules


@dataclass
class PastSchedules:
    """`at`: the map on which it stands before an elevator; empty at its charger."""

    day_log: DayLog
    home: Home
    reported: list[ReportedOccurrence] = field(default_factory=list[ReportedOccurrence])
    at: str = ""

    def due_occurrences(self) -> list[Due]:
        first, dues = self.day_log.start, list[Due]()
        for kind, item in self.home.plans:
            for time in between(item.weekly(self.home.zone), first, first + timedelta(seconds=self.day_log.total)):
                occurrence = Occurrence(
                    kind=kind,
                    schedule=item.name,
                    day=time.day.isoformat(),
                    start=to_ms(time.start),
                    end=to_ms(time.end) if time.end else 0,
                    state="waiting",
                    units=schedule_units(item),
                )
                end = (time.end - first).total_seconds() if time.end else math.inf
                dues.append(Due((time.start - first).total_seconds(), end, occurrence))
        return sorted(dues, key=lambda due: due.at)

    def simulate(self, due: Due) -> None:
        day_log, fate = self.day_log, self.day_log.rng.random()
        if day_log.now > due.at + LATE_S:
            self.report(due, "missed", BUSY, day_log.ms(due.at + LATE_S))
            return
        free = day_log.now <= due.at
        day_log.charge(max(0.0, due.at - day_log.now))
        left = day_log.total - day_log.now
        if free and fate < OFF:
            day_log.off(min(left, LATE_S + day_log.rng.uniform(*OFF_S)))
            self.report(due, "missed", "robot_off", day_log.ms(day_log.now))
        elif free and fate < OFF + PRESSED:
            day_log.charge(min(left, LATE_S))
            self.report(due, "missed", "0x0535", day_log.ms(day_log.now))
        else:
            state, reason = self.run_units(due, broken=fate > 1 - BROKEN)
            ran = any(unit.run for unit in due.occurrence.units)
            self.report(due, state, reason, day_log.reports[-1].ended if ran else day_log.ms(day_log.now))
            self.go_home()

    def report(self, due: Due, state: Turn, reason: str, at: int) -> None:
        due.occurrence.state, due.occurrence.reason = state, reason
        self.reported.append((at, due.occurrence))

    def run_units(self, due: Due, *, broken: bool) -> tuple[Turn, str]:
        """Unit by unit; one that does not end by itself ends all."""
        day_log, units = self.day_log, due.occurrence.units
        for unit in units:
            if day_log.now >= due.end:
                return "forced_end", ""
            planned = self.reach(unit)
            if planned is None:
                continue
            if day_log.now + planned.seconds + SPARE_S > day_log.total:
                return ("interrupted" if any(unit.run for unit in units) else "missed"), "robot_off"
            report = day_log.run(planned, until=due.end, broken=broken)
            unit.run = report.id
            if report.end != "finished":
                if report.end == "interrupted":
                    return "interrupted", "robot_off"
                return ("forced_end" if report.ended >= due.occurrence.end > 0 else "cancelled"), ""
        ran = any(unit.run for unit in units)
        return ("done", "") if ran else ("missed", units[0].reason)

    def reach(self, unit: Unit) -> PlannedRun | None:
        """The unit's run from where the robot comes to it; by an elevator, where it is on another floor."""
        home, day_log = self.home, self.day_log
        if not self.at and unit.map == home.map.name:
            return self.find_run(unit, runs_from_charger(home.building, home.floor, home.berth))
        transfer = elevator_transfer(home.building, home.floor, home.berth)
        if transfer is None:
            unit.reason = "lift_no_point"
            return None
        planned = self.find_run(unit, runs_from_elevator(home.building, transfer.name))
        if planned and not self.at:
            day_log.drive(transfer.outbound, 0.0, transfer.outbound.seconds, DRAIN_DRIVE)
            self.at = home.map.name
        if planned and self.at != unit.map:
            day_log.hold(transfer.outbound, transfer.outbound.seconds, day_log.rng.uniform(*RIDE_S))
            self.at = unit.map
        return planned

    def find_run(self, unit: Unit, among: Iterable[PlannedRun]) -> PlannedRun | None:
        key = (unit.map, unit.task)
        run = next((planned for planned in among if (planned.floor.name, planned.task.name) == key), None)
        unit.reason = "" if run else "path_not_solved"
        return run

    def go_home(self) -> None:
        transfer = elevator_transfer(self.home.building, self.home.floor, self.home.berth)
        if not self.at or transfer is None:
            return
        if self.at != self.home.map.name:
            self.day_log.hold(transfer.outbound, transfer.outbound.seconds, self.day_log.rng.uniform(*RIDE_S))
        self.day_log.drive(transfer.back, 0.0, transfer.back.seconds, DRAIN_DRIVE)
        self.at = ""
