"""Plans a cleaning run: what of an area can be reached, and the way over all of it.

A floor's reachable cells are those that the tool covers at some pose whose centre is connected to the start and at
least one radius from obstacles and zones. Rooms come one after the other, the nearest first; in a room the nearest
lanes or edges first; ways between them keep clear as lanes do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.protocol.geometry import XY
from lustra.robot.maps.floor import Cells, Floor
from lustra.robot.navigation import boustrophedon, edges
from lustra.robot.navigation.lattice import NEAR, TOOL, Lattice, bends, covered_cells
from lustra.robot.navigation.room_segmentation import rooms
from lustra.robot.navigation.sweep import sweep
from lustra.robot.navigation.tour import Job, connect_jobs

if TYPE_CHECKING:
    from lustra.robot.navigation.graph import Vertex

Route = Literal["bow", "spiral", "edge"]
START_WITHIN = 0.5  # m: a start point may be drawn so far from where the robot's centre can be
INSIDE = 0.25  # m that the robot's centre stays inside an open edge of the area; the tool reaches a little farther
MARGIN = 16  # corners round the places that are looked at: more than the tool reaches


class NoPath(Exception):
    """`reason` is a catalogue key."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True)
class Plan:
    path: NDArray[np.float64]  # metres in the map frame
    area: Cells  # free floor that was asked for
    reachable: Cells  # what of it the tool can reach

    @property
    def length(self) -> float:
        return float(np.hypot(*np.diff(self.path, axis=0).T).sum())


def plan(floor: Floor, lattice: Lattice, ring: list[XY], start: XY, route: Route) -> Plan:
    return cover(floor, lattice, floor.cells_inside(ring), start, route)


def cover(floor: Floor, lattice: Lattice, cells: Cells, start: XY, route: Route) -> Plan:
    """The way over all of these cells that the tool can reach from the start."""
    area = cells & ~floor.blocked
    began = lattice.nearest(floor.to_vertices([start])[0], START_WITHIN)
    if began is None:
        raise NoPath("task_start_unreachable", "The robot cannot stand at the start point")
    part = lattice.part(began)
    reachable = covered_cells(part, floor.resolution) & area
    if not reachable.any():
        raise NoPath("path_not_solved", "The robot cannot reach the area from the start point")
    places = standing_places(part, cells, floor)
    if route == "edge":
        area = reachable = reachable & edges.edge_strip(floor)
        if not reachable.any():
            raise NoPath("path_not_solved", "The area has no wall that the robot can reach")
        jobs = plan_edges(lattice, places, reachable)
    else:
        jobs = plan_rooms(lattice, places, reachable, route)
    path = connect_jobs(lattice, began, jobs)
    return Plan(floor.to_metres(np.array(path)), area, reachable)


def follow(floor: Floor, lattice: Lattice, line: Sequence[XY]) -> Plan:
    """A hand-drawn line: driven as it is drawn where that keeps clear, else round what stands in the way."""
    stops = [lattice.nearest(at, START_WITHIN) for at in floor.to_vertices(line)]
    path: list[Vertex] = []
    for stop in stops:
        leg = lattice.path(path[-1], stop) if path and stop else [stop] if stop else None
        if leg is None:
            raise NoPath("path_blocked", "The robot cannot drive along this path")
        path += leg[1:] if path else leg
    driven = floor.to_metres(np.array(bends(path)))
    swept = sweep(floor, driven) & ~floor.blocked
    return Plan(driven, swept, swept)


def standing_places(part: Cells, cells: Cells, floor: Floor) -> Cells:
    """Corners from which the area is cleaned: inside its open edges, by walls as near as the radius lets."""
    outside = np.pad(~cells & ~floor.blocked, ((0, 1), (0, 1)))
    places = part
    if outside.any():
        outside[1:] |= outside[:-1].copy()
        outside[:, 1:] |= outside[:, :-1].copy()
        far = cv2.distanceTransform((~outside).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
        places = part & (far * floor.resolution >= INSIDE)
    within = np.pad(cells, ((0, 1), (0, 1)))
    return places & (within | np.roll(within, 1, 0) | np.roll(within, 1, 1))


def plan_rooms(lattice: Lattice, places: Cells, reachable: Cells, route: Route) -> list[list[Job]]:
    """Rooms, each with its jobs: lanes or rings first, then the edges that clean what they left. Works in a window
    round the places, however large the floor is."""
    spacing = max(1, int((TOOL - boustrophedon.OVERLAP) / lattice.resolution + NEAR))
    (y0, y1), (x0, x1) = (span(np.asarray(places.any(axis=axis)), MARGIN) for axis in (1, 0))
    window, at = places[y0:y1, x0:x1], (x0, y0)
    out: list[list[Job]] = []
    done = np.zeros(window.shape, np.uint8)
    split = rooms(window, lattice.distance[y0:y1, x0:x1], lattice.resolution)
    for room in split:
        first = room.at[0] + x0, room.at[1] + y0
        jobs: list[Job]
        if route == "spiral":
            jobs = [[ring] for ring in edges.rings(lattice, room.cells, spacing, first)]
        else:
            jobs = [
                [[(x + first[0], y + first[1]) for x, y in path] for path in job]
                for job in boustrophedon.cell_paths(room.cells, spacing)
            ]
        out.append(jobs)
        drawn = [np.array(job[0], np.int32).reshape(-1, 1, 2) - at for job in jobs]
        cv2.polylines(done, drawn, isClosed=False, color=1)
    left = np.zeros(window.shape, np.bool_)
    in_window = reachable[y0:y1, x0:x1]
    left[: in_window.shape[0], : in_window.shape[1]] = in_window
    left = left[:-1, :-1] & ~covered_cells((done > 0) & window, lattice.resolution)
    for piece in edges.pieces(lattice, window, left, at):
        x, y = piece[len(piece) // 2]
        owner = next((n for n, room in enumerate(split) if room.holds((x - x0, y - y0))), 0)
        out[owner].append([piece, piece.back()])
    return out


def plan_edges(lattice: Lattice, places: Cells, strip: Cells) -> list[list[Job]]:
    """The walls of the area, as near as the radius lets; works in a window as `laid_out` does."""
    (y0, y1), (x0, x1) = (span(np.asarray(places.any(axis=axis)), MARGIN) for axis in (1, 0))
    window = places[y0:y1, x0:x1]
    left = np.zeros((window.shape[0] - 1, window.shape[1] - 1), np.bool_)
    in_window = strip[y0 : y1 - 1, x0 : x1 - 1]
    left[: in_window.shape[0], : in_window.shape[1]] = in_window
    return [[[piece, piece.back()] for piece in edges.pieces(lattice, window, left, (x0, y0))]]


def span(used: NDArray[np.bool_], margin: int) -> tuple[int, int]:
    """From the first to behind the last that is set, with a margin."""
    numbers = np.nonzero(used)[0]
    return (max(0, int(numbers[0]) - margin), min(len(used), int(numbers[-1]) + 1 + margin)) if len(numbers) else (0, 1)
