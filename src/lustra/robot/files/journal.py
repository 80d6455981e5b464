"""What a robot writes of itself: its own log, that of its screen, and where it drove.

The robot's log has each change of mode, run, map, fault and hold, and a line a minute; the log of its screen what was
shown there and which commands its local API was given; the navigation log a line a second while it moves.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lustra.robot.files.text_log import TextLog
from lustra.robot.simulation.machine import Machine

MINUTE_MS = 60_000
SECOND_MS = 1000


@dataclass
class Journal:
    folder: Path
    robot: TextLog = field(init=False)
    screen: TextLog = field(init=False)
    navigation: TextLog = field(init=False)
    last: dict[str, str] = field(default_factory=dict[str, str])
    status_at: int = 0
    moved_at: int = 0

    def __post_init__(self) -> None:
        self.robot = TextLog(self.folder / "device", "robot")
        self.screen = TextLog(self.folder / "pad", "pad")
        self.navigation = TextLog(self.folder / "navlog", "nav")

    def step(self, machine: Machine, now_ms: int) -> None:
        self.write_changes(machine, now_ms)
        if now_ms - self.status_at >= MINUTE_MS:
            self.status_at = now_ms
            self.robot.write(now_ms, f"status {' '.join(f'{k}={v}' for k, v in describe_levels(machine).items())}")
        if not machine.standing and now_ms - self.moved_at >= SECOND_MS:
            self.moved_at = now_ms
            self.navigation.write(now_ms, describe_drive(machine))

    def write_changes(self, machine: Machine, now_ms: int) -> None:
        facts = describe_state(machine)
        for name, value in facts.items():
            before = self.last.get(name, "")
            if value != before:
                bad = name in {"fault", "help"} and bool(value)
                self.robot.write(now_ms, f"{name} {before or '-'} -> {value or '-'}", "WARN" if bad else "INFO")
        self.last = facts


def describe_state(machine: Machine) -> dict[str, str]:
    """What is written when it changes."""
    run = machine.run
    return {
        "mode": machine.mode,
        "map": machine.floor.name if machine.floor else "",
        "run": f"{run.id} task={run.task.name}" if run else "",
        "help": machine.help,
        "fault": ",".join(sorted(machine.faults)),
        "hold": ",".join(sorted(hold.name.lower() for hold in machine.holds)),
        "charging": "yes" if machine.charging else "",
    }


def describe_levels(machine: Machine) -> dict[str, Any]:
    return {
        "battery": f"{machine.battery:.1f}",
        "liquid": f"{machine.liquid:.1f}",
        "area": f"{machine.total:.1f}",
        "factor": f"{machine.factor:g}",
    }


def describe_drive(machine: Machine) -> str:
    """Where it believes to be, and what it does there."""
    x, y, yaw = machine.belief.pose(*machine.pose)
    place = machine.floor.name if machine.floor else "-"
    run = machine.run.id if machine.run else "-"
    return f"map={place} x={x:.3f} y={y:.3f} yaw={yaw:.3f} speed={machine.speed:.2f} mode={machine.mode} run={run}"
