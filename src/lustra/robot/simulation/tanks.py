"""What a robot carries: one tank of liquid or, by its type, several.

Rules: what the floor gets comes from the supply tanks, each its share; a scrubber takes most of it up again, into its
waste tank. At the charger the supply is filled and the waste let out. `supply` is that of the emptiest supply tank: the
`liquid` of the state, and what a run needs.
"""

from dataclasses import dataclass, field

TANK_ML = 10_000.0  # what a robot carries of all that it puts on the floor
FULL_WASTE = 98.0  # %


@dataclass(frozen=True, slots=True)
class Tank:
    """`share`: of what the floor gets, this much comes from it; negative: so much comes back into it."""

    name: str
    ml: float
    share: float


SINGLE = (Tank("", TANK_ML, 1.0),)
BY_TYPE = {
    "Scrub 50": (
        Tank("clean_water", 9_800.0, 0.98),
        Tank("detergent", 200.0, 0.02),
        Tank("waste_water", TANK_ML, -0.9),
    ),
    "Mist 20": (Tank("left_disinfectant", 5_000.0, 0.5), Tank("right_disinfectant", 5_000.0, 0.5)),
}


def fitted(model: str) -> tuple[Tank, ...]:
    return BY_TYPE.get(model, SINGLE)


@dataclass
class Tanks:
    """`levels`: filling by the tank's name, %."""

    fitted: tuple[Tank, ...] = SINGLE
    levels: dict[str, float] = field(default_factory=dict[str, float])

    def __post_init__(self) -> None:
        self.levels = {tank.name: 90.0 if tank.share > 0 else 0.0 for tank in self.fitted} | self.levels

    @property
    def supply(self) -> float:
        return min(self.levels[tank.name] for tank in self.fitted if tank.share > 0)

    @property
    def waste(self) -> float:
        return max((self.levels[tank.name] for tank in self.fitted if tank.share < 0), default=0.0)

    def set_supply(self, level: float) -> None:
        self.levels |= {tank.name: level for tank in self.fitted if tank.share > 0}

    def lower(self, level: float, name: str = "") -> None:
        """All supply tanks, or that one alone where the robot has it, fall to the level."""
        names = [name] if name in self.levels else [tank.name for tank in self.fitted if tank.share > 0]
        self.levels |= {tank: min(self.levels[tank], level) for tank in names}

    def use(self, ml: float) -> None:
        for tank in self.fitted:
            level = self.levels[tank.name] - ml * tank.share / tank.ml * 100
            self.levels[tank.name] = min(100.0, max(0.0, level))

    def refill(self, ml: float) -> None:
        """Fills each tank, or empties it where it holds waste, by so many ml."""
        for tank in self.fitted:
            change = ml / TANK_ML * 100 * (1 if tank.share > 0 else -1)
            self.levels[tank.name] = min(100.0, max(0.0, self.levels[tank.name] + change))

    def named(self) -> dict[str, float]:
        """% by the tank's name, as the state has it; empty for a robot with one tank."""
        return {name: round(level, 1) for name, level in self.levels.items() if name}
