"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.map.courier import keep as keep_sync_event
from lustra.domains.map.formats.marks import RoomCells
from lustra.domains.map.formats.outline import outlines
from lustra.domains.map.mirror import keep as keep_map
from lustra.domains.map.mirror import read as read_map
from lustra.domains.map.queries import CURRENT_MAP
from lustra.domains.map.reading import Drawn
from lustra.domains.map.rooms import load_free_cells, load_room_cells
from lustra.domains.map.service import load_version

__all__ = [
    "CURRENT_MAP",
    "Drawn",
    "RoomCells",
    "keep_map",
    "keep_sync_event",
    "load_free_cells",
    "load_room_cells",
    "load_version",
    "outlines",
    "read_map",
]
