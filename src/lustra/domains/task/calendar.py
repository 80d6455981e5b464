"""The calendar of robots: what has become of occurrences so far, and which will come.

Rules: past occurrences are the robot's reports; coming ones are calculated from its schedules by the function that the
robot itself uses, in its own zone. A past occurrence that it has not reported within a minute is `unheard`. Two of one
robot that overlap are a conflict: the second would wait for the first, and be missed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal

from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.recurrence import between

PATIENCE = timedelta(minutes=1)  # in which a robot tells of what it begins
Seconds = Mapping[tuple[int, str, str], float]  # by robot, map and task: how long the robot says that it takes
Units = list[dict[str, Any]]
Conflict = Literal["", "overlap", "lift"]


@dataclass(slots=True)
class Entry:
    device_id: int
    kind: str
    schedule: str
    start: datetime
    day: date
    end: datetime | None
    state: str
    zone: str = ""
    reason: str = ""
    units: Units = field(default_factory=Units)
    elevator: str = ""
    spans: list[float] = field(default_factory=list[float])  # seconds of each unit
    riding: timedelta = timedelta(0)
    conflict: Conflict = ""

    @property
    def key(self) -> tuple[int, str, str, datetime]:
        return self.device_id, self.kind, self.schedule, self.start

    @property
    def over(self) -> bool:
        """Whether its state is final."""
        return self.state in {"done", "forced_end", "cancelled", "interrupted", "missed"}

    @property
    def seconds(self) -> float:
        """How long its units take together, without the ways between them."""
        return sum(self.spans)

    @property
    def until(self) -> datetime:
        """When it will have ended, as far as can be known."""
        worked = self.start + timedelta(seconds=self.seconds) + self.riding
        return min(worked, self.end) if self.end else worked


@dataclass(frozen=True, slots=True)
class Plan:
    """A schedule as the mirror has it; `known`: since when it has it so."""

    device_id: int
    kind: str
    content: dict[str, Any]
    known: datetime

    def read(self) -> TimeTask | ElevatorTimeTask:
        return (TimeTask if self.kind == "timetask" else ElevatorTimeTask).model_validate(self.content)


def parse_occurrences(rows: Sequence[Any], schedules: Sequence[Plan]) -> list[Entry]:
    """What robots reported of occurrences; what only a schedule says is known while that is still there."""
    contents = {(plan.device_id, plan.kind, plan.content["name"]): plan.content for plan in schedules}

    def parse(row: Any) -> Entry:
        content = contents.get((row["device_id"], row["kind"], row["schedule"]), {})
        return Entry(
            row["device_id"],
            row["kind"],
            row["schedule"],
            row["start"],
            row["day"],
            row["ends"],
            row["state"],
            str(content.get("zone", "")),
            row["reason"],
            row["units"],
            str(content.get("elevator_id", "")),
        )

    return [parse(row) for row in rows]


def list_units(schedule: TimeTask | ElevatorTimeTask) -> Units:
    floors = [schedule] if isinstance(schedule, TimeTask) else schedule.floors
    return [
        {"map": floor.map_name, "task": task, "run": "", "reason": ""} for floor in floors for task in floor.task_list
    ]


def expect_occurrences(plan: Plan, since: datetime, until: datetime, now: datetime) -> Iterator[Entry]:
    """The occurrences of a schedule in a span of time, none from before it was known."""
    schedule, zone = plan.read(), str(plan.content["zone"])
    if not schedule.enable:
        return
    for occurrence in between(schedule.weekly(zone), max(since, plan.known), until):
        state = "skipped" if occurrence.skipped else "planned" if occurrence.start >= now - PATIENCE else "unheard"
        yield Entry(
            plan.device_id,
            plan.kind,
            schedule.name,
            occurrence.start,
            occurrence.day,
            occurrence.end,
            state,
            zone,
            units=list_units(schedule),
            elevator="" if isinstance(schedule, TimeTask) else schedule.elevator_id,
        )


def build_calendar(
    occurrences: Sequence[Entry],
    plans: Iterable[Plan],
    seconds: Seconds,
    window: tuple[datetime, datetime],
    now: datetime,
) -> list[Entry]:
    """Entries of past and expected occurrences, in the order of their starts."""
    known = {entry.key for entry in occurrences}
    coming = [entry for plan in plans for entry in expect_occurrences(plan, *window, now) if entry.key not in known]
    entries = sorted([*occurrences, *coming], key=lambda entry: (entry.start, entry.device_id, entry.schedule))
    for entry in entries:
        entry.spans = [seconds.get((entry.device_id, unit["map"], unit["task"]), 0.0) for unit in entry.units]
    mark_overlaps(entries)
    return entries


def open_entries(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that run or are still to come."""
    return [entry for entry in entries if entry.state in {"planned", "waiting", "charging", "running"}]


def mark_overlaps(calendar_entries: Sequence[Entry]) -> None:
    """Conflicts of what is still to come, robot by robot, also with what runs."""
    by_robot: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in open_entries(calendar_entries):
        by_robot[entry.device_id].append(entry)
    for entries in by_robot.values():
        last = entries[0]
        for entry in entries[1:]:
            if entry.start < last.until or entry.start == last.start:
                last.conflict = entry.conflict = "overlap"
            last = max(last, entry, key=lambda open_entry: open_entry.until)
