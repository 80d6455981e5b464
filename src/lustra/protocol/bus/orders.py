"""Orders of the server: robots.<sn>.cmd.<name>, request and reply {"code": 0, "msg": ""}."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

# What can go wrong with a virtual robot; robot/simulation/faults says what follows.
FaultName = Literal[
    "stuck",
    "lost",
    "low_battery",
    "low_liquid",
    "serial",
    "0x0205",
    "0x0534",
    "0x0535",
    "0x0536",
    "0x0470",
    "0x0471",
    "0x0472",
    "0x0473",
    "0x0610",
    "0x0612",
    "0x0614",
    "0x0616",
    "odometer",
    "imu",
    "lidar",
    "depth_camera",
    "path_error",
    "path_not_solved",
    "p2p_path",
    "elevator_task",
    "way_home",
    "door_stuck",
    "network_abnormal",
    "map_load_failed",
    "map_beyond_border",
    "map_building",
    "low_positioning_accuracy",
    "update_downloading",
    "update_verifying",
    "update_installing",
    "update_restarting",
    "power_downloading",
    "power_verifying",
    "power_installing",
    "power_restarting",
]


class Watch(msgspec.Struct, kw_only=True):
    """Somebody is watching: send the live subjects."""

    seconds: Annotated[float, Meta(description="For how long, s.")]
    detail: Annotated[bool, Meta(description="State at 10 Hz, lidar and path too; false: only cleaned cells.")] = True
    full: Annotated[bool, Meta(description="Send all cleaned cells once more.")] = False


class Control(msgspec.Struct, kw_only=True):
    """The newest control lock: refuse lower numbers."""

    number: Annotated[int, Meta(description="Number of the lock.")]
    owner: Annotated[str, Meta(description="Who has control; empty: no one.")]
    until: Annotated[int, Meta(description="When it ends, ms since 1970; 0: no end, or no owner.")]


class Simulate(msgspec.Struct, kw_only=True):
    """Set the speed of a virtual robot."""

    factor: Annotated[float, Meta(description="How many times as fast as a real one.")]


class Fault(msgspec.Struct, kw_only=True):
    """Begin or end a fault of a virtual robot."""

    name: Annotated[str, Meta(description="One of FaultName; a robot refuses any other.")]
    on: Annotated[bool, Meta(description="Begin it; false: end it.")] = True


class Erase(msgspec.Struct, kw_only=True):
    """The robot goes to another owner: end what is running, and delete maps, tasks and recordings without an event for
    each. Reports and events from before are still sent. The answer has `at`, the robot's clock at that moment; the same
    `number` again erases nothing more and is answered with the same `at`."""

    number: Annotated[int, Meta(description="Number of the order.")]


class Password(msgspec.Struct, kw_only=True):
    """Change the password of the robot's own system."""

    number: Annotated[int, Meta(description="Number of the order.")]
    password: Annotated[str, Meta(description="The new password.")]


class Home(msgspec.Struct, kw_only=True):
    """End what you are doing and drive to your charger, using elevators if needed. Refused if the robot may not drive
    by itself; a robot at its charger has nothing to do."""


class Pause(msgspec.Struct, kw_only=True):
    """Pause your task, whoever has control. Refused if no task is running; a paused one stays paused."""
