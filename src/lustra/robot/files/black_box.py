"""What the sensors said lately, kept for when something goes wrong: the black box.

Rules: poses, scans and states of the last 30 s lie in memory, fewer while the robot stands. From an alarm on it listens
closely for 10 s more; then all of it is one MCAP beside the other recordings, which says what it was made for. What is
raised meanwhile is in the same one, and a code that was recorded makes no other for ten minutes. The newest files stay.
"""

import secrets
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from mcap.writer import CompressionType, Writer

from lustra.protocol.bus import OpenAlarm
from lustra.protocol.files import Trigger
from lustra.robot.files.triggers import Triggers, add_alarms, describe_trigger
from lustra.robot.simulation import machine_state
from lustra.robot.simulation.bag_recorder import SCAN, STORE, T, place, scan_message, stamp
from lustra.robot.simulation.machine import Machine

BEFORE_MS = 30_000
AFTER_MS = 10_000
AGAIN_MS = 600_000
MOST_FILES = 20
EARLY_MS = 10  # that a step may come before its time
POSE = "geometry_msgs/msg/PoseStamped"
TYPES = {"/pose": POSE, "/scan": SCAN}  # beside them /state, in JSON
RESTING_MS = {"/pose": 1000, "/scan": 5000, "/state": 1000}
MOVING_MS = {"/pose": 500, "/scan": 1000, "/state": 1000}
CLOSE_MS = {"/pose": 100, "/scan": 200, "/state": 200}
STATE_SCHEMA = b'{"type":"object"}'


@dataclass(slots=True)
class Sample:
    """`encode`: makes the message, of what was so then. Few are ever recorded."""

    topic: str
    at: int
    encode: Callable[[], bytes]


@dataclass
class BlackBox:
    """`trigger`: why it is recording, until `until_ms`. `known`: ids of alarms that it need not look at again."""

    folder: Path
    triggers: Triggers
    known: set[str]
    ring: deque[Sample] = field(default_factory=deque[Sample])
    last: dict[str, int] = field(default_factory=dict[str, int])
    recorded: dict[str, int] = field(default_factory=dict[str, int])  # ms of the last time, by code
    trigger: Trigger | None = None
    until_ms: int = 0
    seq: int = 0

    def step(self, m: Machine, now_ms: int, alarms: Collection[OpenAlarm]) -> bool:
        """Whether a recording has come to the disk."""
        new = [alarm for alarm in alarms if alarm.id not in self.known]
        self.known = {alarm.id for alarm in alarms}
        self.listen(m, now_ms)
        if self.trigger:
            add_alarms(self.trigger, new)
        elif any(now_ms - self.recorded.get(alarm.code, -AGAIN_MS) >= AGAIN_MS for alarm in new):
            self.trigger, self.until_ms = describe_trigger(m, now_ms, "alarm", alarms), now_ms + AFTER_MS
        self.recorded |= {alarm.code: now_ms for alarm in new if self.trigger}
        if self.trigger is None or now_ms < self.until_ms:
            return False
        self.write(self.trigger)
        self.trigger = None
        return True

    def listen(self, m: Machine, now_ms: int) -> None:
        periods = CLOSE_MS if self.trigger else RESTING_MS if m.standing else MOVING_MS
        for topic, period in periods.items():
            if now_ms - self.last.get(topic, 0) >= period - EARLY_MS:
                self.last[topic] = now_ms
                if encode := self.message(m, topic, now_ms):
                    self.ring.append(Sample(topic, now_ms, encode))
        while not self.trigger and self.ring and self.ring[0].at < now_ms - BEFORE_MS:
            self.ring.popleft()

    def message(self, m: Machine, topic: str, now_ms: int) -> Callable[[], bytes] | None:
        if topic == "/state":
            return partial(msgspec.json.encode, describe(m))
        self.seq += 1
        if topic == "/pose":
            return partial(encode_pose, place(m), self.seq, now_ms)
        sight = machine_state.sight(m)
        return None if sight is None else partial(encode_scan, sight, self.seq, now_ms)

    def write(self, trigger: Trigger) -> None:
        self.folder.mkdir(exist_ok=True)
        name = f"alarm-{trigger.at}-{secrets.token_hex(2)}.mcap"
        active = self.folder / f"{name}.active"
        with active.open("wb") as out:
            writer = Writer(out, compression=CompressionType.ZSTD)
            writer.start()
            channels = {topic: register(writer, topic) for topic in MOVING_MS}
            for each in self.ring:
                ns = each.at * 1_000_000
                writer.add_message(channels[each.topic], log_time=ns, publish_time=ns, data=each.encode())
            writer.finish()
        self.triggers.enter(name, trigger)
        active.rename(self.folder / name)
        for old in sorted(self.folder.glob("alarm-*.mcap"), reverse=True)[MOST_FILES:]:
            old.unlink()

    def clear(self) -> None:
        """Nothing of before is recorded any more."""
        self.ring.clear()
        self.recorded.clear()
        self.trigger = None


def encode_pose(pose: Any, seq: int, at: int) -> bytes:
    return bytes(STORE.serialize_ros1(T[POSE](header=stamp(seq, at, "map"), pose=pose), POSE))


def encode_scan(sight: machine_state.Sight, seq: int, at: int) -> bytes:
    return bytes(STORE.serialize_ros1(scan_message(sight, stamp(seq, at, "laser")), SCAN))


def describe(m: Machine) -> dict[str, object]:
    return {
        "mode": m.mode,
        "help": m.help,
        "faults": sorted(m.faults),
        "holds": sorted(hold.name.lower() for hold in m.holds),
        "speed": round(m.speed, 3),
        "battery": round(m.battery, 1),
        "liquid": round(m.liquid, 1),
        "charging": m.charging,
    }


def register(writer: Writer, topic: str) -> int:
    """Its channel."""
    if topic == "/state":
        return writer.register_channel(topic, "json", writer.register_schema("State", "jsonschema", STATE_SCHEMA))
    definition = STORE.generate_msgdef(TYPES[topic], ros_version=1)[0].encode()
    schema = writer.register_schema(TYPES[topic].replace("/msg/", "/", 1), "ros1msg", definition)
    return writer.register_channel(topic, "ros1", schema)
