"""What the robot's sensors said before and after an alarm is on its disk, says what it was for, and is told of."""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from mcap.reader import make_reader
from rosbags.typesys import Stores, get_typestore

from lustra.robot.clock import now_ms
from lustra.robot.files import black_box
from lustra.robot.navigation import lidar
from lustra.robot.robot import Robot
from tests.robot.conftest import Local, hall, open_robot
from tests.robot.files.test_robot_files import events

STORE = get_typestore(Stores.ROS1_NOETIC)
CODE = "0x0534"


def live(robot: Robot, begin: int, seconds: float, codes: set[str], step_ms: int = 100) -> None:
    """Time passes with these things wrong."""
    robot.alarms.update(codes)
    for at in range(begin, begin + round(seconds * 1000) + 1, step_ms):
        if robot.black_box.step(robot.machine, at, robot.alarms.open.values()):
            robot.files.announce(at)


def read(path: Path) -> list[tuple[str, int, bytes]]:
    with path.open("rb") as file:
        messages = make_reader(file).iter_messages()
        return [(channel.topic, message.log_time // 1_000_000, message.data) for _, channel, message in messages]


def announced(robot: Robot) -> list[dict[str, Any]]:
    return [event for event in events(robot, "files") if event["name"] == "rosbag"][-1]["content"]["files"]


def test_record_what_the_lidar_saw_before_the_robot_moved(robot: Robot):
    robot.machine.place(1.0, 2.0, 0.5, charging=False)
    around, begin = robot.machine.surroundings, now_ms()
    assert around
    before = lidar.ranges(around, *robot.machine.pose)
    live(robot, begin, 5, set())
    robot.machine.place(3.0, 1.0, 2.0, charging=False)
    after = lidar.ranges(around, *robot.machine.pose)
    live(robot, begin + 5_100, 11, {CODE})
    [path] = robot.bags.folder.glob("*.mcap")
    scans = [data for topic, _, data in read(path) if topic == "/scan"]
    for data, ranges in ((scans[0], before), (scans[-1], after)):
        scan: Any = STORE.deserialize_ros1(data, black_box.SCAN)
        assert scan.ranges == pytest.approx(np.where(ranges > 0, ranges, np.inf), abs=0.1)
    assert not np.allclose(before, after, atol=0.5)


def test_an_alarm_leaves_a_recording_of_30_s_before_and_10_s_after(robot: Robot):
    robot.machine.place(1.0, 2.0, 0.5, charging=False)
    begin = now_ms()
    live(robot, begin, 60, set())
    live(robot, raised := begin + 60_100, 11, {CODE})
    [path] = robot.bags.folder.glob("*.mcap")
    messages = read(path)
    assert min(at for _, at, _ in messages) in range(raised - 30_000, raised - 28_000)
    assert max(at for _, at, _ in messages) == raised + 10_000
    after = Counter(topic for topic, at, _ in messages if at > raised)
    assert (after["/pose"], after["/scan"], after["/state"]) == (100, 50, 50)
    poses = [data for topic, _, data in messages if topic == "/pose"]
    pose: Any = STORE.deserialize_ros1(poses[0], black_box.POSE)
    assert pose.pose.position.x == pytest.approx(robot.machine.belief.pose(*robot.machine.pose)[0], abs=0.2)
    states = [msgspec.json.decode(data) for topic, _, data in messages if topic == "/state"]
    assert {"mode", "speed", "battery", "liquid"} <= states[0].keys()
    [file] = announced(robot)
    alarm = robot.alarms.open[CODE]
    assert file["name"] == path.name
    assert file["trigger"]["alarms"] == [{"id": alarm.id, "code": CODE}]
    assert (file["trigger"]["by"], file["trigger"]["at"], file["trigger"]["map"]) == ("alarm", raised, "hall")


def test_add_what_happens_meanwhile_to_the_open_recording_only_once(robot: Robot):
    begin = now_ms()
    live(robot, begin, 5, {CODE})
    live(robot, begin + 5_100, 6, {CODE, "imu"})
    assert [alarm["code"] for alarm in announced(robot)[0]["trigger"]["alarms"]] == [CODE, "imu"]
    live(robot, begin + 20_000, 1, set())
    live(robot, begin + 30_000, 11, {"imu"})
    assert len(announced(robot)) == 1
    live(robot, begin + 50_000, 1, set())
    live(robot, begin + 700_000, 11, {CODE}, 1000)
    assert len(announced(robot)) == 2


def test_record_neither_alarms_open_at_the_start_nor_erased_ones(tmp_path: Path):
    robot = open_robot(tmp_path / "r", floor=hall())
    robot.alarms.update({CODE})
    robot = open_robot(tmp_path / "r")
    live(robot, begin := now_ms(), 11, {CODE})
    live(robot, begin + 12_000, 5, {CODE, "imu"})
    robot.erase(7)
    live(robot, begin + 20_000, 11, {CODE, "imu"})
    assert not list(robot.bags.folder.glob("*.mcap"))


def test_the_newest_recordings_stay(robot: Robot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(black_box, "MOST_FILES", 2)
    begin = now_ms()
    for number in range(3):
        live(robot, begin + number * 20_000, 11, {f"code {number}"}, 1000)
    assert {file["trigger"]["alarms"][0]["code"] for file in announced(robot)} == {"code 2", "code 1"}
    assert len(robot.triggers.load()) <= 3


async def test_a_recording_on_an_order_says_what_is_open(local: Local):
    robot = local.robot
    robot.alarms.update({CODE})
    name = (await local.good("bag_record_trigger", {"seconds": 1}))["name"]
    robot.bags.end()
    robot.files.announce(now_ms())
    [file] = [file for file in announced(robot) if file["name"] == name]
    assert (file["trigger"]["by"], file["trigger"]["alarms"][0]["code"]) == ("order", CODE)
