"""Finds a robot's place by what its lidar sees: the scan is laid over the map at many poses, the best are refined.

Rules: only poses within the window where a robot can stand; a fit that is too poor is none, and one that two places
share is none either: the robot says so and stays unconfirmed.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.robot.floor import FREE, Floor
from lustra.robot.lattice import RADIUS, Lattice

Array = NDArray[np.float64]
Pose = tuple[float, float, float]
GRID_M, TURNS = 0.2, 72  # of the first look
BEAMS, LEAST_BEAMS = 90, 30
WIDE_M, NARROW_M = 0.25, 0.08  # how far an echo may lie from a wall and still speak for a pose
BEST = 24  # poses that are refined
GOOD = 0.62
APART_M, APART_RAD = 0.6, 0.6
NEXT_RAD = 0.2  # and GRID_M: poses nearer than that are one start
ALIKE = 0.97  # of the best: another place that fits so well cannot be told from it


@dataclass(frozen=True)
class Fit:
    pose: Pose
    score: float


class NoFit(Exception):
    """`reason` is a catalogue key."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def walls(floor: Floor) -> NDArray[np.float32]:
    """Metres from each cell to the nearest face of an obstacle (not zones and virtual walls: light goes through)."""
    solid = np.pad((floor.grid != FREE).astype(np.uint8), 1, constant_values=1)
    face = (solid > 0) & (cv2.erode(solid, np.ones((3, 3), np.uint8), borderValue=1) == 0)
    d = cv2.distanceTransform((~face).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return (d[1:-1, 1:-1] * floor.resolution).astype(np.float32)


def found(floor: Floor, lattice: Lattice, ranges: Array, window: tuple[float, float, float, float] | None) -> Fit:
    """The pose from which the map would look like the scan. window: x, y of its lower left corner, width, height."""
    seen = np.nonzero(ranges > 0)[0]
    if len(seen) < LEAST_BEAMS:
        raise NoFit("localization_blind", "The lidar sees too little")
    chosen = seen[np.linspace(0, len(seen) - 1, min(BEAMS, len(seen))).astype(int)]
    angles = chosen * (2 * math.pi / len(ranges)) - math.pi
    echoes = np.stack([ranges[chosen] * np.cos(angles), ranges[chosen] * np.sin(angles)], 1) / floor.resolution
    places = standing(floor, lattice, window)
    if not len(places):
        raise NoFit("localization_window", "The robot cannot stand in this window")
    field = walls(floor)
    best = refined(field, floor, echoes, coarse(field, floor, places, echoes))
    if best[0].score < GOOD:
        raise NoFit("localization_failed", "What the robot sees does not fit the map there")
    if any(apart(fit.pose, best[0].pose) and fit.score > ALIKE * best[0].score for fit in best[1:]):
        raise NoFit("localization_ambiguous", "Several places look alike")
    return best[0]


def standing(floor: Floor, lattice: Lattice, window: tuple[float, float, float, float] | None) -> Array:
    """Places on a grid in the window (column, row), where a robot can stand."""
    step = max(1, round(GRID_M / floor.resolution))
    rows, columns = np.nonzero(lattice.distance[::step, ::step] >= RADIUS * 0.6)
    places = np.stack([columns, rows], 1).astype(np.float64) * step
    if window is None:
        return places
    x, y, w, h = window
    at = floor.to_metres(places)
    return places[(at[:, 0] >= x) & (at[:, 0] <= x + w) & (at[:, 1] >= y) & (at[:, 1] <= y + h)]


def speaks(field: NDArray[np.float32], cells: NDArray[np.int32], width_m: float) -> Array:
    """How well echoes fit: mean over the last axis but one; what falls off the map speaks against it."""
    inside = (cells >= 0).all(-1) & (cells[..., 0] < field.shape[1]) & (cells[..., 1] < field.shape[0])
    c, r = np.moveaxis(np.where(inside[..., None], cells, 0), -1, 0)
    near = np.where(inside, np.exp(-0.5 * (field[r, c] / width_m) ** 2), 0.0)
    return near.mean(-1)


def turned(echoes: Array, yaw: float) -> Array:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.stack([echoes[:, 0] * c - echoes[:, 1] * s, echoes[:, 0] * s + echoes[:, 1] * c], 1)


def coarse(field: NDArray[np.float32], floor: Floor, places: Array, echoes: Array) -> list[tuple[float, Array, float]]:
    few = echoes[:: max(1, len(echoes) // 45)]
    tried: list[tuple[float, int, float]] = []
    for yaw in np.arange(TURNS) * (2 * math.pi / TURNS):
        cells = np.floor(places[:, None, :] + turned(few, yaw)[None]).astype(np.int32)
        score = speaks(field, cells, WIDE_M)
        top = np.argsort(score)[-BEST:]
        tried += [(float(score[n]), int(n), float(yaw)) for n in top]
    tried.sort(reverse=True)
    kept: list[tuple[float, Array, float]] = []
    for score, n, yaw in tried:  # one of each neighbourhood
        at = (*places[n] * floor.resolution, yaw)
        if all(apart(at, (*p * floor.resolution, t), GRID_M * 1.5, NEXT_RAD) for _, p, t in kept):
            kept.append((score, places[n], yaw))
            if len(kept) == BEST:
                break
    return kept


def refined(
    field: NDArray[np.float32], floor: Floor, echoes: Array, starts: list[tuple[float, Array, float]]
) -> list[Fit]:
    """Each start climbs while a small step fits better; the best first."""
    fits: list[Fit] = []
    for _, place, yaw in starts:
        at, turn = place, yaw
        score = float(speaks(field, np.floor(at + turned(echoes, turn)).astype(np.int32), NARROW_M))
        for step_m, step_rad in ((0.1, 0.05), (0.05, 0.02), (0.025, 0.01), (0.0125, 0.004)):
            step = step_m / floor.resolution
            for _ in range(12):
                tries = [
                    (at + np.array([dx, dy]) * step, turn + dt * step_rad)
                    for dx in (-1, 0, 1) for dy in (-1, 0, 1) for dt in (-1, 0, 1)
                ]  # fmt: skip
                cells = np.floor(np.stack([p + turned(echoes, t) for p, t in tries])).astype(np.int32)
                scores = speaks(field, cells, NARROW_M)
                n = int(scores.argmax())
                if scores[n] <= score + 1e-9:
                    break
                score, (at, turn) = float(scores[n]), tries[n]
        x, y = floor.to_metres(at)[0].tolist()
        fits.append(Fit((x, y, math.remainder(turn + floor.origin[2], 2 * math.pi)), score))
    return sorted(fits, key=lambda fit: -fit.score)


def apart(a: Pose, b: Pose, far: float = APART_M, turned: float = APART_RAD) -> bool:
    return math.dist(a[:2], b[:2]) > far or abs(math.remainder(a[2] - b[2], 2 * math.pi)) > turned
