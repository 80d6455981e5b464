"""Payloads of scheduled tasks: on which days, from when, until when at most, and what is cleaned.

Times are the robot's own wall clock, "HH-MM" on the wire ("HH:MM" is understood too); days are 1 (Monday) to 7.
"""

import re
from datetime import date, time
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.payloads.base import Name, Payload, required
from lustra.protocol.recurrence import Weekly

Flag = Literal[0, 1]
CLOCK = re.compile(r"([01]\d|2[0-3])[-:]([0-5]\d)")
MOST_TASKS = 50
CHARGE_BELOW = 20.0  # % of battery below which the robot charges before it begins


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


class Timed(Payload):
    """What both kinds of schedules have. `charge_below`: with less battery it charges before it begins. `skips`: local
    dates that are left out. `revision` is the one that a change is based on."""

    name: Name = ""
    start_time: str = ""
    days: list[int] = Field(default=[], max_length=7)
    enable: Flag = 1
    forced_end: Flag = 0
    end_time: str = ""
    skips: list[date] = Field(default=[], max_length=400)
    charge_below: float = Field(default=CHARGE_BELOW, ge=0, le=90)
    revision: int | None = None

    _clock = field_validator("start_time", "end_time", mode="before")(clock)

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
        end = wall(self.end_time) if self.forced_end else None
        return Weekly(self.days, wall(self.start_time), zone, end, self.skips)


class TimeTask(Timed):
    """A scheduled task of one map (entity ScheduledTask). The same task cannot be in its list twice."""

    map_name: str = ""
    task_list: list[Name] = Field(default=[], max_length=MOST_TASKS)

    _once = field_validator("task_list")(once)

    @model_validator(mode="after")
    def works(self) -> "TimeTask":
        if not self.task_list:
            raise PydanticCustomError("schedule_task_required", "Choose at least one task")
        return self


class FloorTasks(Payload):
    map_name: str = ""
    task_list: list[Name] = Field(default=[], max_length=MOST_TASKS)

    _once = field_validator("task_list")(once)

    @model_validator(mode="after")
    def works(self) -> "FloorTasks":
        required(self.map_name, "task_map_required", "The task needs a map")
        if not self.task_list:
            raise PydanticCustomError("schedule_task_required", "Choose at least one task")
        return self


class ElevatorTimeTask(Timed):
    """A scheduled task over several floors, which the robot reaches by a lift."""

    elevator_id: str = ""
    floors: list[FloorTasks] = Field(default=[], max_length=MOST_TASKS)

    @model_validator(mode="after")
    def works(self) -> "ElevatorTimeTask":
        if not self.floors:
            raise PydanticCustomError("schedule_floor_required", "Choose at least one floor")
        return self


class ScheduleName(Payload):
    name: Name = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "schedule_name_required", "The schedule needs a name")


class ScheduleRename(ScheduleName):
    new_name: Name = ""

    @field_validator("new_name")
    @classmethod
    def renamed(cls, name: str) -> str:
        return required(name, "schedule_name_required", "The schedule needs a name")


class ScheduleEnable(ScheduleName):
    enable: Flag
