"""One way over all jobs of a run: always the nearest next one by the way there, a room to its end."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lustra.robot.navigation.edges import Contour
from lustra.robot.navigation.graph import Vertex
from lustra.robot.navigation.lattice import Lattice, bends
from lustra.robot.navigation.roadmap import NOWHERE, Roadmap

Job = list[list[Vertex]]  # one piece of work and the ways to drive it
IN_SIGHT = 4.0  # m within which the nearest job is taken as soon as it is seen
FIRST_LOOK = 1.0  # m beyond the straight way to the nearest job that are looked through first
FARTHEST_LOOK = 40.0  # m: what lies beyond is looked for on the whole floor


@dataclass(frozen=True)
class Agenda:
    """The ways to drive all jobs, one a row: of which job and room it is, and where it begins."""

    ways: list[list[Vertex]]
    job: NDArray[np.int64]
    room: NDArray[np.int64]
    begins: NDArray[np.int64]
    grounds: NDArray[np.int64]  # of the roadmap, at which it begins
    open: NDArray[np.bool_]  # what is still to do
    roadmap: Roadmap

    @classmethod
    def of(cls, lattice: Lattice, start: Vertex, rooms: list[list[Job]]) -> "Agenda":
        jobs = [(room, job) for room, of_room in enumerate(rooms) for job in of_room]
        rows = [(number, room, way) for number, (room, job) in enumerate(jobs) for way in job]
        ways = [way for _, _, way in rows]
        begins = np.array([way[0] for way in ways], np.int64).reshape(-1, 2)
        job, room = (np.array([row[k] for row in rows], np.int64) for k in (0, 1))
        roadmap = Roadmap.of(lattice, [start, *(end for way in ways for end in (way[0], way[-1]))])
        grounds = np.array([roadmap.grounds[way[0]] for way in ways], np.int64)
        return cls(ways, job, room, begins, grounds, np.ones(len(ways), np.bool_), roadmap)

    def rows(self, room: int) -> NDArray[np.int64]:
        """Rows of places that are still to be cleaned in a room; NOWHERE stands for all rooms."""
        return np.nonzero(self.open if room == NOWHERE else self.open & (self.room == room))[0]


def connect_jobs(lattice: Lattice, start: Vertex, rooms: list[list[Job]]) -> list[Vertex]:
    agenda = Agenda.of(lattice, start, rooms)
    path, room = [start], NOWHERE
    while len(rows := agenda.rows(room)) or room != NOWHERE:
        link = nearest_job(lattice, agenda, path[-1], rows) if len(rows) else None
        if link is None:
            if room == NOWHERE:
                break
            agenda.open[rows] = False  # no way leads to what is left of the room
            room = NOWHERE
            continue
        row, way_there = link
        room = int(agenda.room[row])
        agenda.open[agenda.job == agenda.job[row]] = False
        path += way_there[1:]
        path += with_detours(lattice, agenda.ways[row])[1:]
    return bends(path)


def with_detours(lattice: Lattice, path: list[Vertex]) -> list[Vertex]:
    """A job's way, with detours where two of its lanes do not see each other's ends: round one corner along the lanes,
    else by the short way."""
    if isinstance(path, Contour):
        return path
    out = [path[0]]
    for p in path[1:]:
        out += elbow(lattice, out[-1], p) or (lattice.path(out[-1], p) or [p])[1:]
    return out


def elbow(lattice: Lattice, a: Vertex, b: Vertex) -> list[Vertex]:
    """The way behind `a` with one right angle at most; none where it is not clear."""
    for corner in (b, (b[0], a[1]), (a[0], b[1])):
        if lattice.sees(a, corner) and lattice.sees(corner, b):
            return [corner, b]
    return []


Link = tuple[int, list[Vertex]]  # row of the agenda, and the way there


def nearest_job(lattice: Lattice, agenda: Agenda, at: Vertex, rows: NDArray[np.int64]) -> Link | None:
    """What lies nearest by the way there."""
    far_off = np.hypot(*(agenda.begins[rows] - at).T)
    first = int(rows[far_off.argmin()])
    if far_off.min() * lattice.resolution <= IN_SIGHT and lattice.sees(at, agenda.ways[first][0]):
        return first, [at, agenda.ways[first][0]]  # no way is shorter than the straight one to what lies nearest
    roadmap = agenda.roadmap
    if roadmap.grounds[at] == NOWHERE:
        return nearest_in_line(lattice, agenda, at, rows)
    limit = float(far_off.min()) + FIRST_LOOK / lattice.resolution
    while True:
        far, over = roadmap.lengths(at, limit)
        lengths = np.where(agenda.grounds[rows] >= 0, far[agenda.grounds[rows]], np.inf)
        best = int(lengths.argmin())
        if np.isfinite(lengths[best]):
            goal = agenda.ways[int(rows[best])][0]
            return int(rows[best]), lattice.pull(at, roadmap.way(over, goal), goal)
        if math.isinf(limit):
            return nearest_in_line(lattice, agenda, at, rows)
        limit = limit * 4 if limit * lattice.resolution < FARTHEST_LOOK else math.inf


def nearest_in_line(lattice: Lattice, agenda: Agenda, at: Vertex, rows: NDArray[np.int64]) -> Link | None:
    """No coarse way leads to any: by the fine graph, the nearest in a straight line first."""
    far_off = np.hypot(*(agenda.begins[rows] - at).T)
    for row in rows[far_off.argsort(kind="stable")].tolist():
        link = lattice.path(at, agenda.ways[row][0])
        if link is not None:
            return row, link
    return None
