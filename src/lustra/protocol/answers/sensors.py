"""Answers about what the robot is, where it is and what it senses."""

from typing import Annotated, Literal

from lustra.protocol.answers.base import Done, Placed, Polyline, Row
from lustra.protocol.doc import doc


class UpdateCheck(Done):
    version: Annotated[str, doc("Version of the robot's software.")]
    hasUpdate: Annotated[bool, doc("There is a newer one.")]  # noqa: N815 - the robot's spelling


class RobotPose(Done, Placed):
    map_name: Annotated[str, doc("Name of the loaded map; empty: none.")]
    uncertainty: Annotated[float, doc("Standard deviation of its position, m.")]
    confirmed: Annotated[bool, doc("It is sure of its place.")]


class LidarPoints(Done):
    points: Annotated[Polyline, doc("x and y of each echo in the map's frame, m.")]


class LidarScan(Done):
    angle_min: Annotated[float, doc("Angle of the first ray, rad, from straight ahead to the left.")]
    angle_increment: Annotated[float, doc("Angle from one ray to the next, rad.")]
    scan_time: Annotated[float, doc("Time of one turn, s.")]
    ranges: Annotated[list[float], doc("Distance of each ray's echo, m; 0: none.")]


class Sensor(Row):
    id: Annotated[str, doc("Name of the sensor.")]
    value: Annotated[float, doc("What it measures, in its unit; a switch: 0 or 1.")]
    unit: Annotated[str, doc("Unit of the value; empty: none.")]
    ok: Annotated[bool, doc("It works.")]


class Sensors(Done):
    list: Annotated[list[Sensor], doc("All sensors but the lidar.")]


class PartState(Row):
    name: Annotated[str, doc("Name of the part.")]
    state: Annotated[Literal["ok", "fault"], doc("Whether it works.")]


class PartStates(Done):
    list: Annotated[list[PartState], doc("The parts that the robot watches.")]


class LocalAccount(Row):
    account: Annotated[str, doc("Name of an account of the robot's own screen.")]
    level: Annotated[int, doc("What it may: 1 everything, 2 maintenance, 3 operation.")]


class LocalAccounts(Done):
    list: Annotated[list[LocalAccount], doc("Accounts of the robot's own screen.")]
