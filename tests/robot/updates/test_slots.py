"""A power cut at any write to the disk leaves a robot that runs a whole set of parts, the former or the new one."""

from pathlib import Path
from typing import Any

import pytest

from lustra.protocol.updates import Part
from lustra.robot.updates import slots
from lustra.robot.updates.slots import FACTORY, Slots

NEW: dict[Part, str] = {"software": "2.0.0", "firmware": "1.1.0", "app": "Pad 1.1"}
WRITES = 20  # more than an update has
WAYS = ("before", "half", "after")  # when in a write the power goes


class PowerCut(Exception):
    pass


class Disk:
    """Breaks at that write, in that way."""

    def __init__(self, at: int, way: str) -> None:
        self.left, self.way = at, way

    def breaks(self) -> bool:
        self.left -= 1
        return self.left == 0

    def copy(self, source: Path, target: Path) -> None:
        content = source.read_bytes()
        if not self.breaks():
            target.write_bytes(content)
            return
        if self.way != "before":
            target.write_bytes(content if self.way == "after" else content[: len(content) // 2])
        raise PowerCut

    def write(self, file: Path, data: bytes, **_: Any) -> None:
        """In one move, so never by half."""
        cut = self.breaks()
        if not cut or self.way == "after":
            file.write_bytes(data)
        if cut:
            raise PowerCut


def update(folder: Path, packages: list[tuple[Part, Path, str]]) -> None:
    """Installed, started on trial, confirmed."""
    robot = Slots(folder)
    robot.install(packages)
    robot.switch(1, broken=False)
    robot = Slots(folder)
    robot.start()
    robot.confirm()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("at", range(1, WRITES))
def test_a_power_cut_at_any_write_leaves_a_whole_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, way: str
):
    packages: list[tuple[Part, Path, str]] = []
    for part, version in NEW.items():
        package = tmp_path / f"new.{part}"
        package.write_bytes(f"{part} {version}".encode() * 100)
        packages.append((part, package, version))
    folder, disk = tmp_path / "slots", Disk(at, way)
    with monkeypatch.context() as patch:
        patch.setattr(slots, "_copy", disk.copy)
        patch.setattr(slots, "write", disk.write)
        try:
            update(folder, packages)
        except PowerCut:
            assert disk.left <= 0
    robot = Slots(folder)
    robot.start()
    assert robot.running in (FACTORY, NEW)
    slot = robot.table.active
    for part, package, _ in packages if robot.running == NEW else []:
        assert (folder / f"{slot}.{slots.ENDINGS[part]}").read_bytes() == package.read_bytes()
    if not robot.table.trial and robot.running == FACTORY:  # and the update can be made again
        update(folder, packages)
        assert Slots(folder).running == NEW


def test_read_the_slots_that_an_older_program_wrote(tmp_path: Path):
    (tmp_path / "slots.json").write_bytes(b'{"active":"b","versions":{"a":"","b":"2.0.0"}}')
    robot = Slots(tmp_path)
    assert robot.running == {**FACTORY, "software": "2.0.0"}
    assert robot.former == FACTORY
