"""What higher domains may want to know of robots, told in the transaction of the change (app/wiring: who hears)."""

from dataclasses import dataclass, field
from typing import Literal

from lustra.core.context import Actor

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
class TypesInUse:
    """Asked before a type of robots is deleted: who else has it, by name."""

    type_id: int
    batches: list[str] = field(default_factory=list[str])
