"""Payloads of what the robot does at once: driving, stopping, its parts and settings."""

from typing import Literal

from lustra.protocol.payloads.base import Payload


class Switch(Payload):
    """robot_safe {robot_safe}: 1 stops the robot where it is (emergency stop), 0 releases it."""

    robot_safe: Literal[0, 1]
