"""What is done with the files of maps, each in a process of its own (core/files/intake): contents in, plain data
out.
"""

import base64
import binascii
import hashlib

import msgspec
import numpy as np

from lustra.domains.map import rules
from lustra.domains.map.formats import bundle, detection, image, keepout, limits, room_cells
from lustra.domains.map.formats.keepout import Frame
from lustra.domains.map.formats.lane_graph import LaneGraph
from lustra.domains.map.formats.marks import Marks, Room, RoomCells
from lustra.domains.map.formats.plan import FREE, UNKNOWN, Plan
from lustra.protocol.bus import MapContent, Mask, Zone

GRID = "grid"  # the name of a stored map's picture
PREVIEW_SIDE = 1000  # cells


class Drawn(msgspec.Struct, kw_only=True):
    """A map as it is stored. `png`: its picture; `area` in m²."""

    name: str
    building: str
    floor: str
    width: int
    height: int
    resolution: float
    origin: tuple[float, float, float]
    area: float
    marks: Marks
    png: bytes
    lane_graph: LaneGraph | None = None

    @property
    def path(self) -> str:
        return f"maps/{hashlib.sha256(self.png).hexdigest()}.png"


class Preview(Drawn, kw_only=True):
    """A map before it is stored: `png` has each `step` by `step` cells as one, `stored` is where the whole picture
    would lie; `left_out` as in Plan."""

    step: int
    stored: str
    left_out: dict[str, int]


class About(msgspec.Struct, kw_only=True):
    """A stored map without its picture."""

    name: str
    building: str
    floor: str
    resolution: float
    origin: tuple[float, float, float]
    marks: Marks
    lane_graph: LaneGraph | None = None

    def with_picture(self, png: bytes) -> Plan:
        grey = image.read(png).grey
        return Plan(
            self.name,
            self.resolution,
            self.origin,
            grey,
            self.marks,
            self.building,
            self.floor,
            lane_graph=self.lane_graph,
        )


def read_maps(files: dict[str, bytes]) -> list[Drawn]:
    """The maps in a person's files, in any format that we read."""
    return [draw(plan) for plan in detection.read_plans(files)]


def draw(plan: Plan) -> Drawn:
    height, width = plan.grid.shape
    return Drawn(
        name=plan.name,
        building=plan.building,
        floor=plan.floor,
        width=width,
        height=height,
        resolution=plan.resolution,
        origin=plan.origin,
        area=plan.area,
        marks=plan.marks,
        png=image.write(plan.grid),
        lane_graph=plan.lane_graph,
    )


def read_previews(files: dict[str, bytes]) -> list[Preview]:
    """The same maps as they would be stored, with small pictures."""
    return [preview(plan) for plan in detection.read_plans(files)]


def preview(plan: Plan) -> Preview:
    drawn = draw(plan)
    step = -(-max(drawn.width, drawn.height) // PREVIEW_SIDE)
    return Preview(
        name=drawn.name,
        building=drawn.building,
        floor=drawn.floor,
        width=drawn.width,
        height=drawn.height,
        resolution=drawn.resolution,
        origin=drawn.origin,
        area=drawn.area,
        marks=drawn.marks,
        png=image.write(shrink(plan.grid, step)),
        lane_graph=drawn.lane_graph,
        step=step,
        stored=drawn.path,
        left_out=plan.left_out,
    )


def shrink(grid: image.Grey, step: int) -> image.Grey:
    """Blocks of cells as one, counted from the lower left corner: an obstacle in it, else unknown, else free."""
    height, width = grid.shape
    above, right = -height % step, -width % step
    padded = np.pad(grid, ((above, 0), (0, right)), constant_values=UNKNOWN)
    return padded.reshape(padded.shape[0] // step, step, padded.shape[1] // step, step).min(axis=(1, 3))


def read_mask(files: dict[str, bytes], onto: Frame) -> list[Zone]:
    return keepout.zones(files, onto)


def read_content(files: dict[str, bytes]) -> Drawn:
    """A MapContent as a robot tells it, as JSON. Refused: it cannot be kept, now or ever."""
    (data,) = files.values()
    try:
        content = msgspec.json.decode(data, type=MapContent)
        png = base64.b64decode(content.grid, validate=True)
    except (msgspec.MsgspecError, binascii.Error, ValueError, RecursionError):
        raise limits.refused("map_broken", "content") from None
    limits.judge_frame(content.resolution, content.origin)
    limits.judge_names(content.name, content.building, content.floor)
    marks = Marks.of(content)
    limits.judge_marks(marks)
    limits.judge_size(content.width, content.height)
    if not png.startswith(image.PNG):
        raise limits.refused("map_no_image", "content")
    grey = image.read(png).grey
    if grey.shape != (content.height, content.width):
        raise limits.refused("map_no_image", "content")
    return Drawn(
        name=content.name,
        building=content.building,
        floor=content.floor,
        width=content.width,
        height=content.height,
        resolution=content.resolution,
        origin=content.origin,
        marks=marks,
        png=png,
        area=float(np.count_nonzero(grey == FREE)) * content.resolution**2,
    )


def judge_drawing(files: dict[str, bytes], about: About, marks: Marks) -> None:
    """Whether these marks may stand on the map instead of its own."""
    grey = image.read(files[GRID]).grey
    rules.refuse_bad_marks(marks, about.marks, grey, about.resolution, about.origin)


def find_rooms(files: dict[str, bytes], about: About) -> list[Room]:
    from lustra.domains.map.formats import rooms  # noqa: PLC0415  scipy is for readers alone

    return rooms.find_rooms(about.with_picture(files[GRID]))


def list_room_cells(files: dict[str, bytes], about: About) -> list[RoomCells]:
    return room_cells.list_room_cells(about.with_picture(files[GRID]))


def mask_free_cells(files: dict[str, bytes], about: About) -> Mask:
    return room_cells.mask_free_cells(about.with_picture(files[GRID]))


def pack_bundle(files: dict[str, bytes], about: About) -> bytes:
    return bundle.build_bundle(about.with_picture(files[GRID]))


def pack_plain(files: dict[str, bytes], about: About) -> bytes:
    return bundle.pack_zip(bundle.map_server_files(about.with_picture(files[GRID])))


def pack_mask(files: dict[str, bytes], about: About) -> bytes:
    return bundle.pack_zip(bundle.map_server_files(keepout.draw_mask(about.with_picture(files[GRID]))))
