"""Driving by hand: the wheels follow the newest command for a moment, then the robot stops by itself.

Rules: it never touches an obstacle or a closed door, whatever is commanded; it stands at the latest 500 ms after the
time of the last command; what comes late or out of turn does nothing. Time is the true clock's: no factor drives
faster.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lustra.protocol.payloads.motion import FASTEST, QUICKEST, Velocity
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.lattice import Lattice
from lustra.robot.simulation.doors import NEAR_M

COMMAND_S = 0.2  # from the moment that a command was meant for until it brakes
# m/s²: from the highest speed it stands within 0.2 s
SPEED_UP = 0.8
BRAKE = 3.0
# rad/s²
TURN_UP = 2.5
TURN_BRAKE = 6.0
STEP_S = 0.02
MARGIN = 0.03  # m that stay free before an obstacle
LOOK_AHEAD = 0.01  # m between two looks ahead


@dataclass
class Teleoperation:
    """What the driver wants, for how long still, and how the wheels turn. `most` and `turn`: limits of this robot."""

    linear: float = 0.0
    angular: float = 0.0
    target: tuple[float, float] = (0.0, 0.0)
    left_s: float = 0.0
    stream: str = ""
    seq: int = -1
    max_linear: float = FASTEST
    max_angular: float = QUICKEST

    @property
    def moving(self) -> bool:
        return bool(self.linear or self.angular)

    @property
    def active(self) -> bool:
        """Somebody drives just now: time must pass in small pieces."""
        return self.moving or self.left_s > 0

    def begin(self, speed: float) -> None:
        """With the speed at which it goes just now, and no command yet."""
        self.stop()
        self.target, self.stream, self.seq = (0.0, 0.0), "", -1
        self.linear = clamp(speed, FASTEST)

    def stop(self) -> None:
        """Stands at once: the brake is set, or the stop pressed."""
        self.linear = self.angular = self.left_s = 0.0

    def accept(self, velocity: Velocity, now_ms: int) -> bool:
        """Whether the command counts: it is not older than the robot's patience, nor than one before it."""
        age_s = max(0.0, (now_ms - velocity.at) / 1000) if velocity.at is not None else 0.0
        if age_s >= COMMAND_S or (velocity.stream == self.stream and velocity.seq and velocity.seq <= self.seq):
            return False
        self.stream, self.seq = velocity.stream, velocity.seq
        self.target = (clamp(velocity.linear, self.max_linear), clamp(velocity.angular, self.max_angular))
        self.left_s = COMMAND_S - age_s
        return True

    def step(
        self,
        s: float,
        at: tuple[float, float, float],
        floor: Floor,
        lattice: Lattice,
        shut: Sequence[tuple[float, float]] = (),
    ) -> list[tuple[float, ...]]:
        """Seconds by hand from a pose: the poses on the way. `shut`: middles of closed doors."""
        path = [at]
        while s > 1e-9:  # noqa: PLR2004  (s: less is rounding)
            piece = min(s, STEP_S, self.left_s or STEP_S)
            x, y, yaw = path[-1]
            v, w = self.target if self.left_s > 0 else (0.0, 0.0)
            if v:
                sign = math.copysign(1.0, v)
                free = min(free_ahead(floor, lattice, path[-1], sign), free_to_doors(shut, path[-1], sign))
                v = clamp(v, math.sqrt(2 * BRAKE * free))
            self.linear = approach(self.linear, v, SPEED_UP * piece, BRAKE * piece)
            self.angular = approach(self.angular, w, TURN_UP * piece, TURN_BRAKE * piece)
            yaw += self.angular * piece
            ahead = (x + self.linear * piece * math.cos(yaw), y + self.linear * piece * math.sin(yaw))
            if self.linear and not passable(floor, lattice, (x, y), ahead):
                self.linear, ahead = 0.0, (x, y)
            path.append((*ahead, math.remainder(yaw, 2 * math.pi)))
            self.left_s = max(0.0, self.left_s - piece)
            s -= piece
        return path


def clamp(value: float, most: float) -> float:
    return max(-most, min(most, value))


def approach(now: float, goal: float, up: float, down: float) -> float:
    """One piece towards a goal: slower and back through zero by braking, faster by accelerating."""
    if now * goal < 0:
        goal = 0.0
    step = up if abs(goal) > abs(now) else down
    return now + clamp(goal - now, step)


def clearance(floor: Floor, lattice: Lattice, points: np.ndarray) -> np.ndarray:
    """Metres to the next obstacle, as surely as the lattice knows: the least of the four corners round each point."""
    cells = np.floor(floor.to_vertices(points)).astype(int)
    d = lattice.distance
    inside = (cells >= 0).all(axis=1) & (cells[:, 0] < d.shape[1] - 1) & (cells[:, 1] < d.shape[0] - 1)
    c, r = np.where(inside[:, None], cells, 0).T
    least = np.minimum(np.minimum(d[r, c], d[r + 1, c]), np.minimum(d[r, c + 1], d[r + 1, c + 1]))
    return np.where(inside, least, 0.0)


def passable(floor: Floor, lattice: Lattice, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Clear ground; from ground that is not (a charger at a wall) only to where there is more room."""
    before, after = clearance(floor, lattice, np.array([a, b])).tolist()
    return after >= lattice.radius - 1e-6 or after > before


def free_to_doors(shut: Sequence[tuple[float, float]], at: tuple[float, ...], sign: float) -> float:
    """Metres ahead, or behind, until it is as near to a closed door as it may be; away from one it may always go."""
    x, y, yaw = at
    paths = [(math.dist(door, (x, y)), (door[0] - x) * math.cos(yaw) + (door[1] - y) * math.sin(yaw)) for door in shut]
    return max(0.0, min((far - NEAR_M for far, along in paths if along * sign > 0), default=math.inf))


def free_ahead(floor: Floor, lattice: Lattice, at: tuple[float, float, float], sign: float) -> float:
    """Free metres ahead, or behind, as far as braking from full speed needs."""
    x, y, yaw = at
    far = np.arange(1, int((FASTEST**2 / (2 * BRAKE) + 2 * MARGIN) / LOOK_AHEAD) + 2) * LOOK_AHEAD * sign
    points = np.stack([x + far * math.cos(yaw), y + far * math.sin(yaw)], 1)
    clear = clearance(floor, lattice, points) >= lattice.radius - 1e-6
    free = len(clear) if clear.all() else int(clear.argmin())
    if not free and passable(floor, lattice, (x, y), (float(points[0, 0]), float(points[0, 1]))):
        return LOOK_AHEAD + MARGIN  # it may creep away from a wall
    return max(0.0, free * LOOK_AHEAD - MARGIN)
