"""What a run left of its area, patch by patch: plain arrays of one grid, no database.

Rules: cells that meet at an edge are one patch; what is smaller than LEAST_M2 counts in the sums alone. A patch is
blocked where a fault of the run stands within NEAR_M of it. The area of a task that cleans a patch is wider than the
patch by MARGIN_M, so that a robot finds a place to stand in it, and begins where this robot drove past.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lustra.domains.map.api import outlines
from lustra.domains.report.cleaned import Frame
from lustra.protocol.geometry import XY, from_cell
from lustra.protocol.masks import Cells
from lustra.protocol.raster import Labels, Window, find_windows, label_cells, measure_depth

LEAST_M2 = 0.5
NEAR_M = 2.0
MARGIN_M = 0.3
MOST = 50  # patches of one kind, the largest
AGAIN = 0.5  # of a patch: an earlier run that left so much of it left the same place
DIGITS = 3  # of metres


@dataclass(frozen=True)
class Fault:
    """Of a run, where the robot stood as it was raised."""

    code: str
    x: float
    y: float


@dataclass
class Patch:
    """`cells` lie in the grid from `row` and `column` on. `at`: the cell in it that is deepest inside, in m."""

    cells: Cells
    row: int
    column: int
    area: float
    at: XY
    fault: Fault | None = None
    times: int = 1
    corners: list[XY] = field(default_factory=list[XY])
    start: XY | None = None

    @property
    def window(self) -> Window:
        height, width = self.cells.shape
        return slice(self.row, self.row + height), slice(self.column, self.column + width)


def find_patches(frame: Frame, cells: Cells) -> list[Patch]:
    """The largest first."""
    labels = label_cells(cells)
    sizes = np.bincount(labels.ravel())[1:] * frame.resolution**2
    windows = find_windows(labels)
    largest = [int(i) for i in np.argsort(-sizes, kind="stable")[:MOST] if sizes[i] >= LEAST_M2]
    return [_cut(frame, labels, windows[i], i + 1, float(sizes[i])) for i in largest]


def _cut(frame: Frame, labels: Labels, window: Window, label: int, area: float) -> Patch:
    cells = labels[window] == label
    row, column = window[0].start, window[1].start
    y, x = np.unravel_index(int(measure_depth(cells).argmax()), cells.shape)
    return Patch(cells, row, column, area, _place(frame, column + x + 0.5, row + y + 0.5))


def _place(frame: Frame, column: float, row: float) -> XY:
    x, y = from_cell(column, row, (frame.x, frame.y, frame.yaw), frame.resolution)
    return round(float(x), DIGITS), round(float(y), DIGITS)


def name_faults(frame: Frame, patches: Sequence[Patch], faults: Sequence[Fault]) -> None:
    """The nearest fault of each patch, where one is near."""
    for patch in patches:
        rows, columns = np.nonzero(patch.cells)
        middles = np.stack([columns + patch.column + 0.5, rows + patch.row + 0.5], 1) * frame.resolution
        near = NEAR_M
        for fault in faults:
            dx, dy = fault.x - frame.x, fault.y - frame.y
            cos, sin = np.cos(frame.yaw), np.sin(frame.yaw)
            at = np.array([dx * cos + dy * sin, dy * cos - dx * sin])
            distance = float(np.hypot(*(middles - at).T).min())
            if distance <= near:
                near, patch.fault = distance, fault


def count_again(patches: Sequence[Patch], earlier: Sequence[Cells]) -> None:
    """How many runs left the place of each patch: this one, and those of before."""
    for patch in patches:
        least = AGAIN * patch.cells.sum()
        patch.times += sum(int((cells[patch.window] & patch.cells).sum() >= least) for cells in earlier)


def widen(cells: Cells, steps: int) -> Cells:
    """The cells, and all that can be reached from them in so many steps over edges."""
    wide = cells.copy()
    for _ in range(steps):
        before = wide.copy()
        wide[1:] |= before[:-1]
        wide[:-1] |= before[1:]
        wide[:, 1:] |= before[:, :-1]
        wide[:, :-1] |= before[:, 1:]
    return wide


def draw_task(frame: Frame, patch: Patch, driven: Sequence[float]) -> None:
    """The corners and the start of a task that cleans the patch."""
    margin = max(1, round(MARGIN_M / frame.resolution))
    grown = widen(np.pad(patch.cells, margin), margin)
    low, left = patch.row - margin, patch.column - margin
    inside = np.zeros_like(grown)
    rows = slice(max(0, -low), min(grown.shape[0], frame.height - low))
    columns = slice(max(0, -left), min(grown.shape[1], frame.width - left))
    inside[rows, columns] = grown[rows, columns]
    ring = outlines(inside)[-1]
    patch.corners = [_place(frame, column + left, row + low) for column, row in ring]
    points = np.array(driven).reshape(-1, 2)
    patch.start = patch.at
    if len(points):
        nearest = points[np.hypot(*(points - patch.at).T).argmin()]
        patch.start = float(nearest[0]), float(nearest[1])
