"""The kinds of rules: what each looks at, and within which bounds people may set it.

Rules: a kind is named by the code that it raises. What robots say themselves of battery and tank is enough for most, so
these two are off until somebody wants them earlier; what a robot cannot know of itself is on. Offline, a transfer node
that is gone, stuck and the way to the charger need no rule: presence, groups and robots raise them.
"""

from dataclasses import dataclass
from typing import Literal, get_args

Name = Literal[
    "low_battery",
    "disinfectant_level",
    "task_missed",
    "task_late",
    "not_cleaned",
    "upkeep_due",
    "clock_off",
    "elevator_wait",
]
Unit = Literal["percent", "times", "minutes", "days"]
NAMES: tuple[Name, ...] = get_args(Name)


@dataclass(frozen=True, slots=True)
class Kind:
    """`threshold` and `enabled` hold until somebody decides. `standing`: of its past nothing is stored, so a trial
    counts what it would raise now."""

    name: Name
    unit: Unit
    least: int
    most: int
    threshold: int
    enabled: bool = True
    standing: bool = False


KINDS: dict[Name, Kind] = {
    kind.name: kind
    for kind in (
        Kind("low_battery", "percent", 1, 90, 20, enabled=False),
        Kind("disinfectant_level", "percent", 1, 90, 15, enabled=False),
        Kind("task_missed", "times", 1, 30, 1),
        Kind("task_late", "minutes", 2, 720, 30),
        Kind("not_cleaned", "days", 1, 90, 7),
        Kind("upkeep_due", "percent", 90, 100, 100),
        Kind("clock_off", "minutes", 1, 1440, 10, standing=True),
        Kind("elevator_wait", "minutes", 1, 240, 10),
    )
}


def allows(kind: Kind, threshold: int) -> bool:
    """People are warned of upkeep at these two percentages alone."""
    if kind.name == "upkeep_due":
        return threshold in (kind.least, kind.most)
    return kind.least <= threshold <= kind.most
