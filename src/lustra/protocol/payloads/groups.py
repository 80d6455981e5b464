"""Payloads of task groups: units that the robot works through one after another."""

from enum import IntEnum
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import MapRef, Name, Payload, SeenRevision, required

MOST_UNITS = 50
MOST_ROUNDS = 20
GroupTitle = Annotated[Name, doc("Name of the group, 1 to 64 letters; it is given once a robot.")]


class GroupType(IntEnum):
    """What the units of a group have in common. A project is a customer's, as with groups of devices: all tasks of one
    robot are of one; whether it has a customer, only the server knows, and the form asks it."""

    ORDINARY = 0
    SAME_PROJECT = 1
    SAME_MAP = 2
    SAME_BUILDING = 3


class Unit(Payload):
    """A named step: a task on a map. Named as its task, if it has no name of its own; a text alone is such a task."""

    name: Annotated[Name, doc("Name of the step, 1 to 64 letters; left out: the task's.")] = ""
    map_name: MapRef = ""
    task: Annotated[Name, doc("Name of the task that the step runs.")] = ""

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
    """Tasks that the robot works through one after another."""

    name: GroupTitle = ""
    type: Annotated[GroupType, doc("What its tasks share: 0 nothing, 1 the project, 2 the map, 3 the building.")] = (
        GroupType.ORDINARY
    )
    tasks: Annotated[list[Unit], Field(max_length=MOST_UNITS), doc("Its steps in their order, 1 to 50.")] = Field(
        default=[]
    )
    count: Annotated[int, Field(ge=1, le=MOST_ROUNDS), doc("How often one run works through it, 1 to 20.")] = 1
    revision: SeenRevision = None

    @model_validator(mode="after")
    def complete(self) -> "TaskGroup":
        required(self.name, "group_name_required", "The task group needs a name")
        if not self.tasks:
            raise PydanticCustomError("group_unit_required", "The task group needs a task")
        return self


class GroupName(Payload):
    name: GroupTitle = ""

    @field_validator("name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name, "group_name_required", "The task group needs a name")


class GroupRename(GroupName):
    new_name: Annotated[Name, doc("What it is called from now on, 1 to 64 letters.")] = ""

    @field_validator("new_name")
    @classmethod
    def renamed(cls, name: str) -> str:
        return required(name, "group_name_required", "The task group needs a name")
