"""The cells of a floor, and of each drawn room, that are free: of what stands there nothing can be cleaned."""

import numpy as np
from PIL import Image, ImageDraw

from lustra.domains.map.formats.keepout import to_pen
from lustra.domains.map.formats.marks import RoomCells
from lustra.domains.map.formats.plan import FREE, Plan
from lustra.protocol.bus import Mask
from lustra.protocol.masks import pack_mask


def mask_free_cells(plan: Plan) -> Mask:
    return pack_mask(plan.grid[::-1] == FREE)


def list_room_cells(plan: Plan) -> list[RoomCells]:
    height, width = plan.grid.shape
    free = plan.grid[::-1] == FREE
    rooms: list[RoomCells] = []
    for area in plan.marks.free_areas:
        picture = Image.new("1", (width, height))
        corners = [to_pen(point, plan.origin, plan.resolution, height) for point in area.points]
        ImageDraw.Draw(picture).polygon(corners, fill=1)
        mask = pack_mask(np.asarray(picture)[::-1] & free)
        rooms.append(RoomCells(id=area.id, name=area.name, mask=mask))
    return rooms
