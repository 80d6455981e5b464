"""What is drawn on a floor map: points, walls and zones, in the map's frame. Stored as jsonb, sent as it stands."""

import msgspec

from lustra.protocol.bus import Eraser, Flag, MapContent, Mask, Zone
from lustra.protocol.geometry import XY
from lustra.protocol.hours import Hours


class Marks(msgspec.Struct, kw_only=True):
    flags: list[Flag] = []
    virtual_walls: list[Zone] = []
    forbidden_zones: list[Zone] = []
    free_areas: list[Zone] = []
    erasers: list[Eraser] = []
    hours: Hours | msgspec.UnsetType = msgspec.UNSET

    @property
    def timed(self) -> list[Hours]:
        """The hours of all elements that have some."""
        every = (self.hours, *(zone.hours for zone in [*self.forbidden_zones, *self.free_areas]))
        return [hours for hours in every if hours]

    @classmethod
    def of(cls, content: MapContent) -> "Marks":
        return cls(
            flags=content.flags,
            virtual_walls=content.virtual_walls,
            forbidden_zones=content.forbidden_zones,
            free_areas=content.free_areas,
            erasers=content.erasers,
            hours=content.hours,
        )


class Room(msgspec.Struct):
    """Found in the picture of a floor, and not drawn yet. `at`: a place well within it; `area` in m²."""

    points: list[XY]
    at: XY
    area: float


class RoomCells(msgspec.Struct):
    """A drawn room with its free cells in the map's grid."""

    id: str
    name: str
    mask: Mask
