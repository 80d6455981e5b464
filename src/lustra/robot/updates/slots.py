"""The two places of what a robot runs, software, firmware and the app of its tablet, of which one place runs.

Rules: packages go into the slot that does not run, beside what runs of the other parts, and count once all of it is on
the disk. The first start of a slot is a trial: the robot says when it is confirmed; one that ends before that, whatever
ended it, starts the other slot again.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from lustra.protocol.updates import PARTS, Part
from lustra.robot.simulation.body import SOFTWARE
from lustra.robot.store import write

Slot = Literal["a", "b"]
Versions = dict[Part, str]
FACTORY: Mapping[Part, str] = {"software": SOFTWARE, "firmware": "1.0.0", "app": "1.0.0"}  # what a robot came with
OTHER: dict[Slot, Slot] = {"a": "b", "b": "a"}
ENDINGS: Mapping[Part, str] = {"software": "package", "firmware": "firmware", "app": "app"}


class SlotTable(msgspec.Struct, kw_only=True):
    """Kept on the robot's disk. `versions`: of the slots that are whole, by part where it is not what it came with; a
    program of before wrote that of the software alone. `trial`: the order whose first start this is; 0: none.
    `started`: that start has begun. `broken`: it is to fail."""

    active: Slot = "a"
    versions: dict[Slot, Versions | str] = msgspec.field(default_factory=lambda: {"a": {}})
    trial: int = 0
    started: bool = False
    broken: bool = False


def _by_part(versions: Versions | str) -> Versions:
    if isinstance(versions, str):
        return {"software": versions} if versions else {}
    return versions


class Slots:
    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "slots.json"
        self.table = msgspec.json.decode(self.file.read_bytes(), type=SlotTable) if self.file.exists() else SlotTable()

    def _load(self, slot: Slot) -> Versions:
        return _by_part(self.table.versions[slot])

    @property
    def running(self) -> Versions:
        """By part, what runs."""
        return {**FACTORY, **self._load(self.table.active)}

    @property
    def version(self) -> str:
        """The software that runs."""
        return self.running["software"]

    @property
    def former(self) -> Versions | None:
        """By part, what lies in the other slot; None: nothing that is whole."""
        slot = OTHER[self.table.active]
        return {**FACTORY, **self._load(slot)} if slot in self.table.versions else None

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write(self.file, msgspec.json.encode(self.table), lasting=True)

    def _package(self, slot: Slot, part: Part) -> Path:
        return self.folder / f"{slot}.{ENDINGS[part]}"

    def install(self, packages: Sequence[tuple[Part, Path, str]]) -> None:
        """Parts, each with its package and version, into the slot that does not run, which holds nothing while it is
        written."""
        active, slot = self.table.active, OTHER[self.table.active]
        self.table.versions.pop(slot, None)
        self.save()
        sources: dict[Part, Path] = {part: self._package(active, part) for part in PARTS}
        sources |= {part: package for part, package, _ in packages}
        for part, source in sources.items():
            self._package(slot, part).unlink(missing_ok=True)
            if source.exists():
                _copy(source, self._package(slot, part))
        self.table.versions[slot] = {**self._load(active), **{part: version for part, _, version in packages}}
        self.save()

    def switch(self, number: int, *, broken: bool) -> None:
        """The other slot runs from the next start on, on trial."""
        self.table.active = OTHER[self.table.active]
        self.table.trial, self.table.started, self.table.broken = number, False, broken
        self.save()

    def start(self) -> None:
        """When the robot starts."""
        if self.table.trial and self.table.started:
            self.fall_back()
        elif self.table.trial:
            self.table.started = True
            self.save()

    def confirm(self) -> None:
        self.table.trial = 0
        self.save()

    def fall_back(self) -> None:
        """The other slot runs from the next start on, and this one holds nothing that may run again."""
        failed = self.table.active
        self.table.active, self.table.trial = OTHER[failed], 0
        if self._load(failed):
            del self.table.versions[failed]
        self.save()


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as package, target.open("wb") as out:
        shutil.copyfileobj(package, out)
        out.flush()
        os.fsync(out.fileno())
