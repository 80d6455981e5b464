"""What higher domains may want to know of a command that a robot has carried out (app/wiring: who hears)."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CommandDone:
    """`kind`: of the pending command; `answer`: the robot's."""

    device_id: int
    kind: str
    answer: dict[str, Any]
