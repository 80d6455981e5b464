"""Why recordings on the robot's disk were made; what is gone from there is forgotten.

The index lies beside them, so that it goes with them when all is erased.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from lustra.protocol.bus import OpenAlarm
from lustra.protocol.files import RecordedAlarm, Trigger
from lustra.robot.simulation.machine import Machine
from lustra.robot.store import write

READ = msgspec.json.Decoder(dict[str, Trigger])
MOST_ALARMS = 100


@dataclass
class Triggers:
    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "triggers.json"

    def load(self) -> dict[str, Trigger]:
        return READ.decode(self.file.read_bytes()) if self.file.exists() else {}

    def enter(self, name: str, trigger: Trigger) -> None:
        """Before the recording has its name: until then it is `.active`."""
        names = {path.name.removesuffix(".active") for path in self.folder.iterdir()}
        present = {each: why for each, why in self.load().items() if each in names}
        write(self.file, msgspec.json.encode(present | {name: trigger}))


def describe_trigger(m: Machine, now_ms: int, by: Literal["alarm", "order"], alarms: Collection[OpenAlarm]) -> Trigger:
    """With the place that the robot believes to be at."""
    trigger = Trigger(by=by, at=now_ms)
    add_alarms(trigger, alarms)
    if m.floor:
        x, y, _ = m.belief.pose(*m.pose)
        trigger.map, trigger.x, trigger.y = m.floor.name, round(x, 3), round(y, 3)
    return trigger


def add_alarms(trigger: Trigger, alarms: Collection[OpenAlarm]) -> None:
    known = {alarm.id for alarm in trigger.alarms}
    new = [RecordedAlarm(id=alarm.id, code=alarm.code) for alarm in alarms if alarm.id not in known]
    trigger.alarms = [*trigger.alarms, *new][:MOST_ALARMS]
