"""Plans a cleaning run: what of an area can be reached, and the way over all of it.

A floor's reachable cells are those that the tool covers at some pose whose centre is connected to the start and at
least one radius from obstacles and zones. Rooms come one after the other, the nearest first; in a room the nearest
lanes or edges first; ways between them keep clear as lanes do.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from lustra.protocol.geometry import XY
from lustra.robot.maps.floor import Cells, Floor
from lustra.robot.navigation import boustrophedon, edges
from lustra.robot.navigation.lattice import NEAR, TOOL, Lattice, Vertex, bends, covered_cells, walk
from lustra.robot.navigation.room_segmentation import rooms
from lustra.robot.navigation.sweep import sweep

Route = Literal["bow", "spiral", "edge"]
START_WITHIN = 0.5  # m: a start point may be drawn so far from where the robot's centre can be
INSIDE = 0.25  # m that the robot's centre stays inside an open edge of the area; the tool reaches a little farther
MARGIN = 16  # corners round the places that are looked at: more than the tool reaches
FIRST_LOOK = 4.0  # m within which the next lanes are looked for first


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
    outside[1:] |= outside[:-1].copy()
    outside[:, 1:] |= outside[:, :-1].copy()
    far = cv2.distanceTransform((~outside).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    places = part & (far * floor.resolution >= INSIDE)
    within = np.pad(cells, ((0, 1), (0, 1)))
    return places & (within | np.roll(within, 1, 0) | np.roll(within, 1, 1))


Job = list[list[Vertex]]  # one piece of work and the ways to drive it


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
        jobs: list[Job]
        if route == "spiral":
            jobs = [[ring] for ring in edges.rings(lattice, room, spacing, at)]
        else:
            jobs = [
                [[(x + x0, y + y0) for x, y in path] for path in job] for job in boustrophedon.cell_paths(room, spacing)
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
        owner = next((n for n, room in enumerate(split) if room[y - y0, x - x0]), 0)
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


def connect_jobs(lattice: Lattice, start: Vertex, rooms: list[list[Job]]) -> list[Vertex]:
    """One way over all jobs: always the nearest next one, a room to its end."""
    graph = lattice.graph(2)
    ends: dict[Vertex, int | None] = {}
    for room in rooms:
        for job_path in (job_path for job in room for job_path in job):
            if job_path[0] not in ends:
                ends[job_path[0]] = lattice.join(job_path[0], graph)
    path, at = [start], start
    todo = [list(room) for room in rooms if room]
    here: list[Job] = []
    while todo or here:
        choice = here or [job for room in todo for job in room]
        next_job = nearest_job(lattice, at, choice, ends)
        if next_job is None:  # no coarse way leads there: leave it to the fine graph, nearest by eye
            next_job = nearest_by_sight(lattice, at, choice)
        if next_job is None:
            if here:
                here = []
            else:
                break
            continue
        job, job_path, link = next_job
        if not here:
            n = next(i for i, room in enumerate(todo) if any(j is job for j in room))
            here = todo.pop(n)
        here = [j for j in here if j is not job]
        path += link[1:]
        path += with_detours(lattice, job_path)[1:]
        at = path[-1]
    return bends(path)


def with_detours(lattice: Lattice, path: list[Vertex]) -> list[Vertex]:
    """A job's way, with detours where two of its lanes do not see each other's ends."""
    if isinstance(path, edges.Contour):
        return path
    out = [path[0]]
    for p in path[1:]:
        step = lattice.path(out[-1], p)
        if step is None:
            continue
        out += step[1:]
    return out


NextJob = tuple[Job, list[Vertex], list[Vertex]]


def nearest_job(lattice: Lattice, at: Vertex, jobs: list[Job], ends: dict[Vertex, int | None]) -> NextJob | None:
    far_off, next_job, next_way = min(((math.dist(at, w[0]), job, w) for job in jobs for w in job), key=lambda o: o[0])
    if far_off * lattice.resolution <= FIRST_LOOK and lattice.sees(at, next_way[0]):
        return next_job, next_way, [at, next_way[0]]  # no way is shorter than the straight one to what lies nearest
    graph = lattice.graph(2)
    source = lattice.join(at, graph)
    if source is None:
        return None
    options = [(ends[path[0]], job, path) for job in jobs for path in job if ends[path[0]] is not None]
    nodes = np.array([node for node, _, _ in options], np.int64)
    limit = FIRST_LOOK / lattice.resolution
    while options:
        far, before = dijkstra(graph.links, indices=source, return_predecessors=True, limit=limit)
        best = int(far[nodes].argmin())
        if np.isfinite(far[nodes[best]]):
            node, job, path = options[best]
            return job, path, lattice.pull(at, walk(graph, before, int(node or 0)), path[0])
        if math.isinf(limit):
            break
        limit = limit * 4 if limit < 1000 else math.inf  # noqa: PLR2004  (corners; beyond that look everywhere)
    return None


def nearest_by_sight(lattice: Lattice, at: Vertex, jobs: list[Job]) -> NextJob | None:
    options = sorted(
        ((math.dist(at, path[0]), n, path) for n, job in enumerate(jobs) for path in job), key=lambda o: o[0]
    )
    for _, n, path in options:
        link = lattice.path(at, path[0])
        if link is not None:
            return jobs[n], path, link
    return None
