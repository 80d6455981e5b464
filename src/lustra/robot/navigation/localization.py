"""Where the robot believes to be: its true place, the noise of its localisation, and what it may be mistaken by.

Rules: lost, it starts nothing and says `position_unconfirmed`; it is found again only by a scan that fits the map. A
mistaken fit is noticed as soon as it drives: then it is lost again.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
NOISE_M = 0.006
NOISE_RAD = 0.004
ASTRAY_M = 2.5  # that a lost robot believes itself off at most
MISTAKEN_M = 0.4
MISTAKEN_RAD = 0.35
TILL_NOTICED_M = 0.5  # of driving


@dataclass
class Belief:
    rng: np.random.Generator
    wander: Array = field(default_factory=lambda: np.zeros(3))
    offset: Array = field(default_factory=lambda: np.zeros(3))
    since_fix_m: float = 0.0

    def add_noise(self, rate: float) -> None:
        noise = self.rng.normal(0, 1, 3) * (NOISE_M, NOISE_M, NOISE_RAD)
        self.wander = 0.8 * self.wander + noise * (0.3 + 0.7 * rate)

    def pose(self, x: float, y: float, yaw: float) -> tuple[float, float, float]:
        dx, dy, turned = (self.wander + self.offset).tolist()
        return x + dx, y + dy, math.remainder(yaw + turned, 2 * math.pi)

    def lose(self) -> None:
        """Lets the robot believe to be somewhere else."""
        angle, far = self.rng.uniform(-math.pi, math.pi), self.rng.uniform(0.5, 1) * ASTRAY_M
        self.offset = np.array([far * math.cos(angle), far * math.sin(angle), self.rng.uniform(-1, 1)])

    def correct(self, true: tuple[float, float, float], believed: tuple[float, float, float]) -> None:
        turned = math.remainder(believed[2] - true[2], 2 * math.pi)
        self.offset = np.array([believed[0] - true[0], believed[1] - true[1], turned])
        self.since_fix_m = 0.0

    def reset(self) -> None:
        self.offset = np.zeros(3)

    @property
    def mistaken(self) -> bool:
        dx, dy, turned = self.offset.tolist()
        return math.hypot(dx, dy) > MISTAKEN_M or abs(turned) > MISTAKEN_RAD

    def notices_mistake(self, driven_m: float) -> bool:
        """Whether what it sees has stopped to fit while it drove."""
        self.since_fix_m += driven_m
        return self.mistaken and self.since_fix_m > TILL_NOTICED_M
