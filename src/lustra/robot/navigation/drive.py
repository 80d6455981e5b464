"""A way in time: a differential drive that follows a line exactly, with limits on speed, acceleration and turning.

At sharp corners the robot stops and turns on the spot; through gentle ones it goes more slowly. Everything is known in
advance, so that a step of 0.1 s and a day under a virtual clock read the same timetable.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ACCELERATION = 0.6  # m/s²
TURNING = 1.4  # rad/s
SHARP = math.radians(50)
SOFT_S = 0.3  # s before and after a gentle corner in which the heading changes
SPEEDS = {"low": 0.3, "middle": 0.5, "high": 0.8}  # m/s
TRANSIT = 0.6  # m/s between jobs
TINY = 1e-9
SLOWEST = 0.1  # m/s through a gentle corner


@dataclass(frozen=True)
class Drive:
    points: Array  # metres
    lengths: Array  # m from the first point to each
    go: Array  # s at which the robot leaves each point
    arrive: Array  # s at which it comes to each
    speeds: Array  # m/s at each point
    peaks: Array  # m/s, the highest in each stretch
    knots: Array  # s
    yaws: Array  # rad at the knots, unwrapped

    @property
    def seconds(self) -> float:
        return float(self.go[-1])

    @property
    def length(self) -> float:
        return float(self.lengths[-1])

    def along(self, t: Array) -> tuple[Array, Array]:
        """Metres driven and speed at these times."""
        if len(self.points) == 1:
            return np.zeros_like(t), np.zeros_like(t)
        i = np.clip(np.searchsorted(self.go, t, side="right") - 1, 0, len(self.peaks) - 1)
        before = t < self.go[0]
        u = np.clip(t - self.go[i], 0, self.arrive[i + 1] - self.go[i])
        v0, v1, top, a = self.speeds[i], self.speeds[i + 1], self.peaks[i], ACCELERATION
        up, total = (top - v0) / a, self.arrive[i + 1] - self.go[i]
        down = total - (top - v1) / a
        rising, falling = np.minimum(u, up), np.maximum(u - down, 0)
        metres = v0 * rising + a * rising**2 / 2 + top * np.maximum(u - up, 0) - a * falling**2 / 2
        speed = np.where(
            (u >= total) | before, 0, np.where(u < up, v0 + a * u, np.where(u > down, top - a * falling, top))
        )
        return self.lengths[i] + np.where(before, 0, metres), speed

    def poses(self, t: Array) -> tuple[Array, Array, Array]:
        """x and y, yaw, and speed at these times."""
        metres, speed = self.along(t)
        xy = np.stack([np.interp(metres, self.lengths, self.points[:, k]) for k in (0, 1)], 1)
        return xy, np.interp(t, self.knots, self.yaws), speed

    def line(self, t0: float, t1: float) -> Array:
        """The line driven between two times, with the corners on it."""
        return self.leg(t0, t1)[0]

    def leg(self, t0: float, t1: float) -> tuple[Array, float, float]:
        """The same, and yaw and speed at its end."""
        metres, speeds = self.along(np.array([t0, t1]))
        first = int(np.searchsorted(self.lengths, metres[0], side="right"))
        last = int(np.searchsorted(self.lengths, metres[1], side="left"))
        ends = np.stack([np.interp(metres, self.lengths, self.points[:, k]) for k in (0, 1)], 1)
        line = np.concatenate([ends[:1], self.points[first:last], ends[1:]])
        return line, float(np.interp(t1, self.knots, self.yaws)), float(speeds[1])


def timetable(points: Array, yaw: float, speed: float, last_yaw: float | None = None) -> Drive:
    """When a robot that stands at the first point and looks along `yaw` is where."""
    points = np.asarray(points, np.float64)
    points = points[np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > TINY])]
    steps = np.diff(points, axis=0)
    stretch = np.hypot(steps[:, 0], steps[:, 1])
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    ends = [yaw if last_yaw is None and not len(headings) else (headings[-1] if last_yaw is None else last_yaw)]
    looks = np.unwrap(np.concatenate([[yaw], headings, ends]))
    turns = np.abs(np.diff(looks))  # at each point
    allowed = np.where(turns > SHARP, 0, np.maximum(SLOWEST, speed * (1 - turns / (2 * SHARP))))
    allowed[[0, -1]] = 0
    speeds = limit_speeds(allowed, stretch)
    pause = np.where(allowed > 0, 0, turns / TURNING)
    a = ACCELERATION
    peaks = np.minimum(speed, np.sqrt((2 * a * stretch + speeds[:-1] ** 2 + speeds[1:] ** 2) / 2))
    up, down = (peaks - speeds[:-1]) / a, (peaks - speeds[1:]) / a
    even = stretch - (peaks**2 * 2 - speeds[:-1] ** 2 - speeds[1:] ** 2) / (2 * a)
    seconds = up + down + np.maximum(even, 0) / np.maximum(peaks, TINY)
    go = np.cumsum(pause + np.concatenate([[0], seconds]))
    arrive = go - pause
    soft = np.where(allowed > 0, np.minimum(SOFT_S, np.minimum(np.append(seconds, 0), np.append(0, seconds)) / 2), 0)
    knots = np.stack([arrive - soft, go + soft], 1).ravel()
    yaws = np.stack([looks[:-1], looks[1:]], 1).ravel()
    return Drive(points, np.concatenate([[0], np.cumsum(stretch)]), go, arrive, speeds, peaks, knots, yaws)


def limit_speeds(allowed: Array, stretch: Array) -> Array:
    """Speeds at the points that braking and accelerating can reach."""
    v = allowed.tolist()
    for i, d in enumerate(stretch.tolist()):
        v[i + 1] = min(v[i + 1], math.sqrt(v[i] ** 2 + 2 * ACCELERATION * d))
    for i in range(len(stretch) - 1, -1, -1):
        v[i] = min(v[i], math.sqrt(v[i + 1] ** 2 + 2 * ACCELERATION * float(stretch[i])))
    return np.array(v)
