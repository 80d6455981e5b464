"""What a robot works through, unit by unit: a task group, or a schedule's occurrence (sequence_runner.py runs it)."""

from collections import deque
from dataclasses import dataclass, field
from uuid import uuid4

from lustra.protocol.bus import Occurrence, Unit


@dataclass
class Sequence:
    """`gid`: what its runs have in common. `run`: the id of the one that is under way. `dropped`: it was ended alone,
    the others follow. `charge`: first the robot fills up; `homing`: it has been sent to its charger for that."""

    remaining: deque[Unit]
    group: str = ""
    occurrence: Occurrence | None = None
    run: str = ""
    dropped: bool = False
    charge: bool = False
    homing: bool = False
    gid: str = field(default_factory=lambda: uuid4().hex[:16])

    def drop(self, map_name: str, task: str) -> bool:
        """Takes a unit out that has not begun."""
        unit = next((waiting for waiting in self.remaining if (waiting.map, waiting.task) == (map_name, task)), None)
        if unit is not None:
            self.remaining.remove(unit)
            unit.reason = "cancelled"
        return unit is not None
