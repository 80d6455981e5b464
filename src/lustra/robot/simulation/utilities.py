"""What the robot can switch beside its wheels: brushes, fan, pump, lamp, voice; what each takes from the battery.

Rules: which there are depends on the robot's type and protocol; a run begins with the levels of its cleaning mode, and
its tools turn only while it cleans; what is set by hand while no run is under way works until it is set back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.navigation.run import ML_PER_M2


@dataclass(frozen=True, slots=True)
class Utility:
    """drain: % of the battery in an hour and for each level. tool: it works on the floor, so runs set it."""

    id: str
    name: str
    highest: int
    drain: float
    tool: bool = True
    since: int = 1
    types: tuple[str, ...] = ()  # none named: all


UTILITIES = (
    Utility("roller_brush", "Roller brush", 3, 2.5),
    Utility("side_brush", "Side brush", 3, 1.0),
    Utility("fan", "Suction fan", 3, 2.5),
    Utility("pump", "Water pump", 3, 1.5, types=("Scrub 50", "Mist 20")),
    Utility("mist", "Mist sprayer", 3, 1.5, types=("Mist 20",)),
    Utility("uv_lamp", "UV lamp", 1, 8.0, tool=False, since=3, types=("Mist 20",)),
    Utility("light", "Headlight", 1, 0.6, tool=False),
    Utility("volume", "Voice volume", 10, 0.0, tool=False, since=3),
)
MODES: Mapping[str, Mapping[str, int]] = {
    "clean": {"roller_brush": 2, "side_brush": 2, "fan": 2, "pump": 2, "mist": 2},
    "carpet": {"roller_brush": 3, "side_brush": 2, "fan": 3},
    "quiet": {"roller_brush": 1, "side_brush": 1, "fan": 1, "pump": 2, "mist": 2},
}
STANDARD = {"volume": 5}  # where a robot begins


def fitted(model: str, protocol: int) -> dict[str, Utility]:
    return {u.id: u for u in UTILITIES if protocol >= u.since and (not u.types or not model or model in u.types)}


@dataclass
class Utilities:
    fitted: dict[str, Utility] = field(default_factory=lambda: fitted("", 3))
    set: dict[str, int] = field(default_factory=lambda: dict(STANDARD))  # by hand
    run: dict[str, int] | None = None  # tools of the run that is under way
    dose: float = ML_PER_M2

    def begin(self, mode: str) -> None:
        self.run = dict(MODES.get(mode, {}))

    def end(self) -> None:
        self.run = None

    def control(self, id_: str, value: float) -> None:
        utility = self.fitted.get(id_)
        if utility is None:
            raise RobotRefusal(RelayCode.UNKNOWN, "utility_unknown", "This robot has no such utility", "id")
        if not value.is_integer() or not 0 <= value <= utility.highest:
            raise RobotRefusal(RelayCode.BAD_INPUT, "utility_level", "The utility has no such level", "value")
        levels = self.run if self.run is not None and utility.tool else self.set
        levels[id_] = int(value)

    def levels(self, *, cleaning: bool) -> dict[str, int]:
        """What works now. While a run pauses or drives elsewhere, its tools stand."""
        levels: dict[str, int] = {}
        for utility in self.fitted.values():
            if utility.tool and self.run is not None:
                levels[utility.id] = self.run.get(utility.id, 0) if cleaning else 0
            else:
                levels[utility.id] = self.set.get(utility.id, 0)
        return levels

    def expected(self, mode: str) -> float:
        """% an hour that a run of that mode takes beyond the usual."""
        return replace(self, run=dict(MODES.get(mode, {}))).drain(cleaning=True)

    def drain(self, *, cleaning: bool) -> float:
        """% an hour. The usual tools of a run stand in what a run takes; what differs from them is here."""
        levels = self.levels(cleaning=cleaning)
        usual = MODES["clean"] if cleaning else {}
        return sum((level - usual.get(id_, 0)) * self.fitted[id_].drain for id_, level in levels.items())
