"""Answers of what the robot does at once: driving, finding its place."""

from typing import Annotated

from lustra.protocol.answers.base import Done, Placed, Polyline, RevisionOf, RobotTime, Seconds
from lustra.protocol.doc import doc


class ManualMode(Done):
    """From `at`, and from each that follows, a driver knows how its own clock differs."""

    at: RobotTime


class Driving(Done):
    at: RobotTime
    linear: Annotated[float, doc("Speed as the wheels turn, m/s; forward is positive.")]
    angular: Annotated[float, doc("Turn rate as the wheels turn, rad/s; against the clock is positive.")]


class Drive(Done):
    path: Annotated[Polyline, doc("The way that it takes: x and y of each point, m.")]
    seconds: Seconds


class Relocalization(Done, Placed):
    score: Annotated[float, doc("Share of the lidar's echoes that lie on the map, 0 to 1.")]


class MovedCharger(Done, Placed):
    name: Annotated[str, doc("Name of the map's charging point.")]
    revision: RevisionOf
