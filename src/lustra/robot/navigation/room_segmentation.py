"""Splits the places of a run into rooms, so that a robot ends one before it goes to the next.

Seeds are the wide places (doors are narrower); from there the rooms grow until they meet, as water would.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from lustra.robot.maps.floor import Cells
from lustra.robot.navigation.graph import Vertex

DOOR_HALF = 0.75  # m to the nearest wall: openings narrower than twice this part two rooms
SMALLEST_SEED = 0.15  # m²
# Marks of the watershed.
OUTSIDE = 1
FIRST_ROOM = 2
AROUND = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]


@dataclass(frozen=True)
class Room:
    """A mask as large as the room, and the corner at which it begins."""

    cells: Cells
    at: Vertex

    def holds(self, at: Vertex) -> bool:
        (x, y), (height, width) = (at[0] - self.at[0], at[1] - self.at[1]), self.cells.shape
        return 0 <= x < width and 0 <= y < height and bool(self.cells[y, x])


def rooms(places: Cells, distance: NDArray[np.float32], resolution: float) -> list[Room]:
    """The rooms; together they are all the places."""
    wide = (places & (distance >= DOOR_HALF)).astype(np.uint8)
    count, label_picture, facts, _ = cv2.connectedComponentsWithStats(wide, connectivity=4)
    labels = label_picture.astype(np.int32, copy=False)
    large = facts[:, cv2.CC_STAT_AREA] * resolution**2 >= SMALLEST_SEED
    large[0] = False  # all that is not wide
    seeds = np.where(large, np.arange(count, dtype=np.int32) + FIRST_ROOM, 0).astype(np.int32)[labels]
    # Parts without any wide place are rooms of their own.
    part_count, part_picture = cv2.connectedComponents(places.astype(np.uint8), connectivity=4)
    parts = part_picture.astype(np.int32, copy=False)
    seeded = np.zeros(part_count, np.bool_)
    seeded[parts[seeds > 0]] = seeded[0] = True
    lone = np.where(seeded, 0, np.arange(part_count) + count + FIRST_ROOM).astype(np.int32)
    markers = seeds if seeded.all() else seeds + lone[parts]
    markers[~places] = OUTSIDE
    picture = cv2.bitwise_not(cv2.convertScaleAbs(distance, alpha=100, beta=-0.5))
    grown = cv2.watershed(cv2.merge([picture, picture, picture]), markers).astype(np.int32, copy=False)
    grown[~places] = 0
    grown = join_lost(grown, places)
    return [
        Room(grown[window] == mark, (window[1].start, window[0].start))
        for mark, window in enumerate(ndimage.find_objects(grown), 1)
        if window is not None
    ]


def join_lost(grown: NDArray[np.int32], places: Cells) -> NDArray[np.int32]:
    """Water lines (-1) and what they cut off go to a room beside them."""
    padded = np.pad(grown, 1)
    flat, width = padded.ravel(), padded.shape[1]
    around = [dy * width + dx for dy, dx in AROUND]
    lost = np.flatnonzero(np.pad(places, 1).ravel() & (flat < FIRST_ROOM))
    while len(lost):
        beside = flat[lost + around[0]]
        for step in around[1:]:
            np.maximum(beside, flat[lost + step], out=beside)
        joins = beside >= FIRST_ROOM
        if not joins.any():
            break
        flat[lost[joins]] = beside[joins]
        lost = lost[~joins]
    return padded[1:-1, 1:-1]
