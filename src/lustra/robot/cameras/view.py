"""What a camera sees: the walls around, by casting one ray a column, over a floor of tiles.

Wide columns of light are cheap: the rays are those of the lidar, and a picture takes some milliseconds of one core.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.protocol.geometry import XY
from lustra.robot.maps.floor import FREE, Floor, once_for_each_grid
from lustra.robot.navigation import lidar

WIDTH = 384
HEIGHT = 216
FIELD = math.radians(80)
FOCAL = WIDTH / 2 / math.tan(FIELD / 2)
EYE_M = 0.9  # of the camera above the floor
CEILING_M = 2.6
NEAREST_M = 0.05
TILE_M = 0.5
DARK_M = 14.0  # at this distance nothing is seen any more
FURNITURE_M2 = 3.0  # what stands alone and is smaller is furniture
WALL = (206, 203, 190)  # blue, green, red
WOOD = (120, 156, 196)
TILES = ((148, 152, 150), (166, 170, 168))
ROOF = (228, 228, 226)
NIGHT = 28
# Of a person, from the floor up: how wide on either side, up to which height, and the colours to choose from.
PERSON = (
    (0.17, 0.85, ((92, 70, 58), (60, 60, 64), (96, 92, 110))),
    (0.24, 1.45, ((150, 92, 58), (70, 120, 84), (196, 196, 204), (88, 74, 148))),
    (0.11, 1.72, ((120, 152, 196), (84, 112, 160), (150, 180, 220))),
)
CLOSEST_M = 0.4  # nearer than this nobody fits into a picture
DARKER = 0.82
SMOOTH = 7  # columns over which it is looked how a wall lies
Picture = NDArray[np.uint8]

# Where each camera looks, from straight ahead to the left.
CAMERAS: Mapping[str, float] = {"front": 0.0, "rear": math.pi}

_COLUMNS = np.arange(WIDTH) - (WIDTH - 1) / 2
_ANGLES = -np.arctan(_COLUMNS / FOCAL)
_ROWS = (np.arange(HEIGHT) - (HEIGHT - 1) / 2)[:, None]


@dataclass(frozen=True, slots=True)
class Eye:
    """Where a camera is and looks to, in metres and radians of the map."""

    x: float
    y: float
    yaw: float


def draw(floor: Floor, eye: Eye, caption: str, people: Sequence[XY] = ()) -> Picture:
    """A picture of `WIDTH` by `HEIGHT`, with the caption in its corner. `people`: where they stand."""
    hits = lidar.cast(floor, eye.x, eye.y, eye.yaw + _ANGLES)
    seen = np.where(hits > 0, np.maximum(hits * np.cos(_ANGLES), NEAREST_M), DARK_M)
    wall = ((FOCAL * EYE_M / seen > _ROWS) & (-FOCAL * (CEILING_M - EYE_M) / seen < _ROWS))[..., None]
    light = np.clip(1 - seen / DARK_M, 0, 1)[None, :, None]
    walls = _colours(floor, eye, hits) * light + NIGHT * (1 - light)
    picture = np.where(wall, walls, _floor_and_ceiling(eye)).astype(np.uint8)
    _draw_people(picture, eye, seen, people)
    cv2.putText(picture, caption, (8, HEIGHT - 10), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1, cv2.LINE_AA)
    return picture


def _draw_people(picture: Picture, eye: Eye, seen: NDArray[np.float64], people: Sequence[XY]) -> None:
    """Those farther away first. `seen`: how far ahead each column meets a wall."""
    cos, sin = math.cos(eye.yaw), math.sin(eye.yaw)
    places = [(dx * cos + dy * sin, dy * cos - dx * sin, number) for number, (dx, dy) in enumerate(_from(eye, people))]
    for ahead, left, number in sorted(places, reverse=True):
        if not CLOSEST_M < ahead < DARK_M:
            continue
        scale, light, feet = FOCAL / ahead, 1 - ahead / DARK_M, 0.0
        for half, head, colours in PERSON:
            across = np.nonzero((np.abs(_COLUMNS + left * scale) <= half * scale) & (seen > ahead))[0]
            top, bottom = (round((EYE_M - height) * scale + HEIGHT / 2) for height in (head, feet))
            colour = np.array(colours[number % len(colours)]) * light + NIGHT * (1 - light)
            picture[max(0, top) : max(0, bottom), across] = colour.astype(np.uint8)
            feet = head


def _from(eye: Eye, people: Sequence[XY]) -> list[XY]:
    return [(x - eye.x, y - eye.y) for x, y in people]


def draw_dark(caption: str) -> Picture:
    """Of a robot that stands in no world: in an elevator, or on no floor."""
    picture = np.full((HEIGHT, WIDTH, 3), NIGHT, np.uint8)
    cv2.putText(picture, caption, (8, HEIGHT - 10), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1, cv2.LINE_AA)
    return picture


def _colours(floor: Floor, eye: Eye, hits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of what each column meets; walls along one axis of the map are a little darker, so that corners show."""
    angles = eye.yaw + _ANGLES
    points = np.stack([eye.x + (hits + 0.03) * np.cos(angles), eye.y + (hits + 0.03) * np.sin(angles)], 1)
    cells = floor.to_vertices(points).astype(np.int64)
    width, height = floor.size
    column, row = cells[:, 0].clip(1, width - 2), cells[:, 1].clip(1, height - 2)
    wood = _furniture(floor)[row, column]
    slope = np.abs(np.diff(points, axis=0, append=points[-1:]))
    across, along = (np.convolve(slope[:, axis], np.ones(SMOOTH), "same") for axis in (0, 1))
    shade = np.where(across > along, DARKER, 1.0)
    return (np.where(wood[:, None], WOOD, WALL) * shade[:, None])[None]


@once_for_each_grid
def _furniture(floor: Floor) -> NDArray[np.bool_]:
    """Cells of what stands alone and is small."""
    _, labels, facts, _ = cv2.connectedComponentsWithStats((floor.grid != FREE).astype(np.uint8))
    small = facts[:, cv2.CC_STAT_AREA] * floor.resolution**2 < FURNITURE_M2
    return small[labels]


def _floor_and_ceiling(eye: Eye) -> NDArray[np.float64]:
    """Tiles below the horizon, which move as the robot does."""
    below = _ROWS > 0
    far = np.where(below, FOCAL * EYE_M, FOCAL * (CEILING_M - EYE_M)) / np.maximum(np.abs(_ROWS), 0.5)
    side = -_COLUMNS[None] / FOCAL * far
    x = eye.x + far * math.cos(eye.yaw) - side * math.sin(eye.yaw)
    y = eye.y + far * math.sin(eye.yaw) + side * math.cos(eye.yaw)
    odd = ((np.floor(x / TILE_M) + np.floor(y / TILE_M)) % 2 > 0)[..., None]
    colours = np.where(below[..., None], np.where(odd, TILES[0], TILES[1]), ROOF)
    light = np.clip(1 - far / DARK_M, 0, 1)[..., None]
    return colours * light + NIGHT * (1 - light)
