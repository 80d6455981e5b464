"""Payloads of task groups: units that the robot works through one after another."""

from enum import IntEnum
from typing import Any

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.payloads.base import Name, Payload, required

MOST_UNITS = 50
MOST_ROUNDS = 20


class GroupType(IntEnum):
    """What the units of a group have in common. A project is a customer's, as with groups of devices: all tasks of one
    robot are of one; whether it has a customer, only the server knows, and the form asks it."""

    ORDINARY = 0
    SAME_PROJECT = 1
    SAME_MAP = 2
    SAME_BUILDING = 3


class Unit(Payload):
    """A named step: a task on a map (without one, the loaded map). Named as its task, if it has no name of its own."""

    name: Name = ""
    map_name: str = ""
    task: Name = ""

    @model_validator(mode="before")
    @classmethod
    def named(cls, given: Any) -> Any:
        if isinstance(given, str):
            return {"name": given, "task": given}
        return {"name": given.get("task", "")} | given if isinstance(given, dict) else given

    @model_validator(mode="after")
    def complete(self) -> "Unit":
        required(self.name, "unit_name_required", "The task unit needs a name")
        required(self.task, "task_name_required", "The task needs a name")
        return self


class TaskGroup(Payload):
    """`count`: how often the robot works through it in one run."""

    name: Name = ""
    type: GroupType = GroupType.ORDINARY
    tasks: list[Unit] = Field(default=[], max_length=MOST_UNITS)
    count: int = Field(default=1, ge=1, le=MOST_ROUNDS)
    revision: int | None = None

    @model_validator(mode="after")
    def complete(self) -> "TaskGroup":
        required(self.name, "group_name_required", "The task group needs a name")
        if not self.tasks:
            raise PydanticCustomError("group_unit_required", "The task group needs a task")
        return self


class GroupName(Payload):
    name: Name = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "group_name_required", "The task group needs a name")


class GroupRename(GroupName):
    new_name: Name = ""

    @field_validator("new_name")
    @classmethod
    def renamed(cls, name: str) -> str:
        return required(name, "group_name_required", "The task group needs a name")
