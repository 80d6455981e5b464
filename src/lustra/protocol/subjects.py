"""All subjects of robots, each by its name: what is not in SPOKEN a robot may not publish unasked.

A subject's parts end at dots, so a dot of a serial number is written "~" there, which no serial number has.
"""

import re
from typing import Literal

SERIAL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,30}[A-Za-z0-9])?")

SPOKEN = ("state", "alarm", "report", "event", "lift", "live.lidar", "live.path", "live.cells", "live.log")
COMMANDS = (
    "watch",
    "control",
    "kept",
    "refused",
    "simulate",
    "fault",
    "send",
    "erase",
    "password",
    "home",
    "pause",
    "lift",
    "takemap",
    "notify",
    "sendfile",
    "deletefiles",
    "followlog",
    "backup",
    "contents",
    "restore",
    "cameras",
    "sendvideo",
    "update",
    "tablet",
    "adverts",
    "configure",
)

CORE_ACCOUNT = "FLEET"  # of our own processes; robots are in the other
ROBOTS_ACCOUNT = "ROBOTS"
FROM_ROBOTS = (
    *(f"robots.*.{name}" for name in ("state", "alarm", "report", "event", "lift")),
    "robots.*.live.*",
    "robots.*.answer.*",
)
TO_ROBOTS = "robots.*.cmd.*"
STREAMED = ("STATE", "ALARM", "REPORT", "EVENT")  # streams of what robots say that must not be lost
AUDIT = "audit.relay"
PARTITIONS = 8  # of robots, by the bus' hash of their serial numbers
STORED_STATES = "robots.*.state.*"  # states as streams hold them: with their robot's partition behind
STORED_STATE = (
    f"robots.{{{{wildcard(1)}}}}.state.{{{{partition({PARTITIONS},1)}}}}"  # in the words of a stream's configuration
)
LEAF_STATES = "leaf.*.state"  # of all robots
LEAF_STATE_OF = "leaf.{{wildcard(1)}}.state"  # of the robot of STORED_STATES


def token(sn: str) -> str:
    """A serial number as one part of a subject or topic."""
    return sn.replace(".", "~")


def serial_of(subject: str) -> str:
    """Whose subject it is: of robots.<sn>.…, leaf.<sn>.…, presence.<sn> and tunnel.<sn>."""
    return subject.split(".")[1].replace("~", ".")


def subject_of(stream: str) -> str:
    """The subject that a stream of STREAMED takes, of all robots."""
    return f"robots.*.{stream.lower()}"


def states_of(partition: int) -> str:
    """Stored states of all robots of a partition."""
    return f"robots.*.state.{partition}"


def spoken(sn: str) -> list[str]:
    """Subjects on which the robot itself publishes."""
    return [f"robots.{token(sn)}.{name}" for name in SPOKEN]


def answers(sn: str) -> list[str]:
    """Subjects on which a robot that speaks MQTT answers commands."""
    return [answer(sn, name) for name in COMMANDS]


def state(sn: str) -> str:
    return f"robots.{token(sn)}.state"


def leaf_state(sn: str) -> str:
    """The state again, from a leaf of the bus, for who looks at the robot now; it is stored nowhere."""
    return f"leaf.{token(sn)}.state"


def alarm(sn: str) -> str:
    return f"robots.{token(sn)}.alarm"


def report(sn: str) -> str:
    return f"robots.{token(sn)}.report"


def event(sn: str) -> str:
    return f"robots.{token(sn)}.event"


def live(sn: str, kind: Literal["lidar", "path", "cells", "log", "*"]) -> str:
    """Core messages outside every stream, sent only while watched."""
    return f"robots.{token(sn)}.live.{kind}"


def cmd(sn: str, name: str) -> str:
    return f"robots.{token(sn)}.cmd.{name}"


def answer(sn: str, name: str) -> str:
    """Where a robot that speaks MQTT 3.1.1, and so sees no reply subject, answers a command."""
    return f"robots.{token(sn)}.answer.{name}"


def lift(sn: str) -> str:
    """What a robot wants of an elevator. The answer comes as cmd.lift."""
    return f"robots.{token(sn)}.lift"


def ingest(name: str) -> str:
    """Where an ingest says to the others that it reads."""
    return f"ingests.{name}"


def tunnel(sn: str) -> str:
    """A relay says here that a robot's tunnel is up or down, with its own URL."""
    return f"tunnel.{token(sn)}"
