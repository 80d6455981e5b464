"""What the robot has announced of its maps, tasks, groups and schedules, on the disk beside its outbox.

Rule: the server learns of whatever the robot holds. A change is stored first and announced then; when the power goes
between the two, the next start announces it: what the robot holds in another revision than it announced, and what it
announced and does not hold any more.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lustra.protocol.bus import EventKind
from lustra.robot.store import write

if TYPE_CHECKING:
    from lustra.robot.robot import Robot

MIRRORED: tuple[EventKind, ...] = ("map", "task", "group", "schedule")
Revisions = dict[EventKind, dict[str, int]]  # the newest one announced, by name


@dataclass
class Announcements:
    file: Path
    revisions: Revisions = field(default_factory=Revisions)

    def __post_init__(self) -> None:
        if self.file.exists():
            self.revisions = msgspec.json.decode(self.file.read_bytes(), type=Revisions)

    def record(self, kind: EventKind, name: str, revision: int, *, deleted: bool) -> None:
        if kind not in MIRRORED:
            return
        names = self.revisions.setdefault(kind, {})
        if deleted:
            names.pop(name, None)
        else:
            names[name] = revision
        self.save()

    def clear(self) -> None:
        self.revisions.clear()
        self.save()

    def save(self) -> None:
        write(self.file, msgspec.json.encode(self.revisions))


def announce_missed(robot: "Robot") -> None:
    """Writes the events that the robot's last life did not come to."""
    announced = {kind: dict(names) for kind, names in robot.outbox.announced.revisions.items()}
    for kind, held in list_held(robot).items():
        former = announced.get(kind, {})
        for name, revision in former.items():
            if name not in held:
                robot.outbox.event(kind, name, revision + 1, deleted=True)
        for name, (revision, announce) in held.items():
            if former.get(name) != revision:
                announce()


def list_held(robot: "Robot") -> dict[EventKind, dict[str, tuple[int, Callable[[], None]]]]:
    """By kind and name: the revision that the robot holds, and what announces it."""
    maps, tasks, plans = robot.store.maps, robot.store.tasks, robot.plans
    return {
        "map": {name: (floor.revision, partial(robot.announce_map, floor)) for name, floor in maps.items()},
        "task": {
            "/".join(key): (stored.revision, partial(robot.announce_task, stored)) for key, stored in tasks.items()
        },
        "group": {
            name: (entry.revision, partial(robot.announce_plan, "group", entry))
            for name, entry in plans.groups.rows.items()
        },
        "schedule": {
            f"{kind}/{name}": (entry.revision, partial(robot.announce_plan, kind, entry))
            for kind, shelf in plans.schedules.items()
            for name, entry in shelf.rows.items()
        },
    }
