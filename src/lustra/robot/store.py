"""What a robot keeps on its disk: maps, tasks, its own facts, a run that is under way. Each write is whole or not."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from lustra.protocol.bus import Notification, Report
from lustra.protocol.payloads.tasks import Task
from lustra.robot.maps import floor as floors
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.run import ML_PER_M2
from lustra.robot.simulation.elevator_trip import Trip

TRACKS = 50
MOST_SHOWN = 20  # notifications on its screen
ADDED_FIELDS = ("seconds", "origin", "picture", "planning", "reason")


def write(file: Path, data: bytes, *, lasting: bool = False) -> None:
    """`lasting`: on the disk itself before the old content goes, whenever the power may."""
    part = file.with_suffix(".part")
    with part.open("wb") as out:
        out.write(data)
        if lasting:
            out.flush()
            os.fsync(out.fileno())
    part.replace(file)


class Spoken(msgspec.Struct, kw_only=True):
    """The last message that it was given to say; a volume of 0: shown only."""

    at: int
    text: str
    language: str
    volume: int


class Facts(msgspec.Struct, kw_only=True):
    """What must outlive the process."""

    map: str = ""
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    battery: float = 80.0
    liquid: float = 90.0
    tanks: dict[str, float] = {}
    total: float = 0.0
    charging: bool = False
    emergency: bool = False
    number: int = 0  # newest control lock
    announced: bool = False
    erased: int = 0  # number of the newest errand to erase, and when that was
    erased_at: int = 0
    password: str = ""  # of the robot's own system as the server gave it, as SHA-256
    password_now: str = ""  # as it is: somebody may have changed it at the robot
    locked: bool = False
    dose: float = ML_PER_M2
    params: dict[str, float] = {}
    configuration: int = 0  # revision of the configuration parameters in force, and those of them that it knows
    configured: dict[str, float] = {}
    utilities: dict[str, int] = {}
    lost: bool = False
    trip: Trip | None = None  # to another floor
    home: str = ""  # map of its charger's floor while it is on another, and where that charger stands
    berth: tuple[float, float] | None = None
    shown: list[Notification] = []  # on its own screen, the newest last
    spoken: Spoken | None = None
    language: str = ""  # of its tablet, as somebody chose it there
    looked: int = 0  # ms until when the schedules have been looked through


@dataclass
class StoredTask:
    """A task and its revision; what it would clean (m²) and how long that takes; how it was first made; the name of its
    picture's content. `planning`: its way is being worked out; `reason`: why none was found."""

    task: Task
    revision: int
    reachable: float = 0.0
    seconds: float = 0.0
    origin: dict[str, Any] = field(default_factory=dict[str, Any])
    picture: str = ""
    planning: bool = False
    reason: str = ""

    def to_row(self) -> dict[str, Any]:
        worked_out = {
            "reachable": round(self.reachable, 2),
            "seconds": round(self.seconds, 1),
            "planning": self.planning,
            "reason": self.reason,
        }
        return self.task.model_dump(mode="json") | worked_out | {"revision": self.revision, "picture": self.picture}

    @classmethod
    def read(cls, row: dict[str, Any]) -> "StoredTask":
        own = {name: row[name] for name in ADDED_FIELDS if name in row}  # as older ones kept none
        return cls(Task.model_validate(row), row["revision"], row["reachable"], **own)


@dataclass
class Store:
    folder: Path
    facts: Facts = field(default_factory=Facts)
    maps: dict[str, Floor] = field(default_factory=dict[str, Floor])
    tasks: dict[tuple[str, str], StoredTask] = field(default_factory=dict[tuple[str, str], StoredTask])

    @classmethod
    def open(cls, folder: Path) -> "Store":
        (folder / "maps").mkdir(parents=True, exist_ok=True)
        store = cls(folder)
        if (folder / "facts.json").exists():
            store.facts = msgspec.json.decode((folder / "facts.json").read_bytes(), type=Facts)
        for file in sorted((folder / "maps").glob("*.json")):
            floor = floors.decode_floor(file.read_bytes())
            store.maps[floor.name] = floor
        if (folder / "tasks.json").exists():
            for entry in msgspec.json.decode((folder / "tasks.json").read_bytes()):
                stored = StoredTask.read(entry)
                store.tasks[stored.task.map_name, stored.task.name] = stored
        return store

    def save_facts(self) -> None:
        write(self.folder / "facts.json", msgspec.json.encode(self.facts))

    def show(self, notification: Notification) -> None:
        """Keeps a notification for the robot's own screen; one with the same id is replaced."""
        others = [each for each in self.facts.shown if each.id != notification.id]
        self.facts.shown = [*others, notification][-MOST_SHOWN:]
        self.save_facts()

    def save_map(self, floor: Floor) -> None:
        """The old one stays, here and on the disk, until the new one is whole."""
        write(self.map_file(floor.name), floors.encode_floor(floor), lasting=True)
        self.maps[floor.name] = floor

    def rename_map(self, old: str, floor: Floor) -> list[StoredTask]:
        """The map under its new name, and its tasks that have moved with it."""
        self.save_map(floor)
        del self.maps[old]
        moved = [stored for key, stored in self.tasks.items() if key[0] == old]
        for stored in moved:
            stored.task = stored.task.model_copy(update={"map_name": floor.name})
            stored.revision += 1
        self.tasks = {(stored.task.map_name, stored.task.name): stored for stored in self.tasks.values()}
        self.save_tasks()
        self.map_file(old).unlink()
        return moved

    def drop_map(self, name: str) -> None:
        del self.maps[name]
        self.map_file(name).unlink()
        self.tasks = {key: stored for key, stored in self.tasks.items() if key[0] != name}
        self.save_tasks()

    def drop_all(self) -> None:
        for name in list(self.maps):
            self.map_file(name).unlink(missing_ok=True)
        self.maps.clear()
        self.tasks.clear()
        self.save_tasks()
        for kind in ("tracks", "bags", "incoming", "logs", "outgoing", "backups"):
            shutil.rmtree(self.folder / kind, ignore_errors=True)

    def map_file(self, name: str) -> Path:
        return self.folder / "maps" / (quote(name, safe="")[:200] + ".json")

    def save_tasks(self) -> None:
        rows = [stored.to_row() | {"origin": stored.origin} for stored in self.tasks.values()]
        write(self.folder / "tasks.json", msgspec.json.encode(rows))

    def save_run(self, report: Report | None) -> None:
        """Keeps the report that would be sent if the power went now; None: there is no run."""
        file = self.folder / "run.json"
        if report is None:
            file.unlink(missing_ok=True)
        else:
            write(file, msgspec.json.encode(report))

    def save_track(self, report: Report) -> None:
        """What was driven in the last runs, each on the picture of its map."""
        folder = self.folder / "tracks"
        folder.mkdir(exist_ok=True)
        track = {"id": report.id, "map": report.map, "driven": report.driven}
        write(folder / f"{report.ended}-{report.id}.json", msgspec.json.encode(track))
        for old in sorted(folder.glob("*.json"))[:-TRACKS]:
            old.unlink()

    def track(self, id_: str) -> dict[str, Any] | None:
        """By the run's id; without one the newest."""
        files = sorted((self.folder / "tracks").glob("*.json"), reverse=True)
        file = next((f for f in files if not id_ or f.stem.split("-", 1)[1] == id_), None)
        return msgspec.json.decode(file.read_bytes()) if file else None

    def broken_run(self) -> Report | None:
        file = self.folder / "run.json"
        return msgspec.json.decode(file.read_bytes(), type=Report) if file.exists() else None

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
