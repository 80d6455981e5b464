"""One cleaning run: its plan, what it has driven, swept and used, and the report that comes of it."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import End, Mask, Report
from lustra.protocol.masks import pack_mask
from lustra.protocol.payloads.tasks import Task
from lustra.robot.maps.floor import Cells, Floor
from lustra.robot.navigation.drive import Drive
from lustra.robot.navigation.lattice import TOOL
from lustra.robot.navigation.planner import Plan
from lustra.robot.navigation.sweep import paint

THIN = 0.25  # m between two points of the driven line that are reported
MOST_DRIVEN = 6000  # points
ML_PER_M2 = 8.0  # disinfectant, where nobody has set another dose


@dataclass
class Run:
    id: str
    task: Task
    floor: Floor
    plan: Plan
    drive: Drive
    started: int
    battery_from: float
    factor: float
    t: float = 0.0  # s of the drive's timetable that are behind
    painted: Cells = field(init=False)
    dose: NDArray[np.float32] = field(init=False)  # ml in each cell
    cells: int = 0
    liquid_ml: float = 0.0
    distance: float = 0.0
    pauses: int = 0
    paused_s: float = 0.0
    faults: list[str] = field(default_factory=list[str])
    driven: list[float] = field(default_factory=list[float])
    gid: str = ""  # of the group's or schedule's run that it is part of

    def __post_init__(self) -> None:
        self.painted = np.zeros(self.plan.area.shape, np.bool_)
        self.dose = np.zeros(self.plan.area.shape, np.float32)
        self.planned = self.floor.square_metres(self.plan.area)
        self.reachable = self.floor.square_metres(self.plan.reachable)

    @property
    def cleaned(self) -> float:
        return self.cells * self.floor.resolution**2

    @property
    def coverage(self) -> float:
        return self.cleaned / self.reachable if self.reachable else 0.0

    @property
    def over(self) -> bool:
        return self.t >= self.drive.seconds

    def add_line(self, line: NDArray[np.float64]) -> None:
        """Keeps the driven line, thinned."""
        self.distance += float(np.hypot(*np.diff(line, axis=0).T).sum())
        for x, y in line.tolist():
            if not self.driven or math.dist(self.driven[-2:], (x, y)) >= THIN:
                self.driven += [round(x, 2), round(y, 2)]
        if len(self.driven) > 2 * MOST_DRIVEN:
            self.driven = [v for i in range(0, len(self.driven), 4) for v in self.driven[i : i + 2]]

    def clean(self, line: NDArray[np.float64], dose: float = ML_PER_M2) -> tuple[NDArray[np.int64], float]:
        """Sweeps a line: the newly cleaned cells, and the ml that it took."""
        corners = self.floor.to_vertices(line)
        fresh = paint(self.painted, corners, TOOL / 2 / self.floor.resolution)
        outside = fresh[~self.plan.area.ravel()[fresh]]
        self.painted.ravel()[outside] = False
        fresh = fresh[self.plan.area.ravel()[fresh]]
        self.cells += len(fresh)
        used = dose * TOOL * float(np.hypot(*np.diff(line, axis=0).T).sum())
        self.liquid_ml += used
        under = self.floor.to_vertices(line[-1:])[0].astype(int)
        target = fresh if len(fresh) else np.array([under[1] * self.painted.shape[1] + under[0]])
        self.dose.ravel()[target] += used / len(target)
        return fresh, used

    def report(self, at: int, end: End, battery: float) -> Report:
        return Report(
            at=at,
            id=self.id,
            task=self.task.name,
            map=self.floor.name,
            map_revision=self.floor.revision,
            started=self.started,
            ended=at,
            end=end,
            planned=round(self.planned, 3),
            reachable=round(self.reachable, 3),
            cleaned=round(self.cleaned, 4),
            coverage=round(min(1.0, self.coverage), 4),
            battery_from=round(self.battery_from, 1),
            battery_to=round(battery, 1),
            liquid_ml=round(self.liquid_ml, 1),
            distance=round(self.distance, 2),
            pauses=self.pauses,
            paused_s=round(self.paused_s, 1),
            cells=self.mask(),
            driven=self.driven,
            clean_mode=self.task.clean_mode,
            route=self.task.route,
            speed=self.task.speed,
            faults=self.faults,
            factor=self.factor,
            gid=self.gid,
            missed=pack_mask(self.plan.reachable & ~self.painted),
            unreachable=pack_mask(self.plan.area & ~self.plan.reachable & ~self.painted),
        )

    def mask(self) -> Mask:
        return pack_mask(self.painted)
