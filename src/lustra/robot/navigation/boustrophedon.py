"""Bow routes: parallel lanes there and back, a room at a time (boustrophedon cells).

Lanes lie evenly between the first and the last row of a room, never farther apart than the tool covers. A cell is a
chain of lanes each of which meets exactly one lane of the next; where lanes part or join, a new cell begins.
"""

import numpy as np

from lustra.robot.maps.floor import Cells
from lustra.robot.navigation.graph import Vertex

OVERLAP = 0.03  # m that neighbouring lanes share
Lane = tuple[int, int, int]  # row, first column, last column
SHORTEST = 2  # corners; shorter lanes are the edge pass's business


def lanes_of(room: Cells, spacing: int) -> list[list[Lane]]:
    """Lanes by row."""
    rows = np.nonzero(room.any(axis=1))[0]
    if not len(rows):
        return []
    low, high = int(rows[0]), int(rows[-1])
    count = max(1, -(-(high - low) // spacing)) + 1 if high > low else 1
    out: list[list[Lane]] = []
    for row in np.unique(np.linspace(low, high, count).round().astype(int)).tolist():
        steps = np.diff(np.concatenate([[0], room[row].astype(np.int8), [0]]))
        first, last = np.nonzero(steps == 1)[0], np.nonzero(steps == -1)[0] - 1
        out.append([(row, a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True) if b - a >= SHORTEST])
    return out


def cells_of(lanes: list[list[Lane]]) -> list[list[Lane]]:
    done: list[list[Lane]] = []
    running: list[list[Lane]] = []
    for row in lanes:
        meets = [[lane for lane in row if lane[1] <= cell[-1][2] and cell[-1][1] <= lane[2]] for cell in running]
        met = {lane: sum(lane in m for m in meets) for lane in row}
        going: list[list[Lane]] = []
        taken: set[Lane] = set()
        for cell, meeting in zip(running, meets, strict=True):
            if len(meeting) == 1 and met[meeting[0]] == 1:
                cell.append(meeting[0])
                taken.add(meeting[0])
                going.append(cell)
            else:
                done.append(cell)
        running = going + [[lane] for lane in row if lane not in taken]
    return done + running


def serpentine(cell: list[Lane], *, from_last: bool, from_right: bool) -> list[Vertex]:
    points: list[Vertex] = []
    for row, a, b in reversed(cell) if from_last else cell:
        points += [(b, row), (a, row)] if from_right else [(a, row), (b, row)]
        from_right = not from_right
    return points


def paths_over(cell: list[Lane]) -> list[list[Vertex]]:
    """The four paths over a cell."""
    return [serpentine(cell, from_last=up, from_right=right) for up in (False, True) for right in (False, True)]


def cell_paths(room: Cells, spacing: int) -> list[list[list[Vertex]]]:
    """The cells of a room, each with its paths, along the axis that needs fewer lanes."""
    along, across = lanes_of(room, spacing), lanes_of(room.T, spacing)
    if sum(map(len, across)) < sum(map(len, along)):
        turned = [paths_over(cell) for cell in cells_of(across)]
        return [[[(y, x) for x, y in path] for path in four] for four in turned]
    return [paths_over(cell) for cell in cells_of(along)]
