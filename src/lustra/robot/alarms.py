"""What is wrong with the robot, from cause to message.

Rules: an alarm is raised once, at its cause, and cleared when that is gone; both wait in the outbox until they are
confirmed. What is open survives a restart. After each log-in all that is open is said again, as a snapshot.
"""

import secrets
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lustra.protocol.bus import Alarm, AlarmKind, OpenAlarm
from lustra.robot.outbox import Outbox
from lustra.robot.simulation.body import Body
from lustra.robot.simulation.faults import FAULTS
from lustra.robot.simulation.machine_state import own_banners
from lustra.robot.store import write

BY_HAND = {"manual_mode", "brake"}  # banners that say what a person does with it
LIQUID = {"0x0470", "0x0471", "0x0472", "0x0473"}
READ = msgspec.json.Decoder(dict[str, OpenAlarm])


def causes(m: Body) -> set[str]:
    """Codes of what is wrong now. A fault that has a code of its own needs no banner beside it."""
    faults = {FAULTS[fault].help or FAULTS[fault].banner or fault for fault in m.faults}
    shown: set[str] = {banner for banner in own_banners(m) if banner not in BY_HAND}
    if faults & LIQUID:
        shown.discard("disinfectant_level")
    return faults | shown


@dataclass
class Alarms:
    """`open`: by code."""

    path: Path
    outbox: Outbox
    open: dict[str, OpenAlarm] = field(init=False)

    def __post_init__(self) -> None:
        self.open = READ.decode(self.path.read_bytes()) if self.path.exists() else {}

    def update(self, present: set[str]) -> bool:
        """Follows the faults that are there now; whether an alarm came or went."""
        cleared = [self.open[code] for code in self.open if code not in present]
        new = [
            OpenAlarm(id=secrets.token_hex(8), code=code, since=self.outbox.clock.at())
            for code in sorted(present - self.open.keys())
        ]
        if not cleared and not new:
            return False
        self.open = {code: alarm for code, alarm in self.open.items() if code in present}
        self.open |= {alarm.code: alarm for alarm in new}
        write(self.path, msgspec.json.encode(self.open))
        if cleared:
            self.say("cleared", cleared)
        if new:
            self.say("raised", new)
        return True

    def say(self, kind: AlarmKind, alarms: list[OpenAlarm]) -> None:
        id_ = secrets.token_hex(12)
        self.outbox.put("alarm", Alarm(at=self.outbox.clock.at(), id=id_, kind=kind, alarms=alarms), id_)

    def say_all(self) -> None:
        """One snapshot, whatever number of log-ins went before without a receipt."""
        self.outbox.drop_snapshots()
        self.say("snapshot", list(self.open.values()))
