"""What a robot keeps of groups, schedules and hand-drawn paths, and what became of the newest occurrences."""

from collections.abc import Iterable, Mapping
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

    item: P
    revision: int = 1
    top: int = 0
    id: str = ""

    def to_row(self) -> dict[str, Any]:
        own = {"revision": self.revision, "top": self.top} | ({"gid": self.id} if self.id else {})
        return self.item.model_dump(mode="json") | own

    @classmethod
    def read(cls, kind: type[P], row: dict[str, Any]) -> "Entry[P]":
        return cls(kind.model_validate(row), row["revision"], row["top"], row.get("gid", ""))


@dataclass
class PlanList(Generic[P]):
    """Things of one kind, by name."""

    kind: type[P]
    noun: str  # the refusals' first word
    rows: dict[str, Entry[P]] = field(default_factory=dict[str, "Entry[P]"])

    def __getitem__(self, name: str) -> Entry[P]:
        if name not in self.rows:
            raise RobotRefusal(RelayCode.UNKNOWN, f"{self.noun}_unknown", f"There is no such {self.noun}", "name")
        return self.rows[name]

    def in_order(self) -> list[Entry[P]]:
        """The one that was put on top last comes first."""
        return sorted(self.rows.values(), key=lambda entry: -entry.top)

    def check_free(self, name: str, field_name: str = "name") -> None:
        if name in self.rows:
            raise RobotRefusal(
                RelayCode.CONFLICT, f"{self.noun}_same_name", f"There is a {self.noun} of this name", field_name
            )

    def rename(self, old: str, new: str) -> Entry[P]:
        """Keeps its place in the list."""
        entry = self[old]
        self.check_free(new, "new_name")
        entry.item = entry.item.model_copy(update={"name": new})
        entry.revision += 1
        self.rows = {(new if name == old else name): row for name, row in self.rows.items()}
        return entry


def replace_name(names: list[str], old: str, new: str) -> list[str]:
    return [new if name == old else name for name in names]


@dataclass
class Plans:
    file: Path
    groups: PlanList[TaskGroup] = field(default_factory=lambda: PlanList(TaskGroup, "group"))
    timetasks: PlanList[TimeTask] = field(default_factory=lambda: PlanList(TimeTask, "schedule"))
    elevator_timetasks: PlanList[ElevatorTimeTask] = field(
        default_factory=lambda: PlanList(ElevatorTimeTask, "schedule")
    )
    paths: PlanList[HpPath] = field(default_factory=lambda: PlanList(HpPath, "path"))
    occurrences: list[Occurrence] = field(default_factory=list[Occurrence])

    @property
    def lists(self) -> dict[str, PlanList[Any]]:
        return {
            "groups": self.groups,
            "timetasks": self.timetasks,
            "lifts": self.elevator_timetasks,  # the key in the files of released robots
            "paths": self.paths,
        }

    @property
    def schedules(self) -> "dict[PlanKind, PlanList[Any]]":
        return {"timetask": self.timetasks, "elevator_timetask": self.elevator_timetasks}

    @classmethod
    def open(cls, file: Path) -> "Plans":
        plans = cls(file)
        if file.exists():
            content = msgspec.json.decode(file.read_bytes())
            plans.read(content)
            plans.occurrences = msgspec.convert(content["occurrences"], list[Occurrence])
        return plans

    def read(self, content: Mapping[str, Any]) -> None:
        """Reads all lists in the form that `to_rows` writes."""
        for name, shelf in self.lists.items():
            shelf.rows = {row_name: Entry.read(shelf.kind, row) for row_name, row in content[name].items()}

    def to_rows(self) -> dict[str, dict[str, Any]]:
        return {name: {n: e.to_row() for n, e in shelf.rows.items()} for name, shelf in self.lists.items()}

    def save(self) -> None:
        self.occurrences = self.occurrences[-MOST_OCCURRENCES:]
        write(self.file, msgspec.json.encode(self.to_rows() | {"occurrences": self.occurrences}))

    def clear(self, maps: Iterable[str] | None = None) -> None:
        """Everything, or the paths of some maps."""
        if maps is None:
            for shelf in self.lists.values():
                shelf.rows.clear()
            self.occurrences.clear()
        else:
            removed = set(maps)
            self.paths.rows = {n: e for n, e in self.paths.rows.items() if e.item.map_name not in removed}
        self.save()

    def rename_task(self, map_name: str, old: str, new: str) -> list[tuple[PlanKind, Entry[Any]]]:
        """Groups and schedules that know it by the new name now."""
        changed: list[tuple[PlanKind, Entry[Any]]] = []
        for group in self.groups.rows.values():
            known = [unit for unit in group.item.tasks if (unit.map_name, unit.task) == (map_name, old)]
            for unit in known:
                unit.name, unit.task = (new if unit.name == old else unit.name), new
            if known:
                changed.append(("group", group))
        for timetask in self.timetasks.rows.values():
            if timetask.item.map_name == map_name and old in timetask.item.task_list:
                timetask.item.task_list = replace_name(timetask.item.task_list, old, new)
                changed.append(("timetask", timetask))
        for lift in self.elevator_timetasks.rows.values():
            floors = [f for f in lift.item.floors if f.map_name == map_name and old in f.task_list]
            for floor in floors:
                floor.task_list = replace_name(floor.task_list, old, new)
            if floors:
                changed.append(("elevator_timetask", lift))
        for _, entry in changed:
            entry.revision += 1
        self.save()
        return changed

    def rename_map(self, old: str, new: str) -> list[tuple[PlanKind, Entry[Any]]]:
        """Groups and schedules that know it by the new name now; paths, which only the robot knows, do too."""
        changed: list[tuple[PlanKind, Entry[Any]]] = []
        shelves: list[tuple[PlanKind | None, PlanList[Any]]] = [
            ("group", self.groups),
            ("timetask", self.timetasks),
            ("elevator_timetask", self.elevator_timetasks),
            (None, self.paths),
        ]
        for kind, shelf in shelves:
            for entry in shelf.rows.values():
                parts: list[Any] = getattr(entry.item, PARTS[kind]) if kind in PARTS else [entry.item]
                known = [part for part in parts if part.map_name == old]
                for part in known:
                    part.map_name = new
                if known:
                    entry.revision += 1
                if known and kind:
                    changed.append((kind, entry))
        self.save()
        return changed

    def uses_task(self, map_name: str, task: str) -> bool:
        """Whether a group or a schedule names that task."""
        return (
            any((u.map_name, u.task) == (map_name, task) for e in self.groups.rows.values() for u in e.item.tasks)
            or any(e.item.map_name == map_name and task in e.item.task_list for e in self.timetasks.rows.values())
            or any(
                f.map_name == map_name and task in f.task_list
                for e in self.elevator_timetasks.rows.values()
                for f in e.item.floors
            )
        )
