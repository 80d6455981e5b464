"""What a robot does for its server's errands: it erases what was its former owner's, and takes a new password."""

import hashlib
import json
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from lustra.protocol import bus
from lustra.protocol.payloads.tasks import Task
from lustra.robot.connection.link import Access, Native
from lustra.robot.connection.telemetry import TelemetryPublisher
from lustra.robot.robot import Robot
from tests.robot.conftest import TASK, hall, open_robot


async def send(voice: TelemetryPublisher, name: str, command: Any) -> dict:
    return await voice.handle(name, bus.encode(command))


def voice_of(robot: Robot) -> TelemetryPublisher:
    return TelemetryPublisher(robot, Native(Access("SC0001", "", (("127.0.0.1", 1),))))


async def test_erase_maps_and_tasks_once_without_a_report_for_each(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    voice, messages = voice_of(robot), set(robot.outbox.messages)
    answer = await send(voice, "erase", bus.Erase(number=7))
    assert (answer["code"], answer["at"]) == (0, robot.store.facts.erased_at)
    assert (robot.store.maps, robot.store.tasks, robot.machine.floor) == ({}, {}, None)
    assert set(robot.outbox.messages) == messages
    robot.save_map(hall(name="new owner's"))
    again = await send(voice, "erase", bus.Erase(number=7))
    assert again["at"] == answer["at"]
    assert set(robot.store.maps) == {"new owner's"}
    reopened = open_robot(tmp_path / "SC0001", floor=hall())
    assert (set(reopened.store.maps), reopened.store.facts.erased) == ({"new owner's"}, 7)


async def test_an_erased_robots_run_ends_and_its_report_is_still_sent(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    await robot.starts.begin(Task.model_validate(TASK))
    answer = await send(voice_of(robot), "erase", bus.Erase(number=1))
    [report] = [json.loads(message.data) for message in robot.outbox.messages.values() if message.kind == "report"]
    assert report["end"] == "cancelled"
    assert report["at"] < answer["at"]
    robot.step(1.0)
    assert (robot.machine.run, robot.machine.mode) == (None, "idle")


async def test_store_only_a_hash_of_the_robots_password(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    assert (await send(voice_of(robot), "password", bus.Password(number=1, password="secret")))["code"] == 0
    assert robot.store.facts.password == hashlib.sha256(b"secret").hexdigest()
    assert b"secret" not in (tmp_path / "SC0001" / "facts.json").read_bytes()


async def test_a_pause_of_the_server_halts_what_runs_whoever_has_control(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    assert (await send(voice_of(robot), "pause", bus.Pause()))["reason"] == "task_none_running"
    await robot.starts.begin(Task.model_validate(TASK))
    await send(voice_of(robot), "control", bus.Control(number=3, owner="Mira", until=4_000_000_000_000))
    assert (await send(voice_of(robot), "pause", bus.Pause()))["code"] == 0
    assert robot.machine.mode == "paused"


async def test_show_a_notification_once_until_the_robot_has_another_owner(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    voice = voice_of(robot)
    stuck = bus.Notification(id="n1", code="stuck", level=3, title="Stuck", text="Raised 14:20", language="en")
    assert (await send(voice, "notify", stuck))["spoken"] is True
    robot.machine.utilities.set["volume"] = 0
    assert (await send(voice, "notify", stuck))["spoken"] is False
    assert open_robot(tmp_path / "SC0001").store.facts.shown == [stuck]
    for number in range(30):
        await send(voice, "notify", bus.Notification(**{**to_builtins(stuck), "id": f"m{number}"}))
    assert [shown.id for shown in robot.store.facts.shown] == [f"m{number}" for number in range(10, 30)]
    await send(voice, "erase", bus.Erase(number=1))
    assert robot.store.facts.shown == []
