"""What is drawn on a floor map: points, walls and zones, in the map's frame. Stored as jsonb, sent as it stands."""

import msgspec

from lustra.protocol.bus import Eraser, Flag, MapContent, Zone


class Marks(msgspec.Struct, kw_only=True):
    flags: list[Flag] = []
    virtual_walls: list[Zone] = []
    forbidden_zones: list[Zone] = []
    free_areas: list[Zone] = []
    erasers: list[Eraser] = []

    @classmethod
    def of(cls, content: MapContent) -> "Marks":
        return cls(
            flags=content.flags,
            virtual_walls=content.virtual_walls,
            forbidden_zones=content.forbidden_zones,
            free_areas=content.free_areas,
            erasers=content.erasers,
        )
