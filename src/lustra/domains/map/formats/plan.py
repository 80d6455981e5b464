"""A floor as it came from elsewhere, whatever its format was. The grid's values are map_server's."""

from dataclasses import dataclass, field

import numpy as np

from lustra.domains.map.formats.image import Grey
from lustra.domains.map.formats.lane_graph import LaneGraph
from lustra.domains.map.formats.marks import Marks

FREE = 254
OCCUPIED = 0
UNKNOWN = 205


@dataclass(frozen=True, slots=True)
class Plan:
    """`grid` has its first row at the top, `origin` is the pose of its lower left corner. `left_out`: how many things
    of a kind the file has that a map here cannot keep. `graded_cells`: how many are neither free nor occupied but in
    between, by a file whose greys are degrees."""

    name: str
    resolution: float
    origin: tuple[float, float, float]
    grid: Grey
    marks: Marks = field(default_factory=Marks)
    building: str = ""
    floor: str = ""
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    graded_cells: int = 0
    lane_graph: LaneGraph | None = None

    @property
    def shows_speeds(self) -> bool:
        """Greys that are degrees are more than the soft edges of a shape."""
        return self.graded_cells > int(np.count_nonzero(self.grid == OCCUPIED))

    @property
    def area(self) -> float:
        """Free area in m²."""
        return float(np.count_nonzero(self.grid == FREE)) * self.resolution**2
