"""The installation's configuration parameters, as far as the robot knows them: those of its own parameters.

Rules: all that it knows are taken or none, each within its range; one that is no longer among them has its default
again. What a person sets at the robot afterwards stays until other ones come.
"""

import math
from typing import Protocol

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.updates import Configuration, ConfigurationProgress
from lustra.robot.simulation.machine import Machine
from lustra.robot.simulation.parameters import DEFAULTS, RANGES, check_parameters
from lustra.robot.store import Store

FIELD = "values"


class Configured(Protocol):
    """The robot, as far as its configuration needs it."""

    store: Store
    machine: Machine

    def keep(self) -> None: ...


def read_number(key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise RobotRefusal(RelayCode.BAD_INPUT, "param_no_number", "The parameter is a number", f"{FIELD}.{key}")
    return number


def accept(robot: Configured, order: Configuration) -> ConfigurationProgress:
    facts, present = robot.store.facts, robot.machine.params
    if order.revision != facts.configuration:
        values = {key: read_number(key, value) for key, value in order.values.items() if key in RANGES}
        former = {key: DEFAULTS[key] for key in facts.configured if key not in values}
        robot.machine.params |= check_parameters(former | values, present, FIELD)
        facts.configuration, facts.configured = order.revision, values
        robot.keep()
    return ConfigurationProgress(revision=order.revision, unknown=[key for key in order.values if key not in RANGES])
