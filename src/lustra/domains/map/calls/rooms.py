"""/map: the rooms of a floor, found in its picture."""

from typing import Annotated

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import doc
from lustra.domains.map import rooms
from lustra.domains.map.calls.floors import MapRef


class RoomProposal(Wire):
    """A room that nobody has drawn."""

    points: Annotated[list[tuple[float, float]], doc("Corners [x, y] in m, in the map's frame, 3 to 500.")]
    at: Annotated[tuple[float, float], doc("A place [x, y] well within it, in m, in the map's frame.")]
    area: Annotated[float, doc("Area in m², what stands in it included.")]


class RoomProposals(Wire):
    list: Annotated[list[RoomProposal], doc("The rooms, from the top left on, at most 300.")]


@call("/map/findRooms", needs="device/maplist", reads=("map", "support"))
async def find_rooms(ctx: Ctx, payload: MapRef) -> Fast[RoomProposals]:
    """Find the rooms of a map in its picture.

    Nothing is stored: they are corrected in the editor, and saved there as free areas."""
    return Fast({"list": await rooms.find_rooms(ctx, payload.map_id)})
