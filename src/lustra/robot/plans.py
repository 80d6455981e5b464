"""What a robot keeps of groups, schedules and hand-drawn paths, and what became of the newest occurrences."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import msgspec

from lustra.protocol.bus import Occurrence
from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.payloads.tasks import HpPath
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.store import write

MOST_OCCURRENCES = 200
PlanKind = Literal["group", "timetask", "elevator_timetask"]
PARTS = {"group": "tasks", "elevator_timetask": "floors"}  # where a map is named, if not by the thing itself
P = TypeVar("P", TaskGroup, TimeTask, ElevatorTimeTask, HpPath)


@dataclass
class Entry(Generic[P]):
    """One thing and its revision. `top`: when it was put on top of its list (ms), 0 never."""

    what: P
    revision: int = 1
    top: int = 0
    id: str = ""

    def told(self) -> dict[str, Any]:
        own = {"revision": self.revision, "top": self.top} | ({"gid": self.id} if self.id else {})
        return self.what.model_dump(mode="json") | own

    @classmethod
    def read(cls, kind: type[P], row: dict[str, Any]) -> "Entry[P]":
        return cls(kind.model_validate(row), row["revision"], row["top"], row.get("gid", ""))


@dataclass
class Shelf(Generic[P]):
    """Things of one kind, by name."""

    kind: type[P]
    noun: str  # the refusals' first word
    rows: dict[str, Entry[P]] = field(default_factory=dict[str, "Entry[P]"])

    def __getitem__(self, name: str) -> Entry[P]:
        if name not in self.rows:
            raise RobotRefusal(RelayCode.UNKNOWN, f"{self.noun}_unknown", f"There is no such {self.noun}", "name")
        return self.rows[name]

    def listed(self) -> list[Entry[P]]:
        """The one that was put on top last comes first."""
        return sorted(self.rows.values(), key=lambda entry: -entry.top)

    def free(self, name: str, field_name: str = "name") -> None:
        if name in self.rows:
            raise RobotRefusal(
                RelayCode.CONFLICT, f"{self.noun}_same_name", f"There is a {self.noun} of this name", field_name
            )

    def rename(self, old: str, new: str) -> Entry[P]:
        """Keeps its place in the list."""
        entry = self[old]
        self.free(new, "new_name")
        entry.what = entry.what.model_copy(update={"name": new})
        entry.revision += 1
        self.rows = {(new if name == old else name): row for name, row in self.rows.items()}
        return entry


def renamed(names: list[str], old: str, new: str) -> list[str]:
    return [new if name == old else name for name in names]


@dataclass
class Plans:
    file: Path
    groups: Shelf[TaskGroup] = field(default_factory=lambda: Shelf(TaskGroup, "group"))
    timetasks: Shelf[TimeTask] = field(default_factory=lambda: Shelf(TimeTask, "schedule"))
    lifts: Shelf[ElevatorTimeTask] = field(default_factory=lambda: Shelf(ElevatorTimeTask, "schedule"))
    paths: Shelf[HpPath] = field(default_factory=lambda: Shelf(HpPath, "path"))
    occurrences: list[Occurrence] = field(default_factory=list[Occurrence])

    @property
    def shelves(self) -> dict[str, Shelf[Any]]:
        return {"groups": self.groups, "timetasks": self.timetasks, "lifts": self.lifts, "paths": self.paths}

    @classmethod
    def open(cls, file: Path) -> "Plans":
        plans = cls(file)
        if file.exists():
            kept = msgspec.json.decode(file.read_bytes())
            for name, shelf in plans.shelves.items():
                shelf.rows = {row_name: Entry.read(shelf.kind, row) for row_name, row in kept[name].items()}
            plans.occurrences = msgspec.convert(kept["occurrences"], list[Occurrence])
        return plans

    def keep(self) -> None:
        self.occurrences = self.occurrences[-MOST_OCCURRENCES:]
        rows = {name: {n: e.told() for n, e in shelf.rows.items()} for name, shelf in self.shelves.items()}
        write(self.file, msgspec.json.encode(rows | {"occurrences": self.occurrences}))

    def clear(self, maps: Iterable[str] | None = None) -> None:
        """Everything, or the paths of some maps."""
        if maps is None:
            for shelf in self.shelves.values():
                shelf.rows.clear()
            self.occurrences.clear()
        else:
            gone = set(maps)
            self.paths.rows = {n: e for n, e in self.paths.rows.items() if e.what.map_name not in gone}
        self.keep()

    def task_renamed(self, map_name: str, old: str, new: str) -> list[tuple[PlanKind, Entry[Any]]]:
        """Groups and schedules that know it by the new name now."""
        found: list[tuple[PlanKind, Entry[Any]]] = []
        for group in self.groups.rows.values():
            known = [unit for unit in group.what.tasks if (unit.map_name, unit.task) == (map_name, old)]
            for unit in known:
                unit.name, unit.task = (new if unit.name == old else unit.name), new
            if known:
                found.append(("group", group))
        for timetask in self.timetasks.rows.values():
            if timetask.what.map_name == map_name and old in timetask.what.task_list:
                timetask.what.task_list = renamed(timetask.what.task_list, old, new)
                found.append(("timetask", timetask))
        for lift in self.lifts.rows.values():
            floors = [f for f in lift.what.floors if f.map_name == map_name and old in f.task_list]
            for floor in floors:
                floor.task_list = renamed(floor.task_list, old, new)
            if floors:
                found.append(("elevator_timetask", lift))
        for _, entry in found:
            entry.revision += 1
        self.keep()
        return found

    def map_renamed(self, old: str, new: str) -> list[tuple[PlanKind, Entry[Any]]]:
        """Groups and schedules that know it by the new name now; paths, of which nobody is told, do too."""
        found: list[tuple[PlanKind, Entry[Any]]] = []
        shelves: list[tuple[PlanKind | None, Shelf[Any]]] = [
            ("group", self.groups), ("timetask", self.timetasks), ("elevator_timetask", self.lifts), (None, self.paths),
        ]  # fmt: skip
        for kind, shelf in shelves:
            for entry in shelf.rows.values():
                parts: list[Any] = getattr(entry.what, PARTS[kind]) if kind in PARTS else [entry.what]
                known = [part for part in parts if part.map_name == old]
                for part in known:
                    part.map_name = new
                if known:
                    entry.revision += 1
                if known and kind:
                    found.append((kind, entry))
        self.keep()
        return found

    def use(self, map_name: str, task: str) -> bool:
        """Whether a group or a schedule names that task."""
        return (
            any((u.map_name, u.task) == (map_name, task) for e in self.groups.rows.values() for u in e.what.tasks)
            or any(e.what.map_name == map_name and task in e.what.task_list for e in self.timetasks.rows.values())
            or any(
                f.map_name == map_name and task in f.task_list for e in self.lifts.rows.values() for f in e.what.floors
            )
        )
