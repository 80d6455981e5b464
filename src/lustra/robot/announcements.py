"""What the robot has announced of its maps, tasks, groups and schedules, on the disk beside its outbox.

Rule: the server learns of whatever the robot holds. A change is stored first and announced then; when the power goes
between the two, the next start announces it: what the robot holds in another revision than it announced, and what it
announced and does not hold any more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lustra.protocol.bus import EventKind
from lustra.robot.store import write

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

    def list_missing(self, kind: EventKind, held: Mapping[str, int]) -> dict[str, int]:
        """Name and revision of what was announced and is not held any more."""
        return {name: revision for name, revision in self.revisions.get(kind, {}).items() if name not in held}
