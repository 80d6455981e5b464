"""A floor's map is built anew: the new one takes the place and the frame of the old, and what was drawn on that.

Rules: the frame stays, so marks, tasks and paths keep their places; a mark stays where the floor round it is as it was,
seen by how far the walls are; one whose floor has changed, or was not seen, is dropped and reported. The map as it was
stays among the versions. A new map that does not fit the old is not put in its place.
"""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from lustra.protocol.bus import Eraser, Flag, Zone
from lustra.robot.maps.alignment import Move, find_move, solid_cells
from lustra.robot.maps.floor import FREE, UNKNOWN, Floor

Array = NDArray[np.float64]
M = TypeVar("M", Flag, Zone, Eraser)
LOOK_M = 1.0  # walls farther off say nothing
SLACK_M = 0.15  # so much may their distance differ
STEP_M = 0.1  # between samples along a line
GRID_M = 0.25  # and within a zone
MOST_WRONG = 0.08
LONGEST_WRONG_M = 0.5
RINGS = (0.0, 0.3, 0.6)  # m round a point
CHANGED = "floor_changed"
UNSEEN = "floor_unseen"
SHAPES = ("virtual_walls", "forbidden_zones", "free_areas")
CLOSED = ("forbidden_zones", "free_areas")


@dataclass(frozen=True)
class Rebuilt:
    floor: Floor
    move: Move
    carried: int
    dropped: list[dict[str, str]]


def rebuild(old: Floor, new: Floor) -> Rebuilt:
    move = find_move(old, new)
    base = replace(
        new,
        name=old.name,
        origin=move.pose(*new.origin),
        building=old.building,
        floor=old.floor,
        hours=old.hours,
        revision=old.revision + 1,
    )
    carried: dict[str, Any] = {}
    left: list[dict[str, str]] = []

    def sort(eyes: MapComparison, kind: str, marks: list[M]) -> list[M]:
        carried[kind] = []
        for mark in marks:
            if why := eyes.reason_to_drop(mark, closed=kind in CLOSED):
                left.append({"kind": kind, "name": mark.name, "reason": why})
            else:
                carried[kind].append(mark)
        return carried[kind]

    strokes = sort(
        MapComparison(replace(old, erasers=[]), base), "erasers", old.erasers
    )  # what they erase, if it is still there
    eyes = MapComparison(old, replace(base, erasers=strokes))
    sort(eyes, "flags", old.flags)
    for kind in SHAPES:
        sort(eyes, kind, getattr(old, kind))
    return Rebuilt(replace(base, **carried), move, sum(map(len, carried.values())), left)


class MapComparison:
    """Distance from a place to the nearest wall, on the old map and on the new."""

    def __init__(self, old: Floor, new: Floor) -> None:
        self.old, self.new = old, new
        self.far = {id(floor): distances(floor) for floor in (old, new)}

    def wall_distance(self, floor: Floor, points: Array) -> Array:
        """Metres to the nearest wall, at most LOOK_M; NaN where the map knows nothing."""
        field = self.far[id(floor)]
        cells = np.floor(floor.to_vertices(points)).astype(int)
        inside = (cells >= 0).all(axis=1) & (cells[:, 0] < field.shape[1]) & (cells[:, 1] < field.shape[0])
        c, r = np.where(inside[:, None], cells, 0).T
        return np.where(inside, field[r, c], np.nan)

    def reason_to_drop(self, mark: Flag | Zone, *, closed: bool) -> str:
        """Why the mark cannot stay: a reason of the catalogue, or nothing."""
        if isinstance(mark, Flag):
            return self.compare_flag(mark)
        ring = [*mark.points, *mark.points[:1]] if closed else mark.points
        line = line_samples(np.array(ring, np.float64))
        within = inside_samples(mark.points) if closed else np.empty((0, 2))
        return self.compare(line) or (self.compare(within, runs=False) if len(within) else "")

    def compare_flag(self, mark: Flag) -> str:
        turns = np.arange(8) * (np.pi / 4)
        ring = [np.array([[mark.x, mark.y]])]
        ring += [np.stack([mark.x + r * np.cos(turns), mark.y + r * np.sin(turns)], 1) for r in RINGS[1:]]
        return self.compare(np.concatenate(ring), runs=False)

    def compare(self, points: Array, *, runs: bool = True) -> str:
        before, now = self.wall_distance(self.old, points), self.wall_distance(self.new, points)
        known = ~np.isnan(before)
        if not known.any():
            return UNSEEN
        off = known & ~(np.abs(before - now) <= SLACK_M)
        row = longest_run(off) * STEP_M if runs else 0.0
        if off.sum() <= MOST_WRONG * known.sum() and row <= LONGEST_WRONG_M:
            return ""
        return UNSEEN if np.isnan(now[off]).mean() > 1 / 2 else CHANGED


def distances(floor: Floor) -> NDArray[np.float64]:
    walls = solid_cells(floor)
    far = cv2.distanceTransform((~walls).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE) * floor.resolution
    clipped = np.minimum(far, LOOK_M).astype(np.float64)
    unseen = (floor.grid == UNKNOWN) & (cv2.dilate((floor.grid == FREE).astype(np.uint8), np.ones((5, 5))) == 0)
    clipped[unseen] = np.nan
    return clipped


def line_samples(points: Array) -> Array:
    """Samples along a line."""
    far = np.concatenate([[0.0], np.hypot(*np.diff(points, axis=0).T).cumsum()])
    at = np.arange(0.0, far[-1] + STEP_M, STEP_M)
    return np.stack([np.interp(at, far, points[:, k]) for k in (0, 1)], 1)


def inside_samples(points: list[tuple[float, float]]) -> Array:
    """Samples within a polygon."""
    ring = np.array(points, np.float32)
    (x0, y0), (x1, y1) = ring.min(axis=0).tolist(), ring.max(axis=0).tolist()
    grid = np.stack(np.meshgrid(np.arange(x0, x1, GRID_M), np.arange(y0, y1, GRID_M)), -1).reshape(-1, 2)
    return grid[shapely.contains_xy(shapely.Polygon(ring), *grid.T)]


def longest_run(off: NDArray[np.bool_]) -> int:
    """How many true values follow one another at most."""
    best = now = 0
    for off_here in off.tolist():
        now = now + 1 if off_here else 0
        best = max(best, now)
    return best
