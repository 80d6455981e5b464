"""A triggered recording: what the robot's sensors say for some seconds, as a ROS 1 bag on its disk.

Rules: one at a time; at most so many files and bytes are kept, the oldest go first; what a death has broken off is
thrown away. Names are those that ROS tools expect: /scan, /odom, /battery; stamps are the true clock's.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.rosbag1 import Writer
from rosbags.typesys import Stores, get_typestore

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.navigation.lidar import RANGE
from lustra.robot.simulation import machine_state
from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.machine import Machine

STORE = get_typestore(Stores.ROS1_NOETIC)
T = STORE.types
SCAN = "sensor_msgs/msg/LaserScan"
ODOM = "nav_msgs/msg/Odometry"
BATTERY = "sensor_msgs/msg/BatteryState"
TOPICS = {"/scan": SCAN, "/odom": ODOM, "/battery": BATTERY}
PERIOD_MS = {"/scan": 200, "/odom": 100, "/battery": 1000}
MOST_FILES = 20
MOST_BYTES = 100 << 20
RANGE_MIN = 0.05
# Of BatteryState.power_supply_status.
DISCHARGING = 2
CHARGING = 1


@dataclass
class BagRecorder:
    folder: Path
    until_ms: int = 0
    name: str = ""
    writer: Writer | None = None
    connections: dict[str, Any] = field(default_factory=dict[str, Any])
    last_written: dict[str, int] = field(default_factory=dict[str, int])
    seq: int = 0

    def start(self, seconds: int, now_ms: int) -> str:
        if self.writer:
            raise RobotRefusal(RelayCode.CONFLICT, "bag_recording", "A recording is under way")
        self.folder.mkdir(exist_ok=True)
        for broken in self.folder.glob("*.active"):
            broken.unlink()
        self.name, self.until_ms, self.seq = f"{now_ms}.bag", now_ms + seconds * 1000, 0
        self.writer = Writer(self.folder / f"{self.name}.active")
        self.writer.set_compression(Writer.CompressionFormat.LZ4)
        self.writer.open()
        self.connections = {t: self.writer.add_connection(t, kind, typestore=STORE) for t, kind in TOPICS.items()}
        self.last_written = {}
        return self.name

    def step(self, m: Machine, now_ms: int) -> None:
        """Writes what is due; closes the file when its time is over."""
        if self.writer is None:
            return
        for topic, kind in TOPICS.items():
            if now_ms - self.last_written.get(topic, 0) < PERIOD_MS[topic] - 10:
                continue
            self.last_written[topic] = now_ms
            if message := MESSAGES[topic](m, self.header(now_ms, "laser" if topic == "/scan" else "odom")):
                self.writer.write(self.connections[topic], now_ms * 1_000_000, STORE.serialize_ros1(message, kind))
        if now_ms >= self.until_ms:
            self.end()

    def end(self) -> None:
        """Closes the file and gives it its name: what has the name of a bag is whole."""
        if self.writer is None:
            return
        self.writer.close()
        self.writer = None
        (self.folder / f"{self.name}.active").rename(self.folder / self.name)
        total = 0
        for n, file in enumerate(sorted(self.folder.glob("*.bag"), reverse=True)):
            total += file.stat().st_size
            if n >= MOST_FILES or total > MOST_BYTES:
                file.unlink()

    def header(self, now_ms: int, frame: str) -> Any:
        self.seq += 1
        return stamp(self.seq, now_ms, frame)


def stamp(seq: int, now_ms: int, frame: str) -> Any:
    """The header of a message."""
    moment = T["builtin_interfaces/msg/Time"](sec=now_ms // 1000, nanosec=now_ms % 1000 * 1_000_000)
    return T["std_msgs/msg/Header"](seq=seq, stamp=moment, frame_id=frame)


def scan(m: Machine, header: Any) -> Any:
    sight = machine_state.sight(m)
    return None if sight is None else scan_message(sight, header)


def scan_message(sight: machine_state.Sight, header: Any) -> Any:
    lidar = sight.scan(0)
    ranges = np.array(lidar.ranges, np.float32)
    return T[SCAN](
        header=header,
        angle_min=lidar.first,
        angle_max=lidar.first + lidar.step * (len(ranges) - 1),
        angle_increment=lidar.step,
        time_increment=0.0,
        scan_time=PERIOD_MS["/scan"] / 1000,
        range_min=RANGE_MIN,
        range_max=RANGE,
        ranges=np.where(ranges > 0, ranges, np.inf).astype(np.float32),
        intensities=np.empty(0, np.float32),
    )


def place(m: Machine) -> Any:
    """Where it believes to be."""
    x, y, yaw = m.belief.pose(*m.pose)
    g = "geometry_msgs/msg/"
    return T[g + "Pose"](
        position=T[g + "Point"](x=x, y=y, z=0.0),
        orientation=T[g + "Quaternion"](x=0.0, y=0.0, z=math.sin(yaw / 2), w=math.cos(yaw / 2)),
    )


def odometry(m: Machine, header: Any) -> Any:
    g = "geometry_msgs/msg/"
    forward = m.hand.linear if Hold.HAND in m.holds else m.speed
    speed = T[g + "Twist"](
        linear=T[g + "Vector3"](x=forward, y=0.0, z=0.0), angular=T[g + "Vector3"](x=0.0, y=0.0, z=m.hand.angular)
    )
    return T[ODOM](
        header=header,
        child_frame_id="base_link",
        pose=T[g + "PoseWithCovariance"](pose=place(m), covariance=np.zeros(36)),
        twist=T[g + "TwistWithCovariance"](twist=speed, covariance=np.zeros(36)),
    )


def battery(m: Machine, header: Any) -> Any:
    unknown = float("nan")
    return T[BATTERY](
        header=header,
        voltage=unknown,
        temperature=unknown,
        current=unknown,
        charge=unknown,
        capacity=unknown,
        design_capacity=unknown,
        percentage=m.battery / 100,
        power_supply_status=CHARGING if m.charging else DISCHARGING,
        power_supply_health=0,
        power_supply_technology=0,
        present=True,
        cell_voltage=np.empty(0, np.float32),
        cell_temperature=np.empty(0, np.float32),
        location="",
        serial_number=m.sn,
    )


MESSAGES = {"/scan": scan, "/odom": odometry, "/battery": battery}
