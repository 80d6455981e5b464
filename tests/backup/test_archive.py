"""Backups on the robot: what is packed, what is refused, and that nothing is half put in place."""

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lustra.protocol.backups import Backup, Restore
from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.tasks import HpPath, Task
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.backups.archive import FORMAT, MANIFEST, read_archive
from lustra.robot.backups.restore_orders import read_contents
from lustra.robot.local_api import pictures
from lustra.robot.maps.floor import Floor
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask
from tests.robot.conftest import TASK, hall, open_robot

TIME_MS = 600_000


def equipped(folder: Path) -> Robot:
    """A robot that holds something of each kind."""
    robot = open_robot(folder, floor=hall())
    robot.save_map(hall(name="attic"))
    robot.store.tasks["hall", "Hall"] = StoredTask(Task.model_validate(TASK), 3)
    robot.store.save_tasks()
    units: list[dict[str, Any]] = [{"map_name": "hall", "task": "Hall"}]
    robot.plans.groups.rows["Round"] = Entry(TaskGroup.model_validate({"name": "Round", "tasks": units}))
    line: list[list[float]] = [[0, 0], [1, 1]]
    robot.plans.paths.rows["Edge"] = Entry(HpPath.model_validate({"name": "Edge", "map_name": "hall", "path": line}))
    robot.plans.save()
    robot.machine.params["speed_high"] = 0.9
    robot.mirror.announce_missed()
    robot.outbox.confirm(list(robot.outbox.messages))
    return robot


async def packed(robot: Robot, number: int = 1) -> bytes:
    robot.backups.accept(Backup(number=number, attempt=1, action="pack"))
    order = robot.backups.orders[number]
    await robot.backups.advance(order)
    assert (order.report.state, order.report.format) == ("packed", FORMAT)
    data = robot.backups.orders.file(number).read_bytes()
    assert (order.report.size, order.report.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    return data


async def install(robot: Robot, data: bytes, number: int = 1) -> str:
    """The archive has come; how it ended and why."""
    sha256 = hashlib.sha256(data).hexdigest()
    until = round(time.time() * 1000) + TIME_MS
    robot.restores.accept(Restore(number=number, url="", size=len(data), sha256=sha256, until=until))
    robot.restores.orders.file(number).write_bytes(data)
    order = robot.restores.orders[number]
    robot.restores.set_state(order, "waiting")
    await robot.restores.advance(order)
    return f"{order.report.state} {order.report.reason}".strip()


def held(robot: Robot) -> dict[tuple[str, str], str]:
    return {(item.kind, item.name): item.digest for item in robot.backups.contents()[0]}


def repacked(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The archive with other files."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


async def test_a_backup_makes_another_robot_hold_the_same_and_nothing_else(tmp_path: Path):
    source = equipped(tmp_path / "SC0001")
    data = await packed(source)
    target = open_robot(tmp_path / "SC0002", floor=hall(5.0, 4.0))
    target.save_map(hall(name="cellar"))
    before = target.store.maps["hall"].revision
    assert held(target) != held(source)

    assert await install(target, data) == "restored"

    assert held(target) == held(source)
    assert set(target.store.maps) == {"hall", "attic"}
    assert target.store.maps["hall"].revision == before + 1
    assert target.machine.floor is target.store.maps["hall"]
    assert target.machine.params["speed_high"] == 0.9
    events = [json.loads(message.data) for message in target.outbox.unconfirmed()]
    names = {(event["kind"], event["name"], event.get("deleted", False)) for event in events}
    assert {("map", "cellar", True), ("map", "attic", False), ("task", "hall/Hall", False)} <= names
    assert ("group", "Round", False) in names
    assert held(open_robot(tmp_path / "SC0002")) == held(source)


async def test_the_same_backup_again_changes_nothing(tmp_path: Path):
    robot = equipped(tmp_path / "SC0001")
    data = await packed(robot)
    assert await install(robot, data) == "restored"
    kinds = {json.loads(message.data)["kind"] for message in robot.outbox.unconfirmed()}
    assert kinds == {"backup", "restore"}
    assert robot.store.tasks["hall", "Hall"].revision == 3


async def test_begin_a_restore_when_the_running_task_has_ended(tmp_path: Path):
    robot = equipped(tmp_path / "SC0001")
    data = await packed(robot)
    await robot.starts.begin(robot.store.tasks["hall", "Hall"].task)
    assert await install(robot, data) == "waiting map.task_running"
    robot.machine.end("cancelled", 1)
    await robot.restores.advance(robot.restores.orders[1])
    assert robot.restores.orders[1].report.state == "restored"


def one_byte(files: dict[str, bytes]) -> None:
    files["maps/0.json"] = files["maps/0.json"].replace(b"House", b"Mouse")


def newer(files: dict[str, bytes]) -> None:
    files[MANIFEST] = json.dumps({"format": FORMAT + 1, "what": "nobody knows yet"}).encode()


def no_manifest(files: dict[str, bytes]) -> None:
    del files[MANIFEST]


def no_format(files: dict[str, bytes]) -> None:
    files[MANIFEST] = b"[]"


def half_a_manifest(files: dict[str, bytes]) -> None:
    files[MANIFEST] = b'{"format": 1}'


def one_file_more(files: dict[str, bytes]) -> None:
    files["../facts.json"] = b"{}"


def rewrite(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    """With a manifest that fits: somebody who means it."""

    def change(files: dict[str, bytes]) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new)
        manifest = json.loads(files[MANIFEST])
        digest = hashlib.sha256(files[name]).hexdigest()
        manifest["files"][name] = {"size": len(files[name]), "sha256": digest}
        files[MANIFEST] = json.dumps(manifest).encode()

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (one_byte, "backup_broken"),
        (newer, "backup_newer"),
        (no_manifest, "backup_broken"),
        (no_format, "backup_broken"),
        (half_a_manifest, "backup_broken"),
        (one_file_more, "backup_broken"),
        (rewrite("tasks.json", b'"Hall"', b"7"), "backup_broken"),
        (rewrite("tasks.json", b'"map_name":"hall"', b'"map_name":"roof"'), "backup_broken"),
        (rewrite("settings.json", b"0.9", b"90"), "param_range"),
        (rewrite("maps/0.json", b"-0.4", b"-400.0"), "map.beyond_edge"),
    ],
)
async def test_a_backup_that_is_not_as_it_was_packed_changes_nothing(
    change: Callable[[dict[str, bytes]], None], reason: str, tmp_path: Path
):
    data = repacked(await packed(equipped(tmp_path / "SC0001")), change)
    target = open_robot(tmp_path / "SC0002", floor=hall(5.0, 4.0))
    before = held(target)
    assert await install(target, data) == f"failed {reason}"
    assert held(target) == before
    assert not list((tmp_path / "SC0002").glob("**/*.ready"))


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04 cut"])
def test_refuse_a_file_that_is_no_archive(data: bytes):
    with pytest.raises(RobotRefusal, match="no backup"):
        read_archive(data)


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.robot.backups.archive.LARGEST_BYTES", 10)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, b" " * 1000)
    with pytest.raises(RobotRefusal, match="too large"):
        read_archive(out.getvalue())


async def test_a_power_cut_while_it_is_put_in_place_leaves_the_backup_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source = equipped(tmp_path / "SC0001")
    data = await packed(source)
    target = open_robot(tmp_path / "SC0002", floor=hall(5.0, 4.0))
    save_map = type(target.store).save_map

    def no_power(store: Any, floor: Floor) -> None:
        if floor.name == "attic":
            raise OSError("the power is gone")
        save_map(store, floor)

    monkeypatch.setattr(type(target.store), "save_map", no_power)
    assert await install(target, data) == "waiting robot_failed"
    monkeypatch.undo()

    again = open_robot(tmp_path / "SC0002")
    assert held(again) == held(source)
    assert again.restores.orders[1].report.state == "restored"


async def test_pictures_of_tasks_come_with_them(tmp_path: Path):
    source = equipped(tmp_path / "SC0001")
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP6DwABBQECz6AuzQAAAABJRU5ErkJggg=="
    source.store.tasks["hall", "Hall"].picture = pictures.keep(source, picture)
    data = await packed(source)
    target = open_robot(tmp_path / "SC0002")
    assert await install(target, data) == "restored"
    assert pictures.read(target, target.store.tasks["hall", "Hall"].picture) == picture


async def test_after_its_time_nothing_is_put_in_place(tmp_path: Path):
    robot = equipped(tmp_path / "SC0001")
    data = await packed(robot)
    robot.restores.accept(Restore(number=1, size=len(data), sha256="", until=1))
    await robot.restores.advance(robot.restores.orders[1])
    assert robot.restores.orders[1].report.reason == "restore_late"


async def test_only_the_newest_archives_stay_on_the_disk(tmp_path: Path):
    robot = equipped(tmp_path / "SC0001")
    for number in range(1, 6):
        await packed(robot, number)
        order = robot.backups.orders[number]
        robot.backups.fail(order, "backup_cut")
    assert sorted(robot.backups.orders) == [3, 4, 5]
    again = open_robot(tmp_path / "SC0001")
    assert sorted(again.backups.orders) == [3, 4, 5]
    again.erase(1)
    assert not again.backups.orders
    assert not list((tmp_path / "SC0001").glob("backups/*/*"))
    with pytest.raises(RobotRefusal, match="any more"):
        again.backups.accept(Backup(number=5, attempt=2, action="upload"))


def test_an_archive_of_the_first_format_stays_readable():
    """One that a released robot packed."""
    sample = Path(__file__).parent.parent / "wire" / "backup-1.zip"
    contents = read_contents(sample.read_bytes())
    assert set(contents.maps) == {"hall", "attic"}
    assert [key[1] for key in contents.tasks] == ["Hall"]
