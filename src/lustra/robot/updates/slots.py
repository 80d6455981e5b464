"""The two places of a robot's software, of which one runs.

Rules: a package goes into the slot that does not run, and counts once all of it is on the disk. The first start of a
slot is a trial: the robot says when it is confirmed; one that ends before that, whatever ended it, starts the other
slot again.
"""

import os
import shutil
from pathlib import Path
from typing import Literal

import msgspec

from lustra.robot.simulation.body import SOFTWARE
from lustra.robot.store import write

Slot = Literal["a", "b"]
FACTORY = ""  # what a robot came with: no package, and the version of this program
OTHER: dict[Slot, Slot] = {"a": "b", "b": "a"}


class SlotTable(msgspec.Struct, kw_only=True):
    """Kept on the robot's disk. `versions`: of the slots that are whole. `trial`: the order whose first start this is;
    0: none. `started`: that start has begun. `broken`: it is to fail."""

    active: Slot = "a"
    versions: dict[Slot, str] = msgspec.field(default_factory=lambda: {"a": FACTORY})
    trial: int = 0
    started: bool = False
    broken: bool = False


class Slots:
    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "slots.json"
        self.table = msgspec.json.decode(self.file.read_bytes(), type=SlotTable) if self.file.exists() else SlotTable()

    @property
    def version(self) -> str:
        """The version that runs."""
        return self.table.versions[self.table.active] or SOFTWARE

    @property
    def former(self) -> str | None:
        """The version in the other slot; None: none that is whole."""
        version = self.table.versions.get(OTHER[self.table.active])
        return version if version is None else version or SOFTWARE

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write(self.file, msgspec.json.encode(self.table), lasting=True)

    def install(self, package: Path, version: str) -> None:
        """Into the slot that does not run, which holds nothing while it is written."""
        slot = OTHER[self.table.active]
        self.table.versions.pop(slot, None)
        self.save()
        with package.open("rb") as source, (self.folder / f"{slot}.package").open("wb") as out:
            shutil.copyfileobj(source, out)
            out.flush()
            os.fsync(out.fileno())
        self.table.versions[slot] = version
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
        if self.table.versions[failed] != FACTORY:
            del self.table.versions[failed]
        self.save()
