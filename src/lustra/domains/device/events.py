"""What higher domains may want to know of robots, called in the transaction of the change (app/wiring: who listens)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from lustra.core.context import Actor
from lustra.core.scope import Scope

Things = Literal["keep", "hand_over", "erase"]


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """`things`: what becomes of what the former owner had with it (ownership/handover). `by`: who did it."""

    device_id: int
    serial_number: str
    before: int
    to: int
    things: Things
    by: Actor


@dataclass(frozen=True, slots=True)
class DeviceDeleted:
    device_id: int
    serial_number: str
    by: Actor


@dataclass(slots=True)
class WorkReported:
    """What a robot's reports tell of its work for this owner since then: seconds and runs."""

    device_id: int
    owner_id: int
    since: datetime
    seconds: float = 0.0
    runs: int = 0


@dataclass(slots=True)
class CommonMaps:
    """By group of robots: the first name of a map that all of them have, of those that have one."""

    devices: Mapping[int, Sequence[int]]
    names: dict[int, str] = field(default_factory=dict[int, str])


@dataclass(slots=True)
class GroupMembers:
    """Asks which robots of a group the scope sees; the group's domain answers."""

    scope: Scope
    group_id: int
    devices: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class TypesInUse:
    """Asked before a type of robots is deleted: who else has it, by name."""

    type_id: int
    batches: list[str] = field(default_factory=list[str])
    versions: list[str] = field(default_factory=list[str])
