"""Parameters of a robot that people may set, each within its range. The others show how it is built."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from lustra.protocol.payloads.motion import FASTEST, QUICKEST
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.navigation.drive import SPEEDS, TRANSIT


@dataclass(frozen=True, slots=True)
class Range:
    low: float
    high: float
    usual: float
    unit: str


RANGES: Mapping[str, Range] = {
    "speed_low": Range(0.1, 0.5, SPEEDS["low"], "m/s"),
    "speed_middle": Range(0.2, 0.7, SPEEDS["middle"], "m/s"),
    "speed_high": Range(0.3, 1.0, SPEEDS["high"], "m/s"),
    "speed_moving": Range(0.2, 1.0, TRANSIT, "m/s"),
    "hand_linear": Range(0.1, FASTEST, 0.5, "m/s"),
    "hand_angular": Range(0.2, QUICKEST, 1.0, "rad/s"),
    "charge_below": Range(10.0, 40.0, 15.0, "%"),
    "go_on_above": Range(50.0, 100.0, 90.0, "%"),
}
SPEED_ORDER = ("speed_low", "speed_middle", "speed_high")  # each at most the next
DEFAULTS: Mapping[str, float] = {name: of.usual for name, of in RANGES.items()}


def check_parameters(
    values: Mapping[str, float], present: Mapping[str, float], field: str = "params"
) -> dict[str, float]:
    """What may be set beside the present ones; the first that may not is named, in that field."""
    for name, value in values.items():
        where = f"{field}.{name}"
        if name not in RANGES:
            raise RobotRefusal(RelayCode.BAD_INPUT, "param_unknown", "The robot has no such parameter", where)
        if not RANGES[name].low <= value <= RANGES[name].high:
            raise RobotRefusal(RelayCode.BAD_INPUT, "param_range", "The parameter is out of its range", where)
    after = {**DEFAULTS, **present, **values}
    for slower, faster in pairwise(SPEED_ORDER):
        if after[slower] > after[faster]:
            changed = faster if faster in values else slower
            raise RobotRefusal(
                RelayCode.BAD_INPUT, "param_order", "A lower speed must not exceed a higher one", f"{field}.{changed}"
            )
    return dict(values)
