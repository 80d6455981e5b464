"""Payloads of scheduled tasks: on which days, from when, until when at most, and what is cleaned.

Times are the robot's own wall clock, "HH-MM" on the wire ("HH:MM" is understood too); days are 1 (Monday) to 7. The
names of the specification's console are understood as well: `repeat` for `days`, `isActive` for `enable`.
"""

import re
from datetime import date, time
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import MapRef, Name, Payload, SeenRevision, required
from lustra.protocol.recurrence import Weekly

Flag = Literal[0, 1]
CLOCK = re.compile(r"([01]\d|2[0-3])[-:]([0-5]\d)")
CONSOLE_NAMES = {"repeat": "days", "isActive": "enable"}
MOST_TASKS = 50
CHARGE_BELOW = 20.0  # % of battery below which the robot charges before it begins

# Fields that payloads and answers share, each described once.
ScheduleTitle = Annotated[Name, doc("Name of the schedule, 1 to 64 letters; it is given once a robot and kind.")]
Days = Annotated[list[int], Field(max_length=7), doc("Days of the week, 1 (Monday) to 7 (Sunday).")]
StartTime = Annotated[str, doc("When it begins, HH-MM of the robot's wall clock.")]
Enable = Annotated[Flag, doc("1: it comes at its times; 0: never.")]
ForcedEnd = Annotated[Flag, doc("1: what runs at its end time is ended.")]
EndTime = Annotated[str, doc("Forced end, HH-MM; one before the start is the next day's; empty: none.")]
Skips = Annotated[list[date], Field(max_length=400), doc("Local dates that are left out, at most 400.")]
ChargeBelow = Annotated[float, Field(ge=0, le=90), doc("With less battery it charges first, %, 0 to 90.")]
TaskTitles = Annotated[
    list[Name], Field(max_length=MOST_TASKS), doc("Names of its tasks in their order, each once, 1 to 50.")
]
FloorMap = Annotated[str, doc("Name of the map of the floor.")]
ElevatorId = Annotated[str, doc("Which elevator it rides; empty: any.")]


def wall(text: str) -> time:
    """The time that a checked "HH-MM" tells."""
    hours, minutes = text.split("-")
    return time(int(hours), int(minutes))


def clock(text: Any) -> Any:
    if not isinstance(text, str) or not text.strip():
        return ""
    match = CLOCK.fullmatch(text.strip())
    if not match:
        raise PydanticCustomError("schedule_time_unknown", "The time is no time of day")
    return f"{match[1]}-{match[2]}"


def once(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise PydanticCustomError("schedule_task_twice", "The task is in the list already")
    if not all(names):
        raise PydanticCustomError("task_name_required", "The task needs a name")
    return names


class Move(Payload):
    """One start of a schedule that is moved alone. An empty time: that of the schedule."""

    day: Annotated[date, doc("Local date of the start that is moved.")]
    to: Annotated[date, doc("Local date that it begins on instead.")]
    start_time: Annotated[str, doc("When it begins there, HH-MM of the robot's wall clock; empty: as ever.")] = ""

    _clock = field_validator("start_time", mode="before")(clock)


Moves = Annotated[
    list[Move], Field(max_length=400), doc("Starts that are moved alone, at most 400; of one date the last counts.")
]


class Timed(Payload):
    """What both kinds of schedules have."""

    name: ScheduleTitle = ""
    start_time: StartTime = ""
    days: Days = Field(default=[])
    enable: Enable = 1
    forced_end: ForcedEnd = 0
    end_time: EndTime = ""
    skips: Skips = Field(default=[])
    moves: Moves = Field(default=[])
    charge_below: ChargeBelow = CHARGE_BELOW
    revision: SeenRevision = None

    _clock = field_validator("start_time", "end_time", mode="before")(clock)

    @model_validator(mode="before")
    @classmethod
    def read_console_names(cls, data: Any) -> Any:
        """The specification's console calls `days` and `enable` by other names, and sends a boolean."""
        if not isinstance(data, dict):
            return data
        named = {name: data[other] for other, name in CONSOLE_NAMES.items() if other in data}
        return {name: int(value) if isinstance(value, bool) else value for name, value in named.items()} | data

    @field_validator("days")
    @classmethod
    def weekdays(cls, days: list[int]) -> list[int]:
        if not all(1 <= day <= 7 for day in days):  # noqa: PLR2004 - the days of a week
            raise PydanticCustomError("schedule_day_unknown", "Days are 1 (Monday) to 7 (Sunday)")
        return sorted(set(days))

    @model_validator(mode="after")
    def complete(self) -> "Timed":
        required(self.name, "schedule_name_required", "The schedule needs a name")
        required(self.start_time, "schedule_start_required", "The schedule needs a start time")
        if not self.days:
            raise PydanticCustomError("schedule_days_required", "Choose at least one day")
        if self.forced_end:
            required(self.end_time, "schedule_end_required", "The forced end needs a time")
        return self

    def weekly(self, zone: str) -> Weekly:
        start, end = wall(self.start_time), wall(self.end_time) if self.forced_end else None
        moves = {move.day: (move.to, wall(move.start_time) if move.start_time else start) for move in self.moves}
        return Weekly(self.days, start, zone, end, self.skips, moves)


class TimeTask(Timed):
    """A scheduled task of one map (entity ScheduledTask). The same task cannot be in its list twice."""

    map_name: MapRef = ""
    task_list: TaskTitles = Field(default=[])

    _once = field_validator("task_list")(once)

    @model_validator(mode="after")
    def works(self) -> "TimeTask":
        if not self.task_list:
            raise PydanticCustomError("schedule_task_required", "Choose at least one task")
        return self


class FloorTasks(Payload):
    """What is cleaned on one floor."""

    map_name: FloorMap = ""
    task_list: TaskTitles = Field(default=[])

    _once = field_validator("task_list")(once)

    @model_validator(mode="after")
    def works(self) -> "FloorTasks":
        required(self.map_name, "task_map_required", "The task needs a map")
        if not self.task_list:
            raise PydanticCustomError("schedule_task_required", "Choose at least one task")
        return self


class ElevatorTimeTask(Timed):
    """A scheduled task over several floors, which the robot reaches by an elevator."""

    elevator_id: ElevatorId = ""
    floors: Annotated[
        list[FloorTasks], Field(max_length=MOST_TASKS), doc("Floors in the order of the work, 1 to 50.")
    ] = Field(default=[])

    @model_validator(mode="after")
    def works(self) -> "ElevatorTimeTask":
        if not self.floors:
            raise PydanticCustomError("schedule_floor_required", "Choose at least one floor")
        return self


class ScheduleName(Payload):
    name: ScheduleTitle = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "schedule_name_required", "The schedule needs a name")


class ScheduleRename(ScheduleName):
    new_name: Annotated[Name, doc("What it is called from now on, 1 to 64 letters.")] = ""

    @field_validator("new_name")
    @classmethod
    def renamed(cls, name: str) -> str:
        return required(name, "schedule_name_required", "The schedule needs a name")


class ScheduleEnable(ScheduleName):
    enable: Enable
