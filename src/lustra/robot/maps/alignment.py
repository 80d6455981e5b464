"""Lays a new map of a floor over the old one: how the new one must be moved and turned so that their walls agree.

Rules: what was built anew from the same charger is off by little, so it is looked for near; walls that have moved since
may disagree, but most agree; a fit that another place shares is none.
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.floor import FREE, UNKNOWN, Floor

Array = NDArray[np.float64]
# Of the first look.
AROUND_M = 1.5
STEP_M = 0.1
AROUND_RAD = math.radians(15)
STEP_RAD = math.radians(1)
# How far two walls may lie apart and still speak for a fit
WIDE_M = 0.2
NARROW_M = 0.08
# Points of walls that are looked at.
FEW = 400
MANY = 4000
BEST = 12
STEPS = ((0.05, 0.01), (0.02, 0.004), (0.008, 0.0015), (0.003, 0.0005))  # m and rad of the climb
CLIMBS = 20
NO_BETTER = 1e-6
GOOD = 0.6
ALIKE = 0.97
APART_M = 0.3
APART_RAD = 0.05
# Nothing worth moving for.
LITTLE_M = 0.02
LITTLE_RAD = 0.002


@dataclass(frozen=True)
class Move:
    """Turns by `yaw` (rad) about the frame's origin, then moves (m)."""

    x: float
    y: float
    yaw: float

    def apply(self, points: Array) -> Array:
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        x, y = points[:, 0], points[:, 1]
        return np.stack([x * c - y * s + self.x, x * s + y * c + self.y], 1)

    def pose(self, x: float, y: float, yaw: float) -> tuple[float, float, float]:
        (px, py), turned = self.apply(np.array([[x, y]]))[0].tolist(), math.remainder(yaw + self.yaw, 2 * math.pi)
        return px, py, turned


def solid_cells(floor: Floor) -> NDArray[np.bool_]:
    """Obstacles as light meets them, without what people have erased."""
    bare = replace(floor, forbidden_zones=[], virtual_walls=[], shut=frozenset())
    return bare.blocked & (floor.grid != UNKNOWN)


def wall_faces(floor: Floor) -> Array:
    """Middles of the cells where free floor meets a wall, in metres."""
    near = cv2.dilate((floor.grid == FREE).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    rows, columns = np.nonzero(solid_cells(floor) & near)
    return floor.to_metres(np.stack([columns, rows], 1) + 0.5)


def wall_distances(floor: Floor) -> NDArray[np.float32]:
    """Metres from each cell to the nearest face of a wall."""
    mask = np.ones(floor.grid.shape, np.uint8)
    cells = np.floor(floor.to_vertices(wall_faces(floor))).astype(int)
    mask[cells[:, 1], cells[:, 0]] = 0
    return (cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) * floor.resolution).astype(np.float32)


def find_move(old: Floor, new: Floor) -> Move:
    """From the new map's frame into the old one's."""
    walls = wall_faces(new)
    if len(walls) < FEW // 4 or not len(wall_faces(old)):
        raise no_match()
    points = walls[np.linspace(0, len(walls) - 1, min(MANY, len(walls))).astype(int)]
    middle = points.mean(axis=0)
    field, known = wall_distances(old), old.grid != UNKNOWN
    near = cv2.dilate(known.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    ground = ReferenceMap(old, field, near)
    fits = sorted((refine(ground, points, middle, at) for at in search_grid(old, field, points, middle)), reverse=True)
    score, best = fits[0]
    if score < GOOD or any(apart(at, best) and other > ALIKE * score for other, at in fits[1:]):
        raise no_match()
    dx, dy, yaw = best
    c, s = math.cos(yaw), math.sin(yaw)
    x, y = middle[0] + dx - (middle[0] * c - middle[1] * s), middle[1] + dy - (middle[0] * s + middle[1] * c)
    far = math.hypot(dx, dy)
    return Move(0.0, 0.0, 0.0) if far < LITTLE_M and abs(yaw) < LITTLE_RAD else Move(float(x), float(y), yaw)


def no_match() -> RobotRefusal:
    return RobotRefusal(RelayCode.CONFLICT, "map_not_matched", "The new map does not fit the old one", "name")


def apart(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return math.dist(a[:2], b[:2]) > APART_M or abs(a[2] - b[2]) > APART_RAD


def rotate(points: Array, middle: Array, at: tuple[float, float, float]) -> Array:
    """The points turned about their middle by each angle, and moved."""
    c, s = math.cos(at[2]), math.sin(at[2])
    x, y = (points - middle).T
    return np.stack([x * c - y * s + middle[0] + at[0], x * s + y * c + middle[1] + at[1]], 1)


def search_grid(
    old: Floor, field: NDArray[np.float32], points: Array, middle: Array
) -> list[tuple[float, float, float]]:
    """The moves and turns of a grid that fit best."""
    rim = math.ceil((2 * AROUND_M + 1) / old.resolution)
    likelihood = np.pad(np.exp(-0.5 * (field / WIDE_M) ** 2), rim)
    few = points[:: max(1, len(points) // FEW)]
    steps = np.arange(-AROUND_M, AROUND_M + STEP_M / 2, STEP_M)
    moves = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    here = old.to_vertices(np.zeros((1, 2)))
    shifts = np.rint(old.to_vertices(moves) - here).astype(int)
    candidates: list[tuple[float, tuple[float, float, float]]] = []
    for yaw in np.arange(-AROUND_RAD, AROUND_RAD + STEP_RAD / 2, STEP_RAD).tolist():
        cells = np.floor(old.to_vertices(rotate(few, middle, (0.0, 0.0, yaw)))).astype(int) + rim
        c, r = (cells[None] + shifts[:, None]).transpose(2, 0, 1)
        scores = likelihood[r.clip(0, likelihood.shape[0] - 1), c.clip(0, likelihood.shape[1] - 1)].mean(axis=1)
        best = np.argpartition(scores, -BEST)[-BEST:]
        candidates += [(float(scores[n]), (float(moves[n, 0]), float(moves[n, 1]), yaw)) for n in best]
    starts: list[tuple[float, float, float]] = []
    for _, at in sorted(candidates, reverse=True):
        if all(math.dist(at[:2], k[:2]) > 2 * STEP_M or abs(at[2] - k[2]) > 2 * STEP_RAD for k in starts):
            starts.append(at)
        if len(starts) == BEST:
            break
    return starts


@dataclass(frozen=True)
class ReferenceMap:
    """The old map: metres from its walls, and where it knows something."""

    floor: Floor
    field: NDArray[np.float32]
    near: NDArray[np.bool_]


def refine(
    ground: ReferenceMap, points: Array, middle: Array, at: tuple[float, float, float]
) -> tuple[float, tuple[float, float, float]]:
    """Better and better by small steps; walls where the old map knows nothing do not count."""
    field, near = ground.field, ground.near
    height, width = field.shape

    def score(pose: tuple[float, float, float]) -> float:
        cells = np.floor(ground.floor.to_vertices(rotate(points, middle, pose))).astype(int)
        inside = (cells >= 0).all(axis=1) & (cells[:, 0] < width) & (cells[:, 1] < height)
        c, r = cells[inside].T
        c, r = c[near[r, c]], r[near[r, c]]
        return float(np.exp(-0.5 * (field[r, c] / NARROW_M) ** 2).mean()) if len(c) > len(points) / 3 else 0.0

    best = score(at)
    for metres, radians in STEPS:
        for _ in range(CLIMBS):
            around = [
                (at[0] + i * metres, at[1] + j * metres, at[2] + k * radians)
                for i in (-1, 0, 1)
                for j in (-1, 0, 1)
                for k in (-1, 0, 1)
            ]
            top, where = max((score(pose), pose) for pose in around)
            if top <= best + NO_BETTER:
                break
            best, at = top, where
    return best, at
