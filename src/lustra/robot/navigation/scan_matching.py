"""Finds a robot's place by what its lidar sees: the scan is laid over the map at many poses, the best are refined.

Rules: only poses within the window where a robot can stand; a fit that is too poor is none, and one that two places
share is none either: the robot says so and stays unconfirmed.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.robot.maps.floor import FREE, Floor
from lustra.robot.navigation.lattice import RADIUS, Lattice
from lustra.robot.navigation.lidar import RANGE

Array = NDArray[np.float64]
Pose = tuple[float, float, float]
GRID_M = 0.2  # between places of the first look
TURNS = 72  # its directions
FEW = 36  # its beams
BEAMS = 90
LEAST_BEAMS = 30
# How far an echo may lie from a wall and still speak for a pose
WIDE_M = 0.25
NARROW_M = 0.08
BEST = 24  # poses that are refined
GOOD = 0.75
SLACK_M = 0.2  # that the pose may lie outside its window
APART_M = 0.6
APART_RAD = 0.6
NEXT_RAD = 0.2  # and GRID_M: poses nearer than that are one start
NO_BETTER = 1e-6
ALIKE = 0.97  # of the best: another place that fits so well cannot be distinguished from it


@dataclass(frozen=True)
class Fit:
    pose: Pose
    score: float


class NoFit(Exception):
    """`reason` is a catalogue key."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def wall_distances(floor: Floor) -> NDArray[np.float32]:
    """Metres from each cell to the nearest face of an obstacle (not zones and virtual walls: light goes through), with
    a border of nothing as far as the lidar reaches."""
    solid = np.pad((floor.grid != FREE).astype(np.uint8), 1, constant_values=1)
    face = (solid > 0) & (cv2.erode(solid, np.ones((3, 3), np.uint8), borderValue=1) == 0)
    d = cv2.distanceTransform((~face).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1]
    return np.pad((d * floor.resolution).astype(np.float32), border(floor), constant_values=np.inf)


def border(floor: Floor) -> int:
    return math.ceil(RANGE / floor.resolution) + 2


def likelihood(field: NDArray[np.float32], width_m: float) -> NDArray[np.float32]:
    """How much an echo in each cell speaks for the pose that it is seen from."""
    return np.exp(-0.5 * (field / width_m) ** 2)


def match_scan(floor: Floor, lattice: Lattice, ranges: Array, window: tuple[float, float, float, float] | None) -> Fit:
    """The pose from which the map would look like the scan. window: x, y of its lower left corner, width, height."""
    seen = np.nonzero(ranges > 0)[0]
    if len(seen) < LEAST_BEAMS:
        raise NoFit("localization_blind", "The lidar sees too little")
    chosen = seen[np.linspace(0, len(seen) - 1, min(BEAMS, len(seen))).astype(int)]
    angles = chosen * (2 * math.pi / len(ranges)) - math.pi
    echoes = np.stack([ranges[chosen] * np.cos(angles), ranges[chosen] * np.sin(angles)], 1) / floor.resolution
    places = standing_places(floor, lattice, window)
    if not len(places):
        raise NoFit("localization_window", "The robot cannot stand in this window")
    field = wall_distances(floor)
    starts = coarse_search(likelihood(field, WIDE_M), floor, places, echoes)
    best = refine(likelihood(field, NARROW_M), floor, echoes, starts)
    best = [fit for fit in best if window is None or inside_window(fit.pose, window)]
    if not best or best[0].score < GOOD:
        raise NoFit("localization_failed", "What the robot sees does not fit the map there")
    if any(apart(fit.pose, best[0].pose) and fit.score > ALIKE * best[0].score for fit in best[1:]):
        raise NoFit("localization_ambiguous", "Several places look alike")
    return best[0]


def inside_window(pose: Pose, window: tuple[float, float, float, float]) -> bool:
    x, y, w, h = window
    return x - SLACK_M <= pose[0] <= x + w + SLACK_M and y - SLACK_M <= pose[1] <= y + h + SLACK_M


def standing_places(floor: Floor, lattice: Lattice, window: tuple[float, float, float, float] | None) -> Array:
    """Places on a grid in the window (column, row), where a robot can stand."""
    step = max(1, round(GRID_M / floor.resolution))
    rows, columns = np.nonzero(lattice.distance[::step, ::step] >= RADIUS * 0.6)
    places = np.stack([columns, rows], 1).astype(np.float64) * step
    if window is None:
        return places
    x, y, w, h = window
    at = floor.to_metres(places)
    return places[(at[:, 0] >= x) & (at[:, 0] <= x + w) & (at[:, 1] >= y) & (at[:, 1] <= y + h)]


def rotate(echoes: Array, yaw: float) -> Array:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.stack([echoes[:, 0] * c - echoes[:, 1] * s, echoes[:, 0] * s + echoes[:, 1] * c], 1)


def coarse_search(field: NDArray[np.float32], floor: Floor, places: Array, echoes: Array) -> list[tuple[Array, float]]:
    """The best of all places and directions, one of each neighbourhood."""
    few, width = echoes[:: max(1, len(echoes) // FEW)], field.shape[1]
    flat, whole = field.ravel(), np.round(places).astype(np.int64)
    at = (whole[:, 1] + border(floor)) * width + whole[:, 0] + border(floor)
    candidates: list[tuple[float, int, float]] = []
    for yaw in np.arange(TURNS) * (2 * math.pi / TURNS):
        columns, rows = np.floor(rotate(few, yaw)).astype(np.int64).T
        score = np.zeros(len(at), np.float32)
        for step in (rows * width + columns).tolist():
            score += flat[at + step]
        top = np.argpartition(score, -min(BEST, len(score)))[-BEST:]
        candidates += [(float(score[n]), int(n), float(yaw)) for n in top]
    starts: list[tuple[Array, float]] = []
    for _, n, yaw in sorted(candidates, reverse=True):
        pose = (*places[n] * floor.resolution, yaw)
        if all(apart(pose, (*p * floor.resolution, t), GRID_M * 1.5, NEXT_RAD) for p, t in starts):
            starts.append((places[n], yaw))
            if len(starts) == BEST:
                break
    return starts


STEPS = ((0.1, 0.05), (0.05, 0.02), (0.025, 0.01), (0.0125, 0.004))  # m and rad of the climb, ever finer
ROUND = [np.array([dx, dy, dt]) for dx in (-1, 0, 1) for dy in (-1, 0, 1) for dt in (-1, 0, 1)]
CLIMBS = 12


def refine(field: NDArray[np.float32], floor: Floor, echoes: Array, starts: list[tuple[Array, float]]) -> list[Fit]:
    """Each start climbs while a small step fits better; the best first."""

    def score(pose: Array) -> float:
        cells = np.floor(pose[:2] + rotate(echoes, float(pose[2]))).astype(np.int64) + border(floor)
        return float(field[cells[:, 1].clip(0, field.shape[0] - 1), cells[:, 0].clip(0, field.shape[1] - 1)].mean())

    fits: list[Fit] = []
    for place, yaw in starts:
        pose = np.array([*place, yaw])
        best = score(pose)
        for step_m, step_rad in STEPS:
            step = np.array([step_m / floor.resolution, step_m / floor.resolution, step_rad])
            for _ in range(CLIMBS):
                tries = [(score(pose + d * step), n) for n, d in enumerate(ROUND)]
                top, n = max(tries)
                if top <= best + NO_BETTER:
                    break
                best, pose = top, pose + ROUND[n] * step
        x, y = floor.to_metres(pose[:2])[0].tolist()
        fits.append(Fit((x, y, math.remainder(float(pose[2]) + floor.origin[2], 2 * math.pi)), best))
    return sorted(fits, key=lambda fit: -fit.score)


def apart(a: Pose, b: Pose, far: float = APART_M, turned: float = APART_RAD) -> bool:
    return math.dist(a[:2], b[:2]) > far or abs(math.remainder(a[2] - b[2], 2 * math.pi)) > turned
