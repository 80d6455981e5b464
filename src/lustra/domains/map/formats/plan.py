"""A floor as it came from elsewhere, whatever its format was. The grid's values are map_server's."""

from dataclasses import dataclass, field

import numpy as np

from lustra.domains.map.formats.image import Grey
from lustra.domains.map.formats.marks import Marks

FREE = 254
OCCUPIED = 0
UNKNOWN = 205


@dataclass(frozen=True, slots=True)
class Plan:
    """`grid` has its first row at the top, `origin` is the pose of its lower left corner."""

    name: str
    resolution: float
    origin: tuple[float, float, float]
    grid: Grey
    marks: Marks = field(default_factory=Marks)
    building: str = ""
    floor: str = ""

    @property
    def area(self) -> float:
        """Free area in m²."""
        return float(np.count_nonzero(self.grid == FREE)) * self.resolution**2
