"""What became of a robot's schedules on a day that is made.

Rules: what is due is reckoned as the robot itself does. Most is done, with its reports; now and then the robot is off
at the time, its emergency stop is pressed, its computer starts anew in the middle, or somebody ends it; what comes
while the robot is at work waits as long as it would, and is missed then.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from lustra.protocol.bus import Occurrence, Schedule, Turn, Unit
from lustra.protocol.recurrence import between
from lustra.robot import buildings
from lustra.robot.day_log import Book
from lustra.robot.demo_elevator import early, halls
from lustra.robot.demo_schedules import Planned, over_floors, rooms, timed
from lustra.robot.energy import DRAIN_DRIVE
from lustra.robot.floor import Floor
from lustra.robot.planned_runs import Round, rounds, to_lift, upstairs
from lustra.robot.schedule import BUSY, LATE_MS, Item, ms, steps

OFF, PRESSED, BROKEN = 0.03, 0.02, 0.03  # shares of occurrences
OFF_S = (300.0, 1800.0)  # beyond what it may begin late
RIDE_S = (90.0, 210.0)  # in a lift, and before it
SPARE_S = 900.0  # between the last run and what comes then: its hour, or the day's end
LATE_S = LATE_MS / 1000

Told = tuple[int, Occurrence]  # ms at which the robot told it


@dataclass(frozen=True)
class Home:
    """Where a robot is at home: `berth` is the number of its charger on that floor."""

    building: str
    floor: str
    berth: int = 0
    zone: str = "UTC"
    plans: Sequence[tuple[Schedule, Item]] = ()

    @property
    def told(self) -> Floor:
        return buildings.floor(self.building, self.floor)


@dataclass(frozen=True)
class Due:
    """`at` and `end` in seconds of the day."""

    at: float
    end: float
    told: Occurrence


def plans(building: str, floor: str, week: Iterable[Planned], *, rides: bool) -> list[tuple[Schedule, Item]]:
    """The schedules that such a robot has from its first start on."""
    told, tasks = buildings.floor(building, floor), halls(building) if rides else {}
    known, away = rooms(told), {on: task for on, task in tasks.items() if on != told.name}
    found: list[tuple[Schedule, Item]] = [("elevator_timetask", early(tasks))] if tasks else []
    for planned in week if known else ():
        if not planned.lift:
            found.append(("timetask", timed(planned, told, known)))
        elif away:
            found.append(("elevator_timetask", over_floors(planned, away)))
    return found


@dataclass
class Past:
    """`at`: the map on which it stands before a lift; empty at its charger."""

    book: Book
    home: Home
    told: list[Told] = field(default_factory=list[Told])
    at: str = ""

    def due(self) -> list[Due]:
        first, found = self.book.start, list[Due]()
        for kind, what in self.home.plans:
            for one in between(what.weekly(self.home.zone), first, first + timedelta(seconds=self.book.total)):
                told = Occurrence(kind=kind, schedule=what.name, day=one.day.isoformat(), start=ms(one.start),
                                  end=ms(one.end) if one.end else 0, state="waiting", units=steps(what))  # fmt: skip
                end = (one.end - first).total_seconds() if one.end else math.inf
                found.append(Due((one.start - first).total_seconds(), end, told))
        return sorted(found, key=lambda one: one.at)

    def follow(self, due: Due) -> None:
        book, fate = self.book, self.book.dice.random()
        if book.now > due.at + LATE_S:
            self.tell(due, "missed", BUSY, book.ms(due.at + LATE_S))
            return
        free = book.now <= due.at
        book.charge(max(0.0, due.at - book.now))
        left = book.total - book.now
        if free and fate < OFF:
            book.off(min(left, LATE_S + book.dice.uniform(*OFF_S)))
            self.tell(due, "missed", "robot_off", book.ms(book.now))
        elif free and fate < OFF + PRESSED:
            book.charge(min(left, LATE_S))
            self.tell(due, "missed", "0x0535", book.ms(book.now))
        else:
            state, reason = self.work(due, broken=fate > 1 - BROKEN)
            ran = any(unit.run for unit in due.told.units)
            self.tell(due, state, reason, book.reports[-1].ended if ran else book.ms(book.now))
            self.go_home()

    def tell(self, due: Due, state: Turn, reason: str, at: int) -> None:
        due.told.state, due.told.reason = state, reason
        self.told.append((at, due.told))

    def work(self, due: Due, *, broken: bool) -> tuple[Turn, str]:
        """Unit by unit; one that does not end by itself ends all."""
        book, units = self.book, due.told.units
        for unit in units:
            if book.now >= due.end:
                return "forced_end", ""
            one = self.reach(unit)
            if one is None:
                continue
            if book.now + one.seconds + SPARE_S > book.total:
                return ("interrupted" if any(unit.run for unit in units) else "missed"), "robot_off"
            report = book.run(one, until=due.end, broken=broken)
            unit.run = report.id
            if report.end != "finished":
                if report.end == "interrupted":
                    return "interrupted", "robot_off"
                return ("forced_end" if report.ended >= due.told.end > 0 else "cancelled"), ""
        ran = any(unit.run for unit in units)
        return ("done", "") if ran else ("missed", units[0].reason)

    def reach(self, unit: Unit) -> Round | None:
        """The unit's run from where the robot comes to it; by a lift, where it is on another floor."""
        home, book = self.home, self.book
        if not self.at and unit.map == home.told.name:
            return self.known(unit, rounds(home.building, home.floor, home.berth))
        lift = to_lift(home.building, home.floor, home.berth)
        if lift is None:
            unit.reason = "lift_no_point"
            return None
        one = self.known(unit, upstairs(home.building, lift.name))
        if one and not self.at:
            book.go(lift.there, 0.0, lift.there.seconds, DRAIN_DRIVE)
            self.at = home.told.name
        if one and self.at != unit.map:
            book.hold(lift.there, lift.there.seconds, book.dice.uniform(*RIDE_S))
            self.at = unit.map
        return one

    def known(self, unit: Unit, among: Iterable[Round]) -> Round | None:
        found = next((one for one in among if (one.told.name, one.task.name) == (unit.map, unit.task)), None)
        unit.reason = "" if found else "path_not_solved"
        return found

    def go_home(self) -> None:
        lift = to_lift(self.home.building, self.home.floor, self.home.berth)
        if not self.at or lift is None:
            return
        if self.at != self.home.told.name:
            self.book.hold(lift.there, lift.there.seconds, self.book.dice.uniform(*RIDE_S))
        self.book.go(lift.home, 0.0, lift.home.seconds, DRAIN_DRIVE)
        self.at = ""
