"""Splits the places of a run into rooms, so that a robot ends one before it goes to the next.

Seeds are the wide places (doors are narrower); from there the rooms grow until they meet, as water would.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from lustra.robot.maps.floor import Cells

DOOR_HALF = 0.75  # m to the nearest wall: openings narrower than twice this part two rooms
SMALLEST_SEED = 0.15  # m²


def rooms(places: Cells, distance: NDArray[np.float32], resolution: float) -> list[Cells]:
    """Masks of the rooms; together they are all the places."""
    wide = (places & (distance >= DOOR_HALF)).astype(np.uint8)
    _, labels, facts, _ = cv2.connectedComponentsWithStats(wide, connectivity=4)
    seeds = labels.astype(np.int32)
    small = facts[:, cv2.CC_STAT_AREA] * resolution**2 < SMALLEST_SEED
    seeds[small[seeds]] = 0
    # Parts without any wide place are rooms of their own.
    count, labels = cv2.connectedComponents(places.astype(np.uint8), connectivity=4)
    parts = labels.astype(np.int32)
    seeded = np.zeros(count, np.bool_)
    seeded[np.unique(parts[seeds > 0])] = True
    lone = ~seeded[parts] & places
    markers = seeds + np.where(lone, parts + seeds.max(), 0) + 2 * places
    markers[places & (seeds == 0) & ~lone] = 0
    markers[~places] = 1
    picture = 255 - np.clip(distance * 100, 0, 255).astype(np.uint8)
    grown = cv2.watershed(cv2.merge([picture, picture, picture]), markers.astype(np.int32)).astype(np.int32)
    grown[~places] = 0
    # Water lines (-1) and what they cut off go to the next room.
    lost = places & (grown < 2)  # noqa: PLR2004  (1 is the ground outside)
    if lost.any():
        known = (grown < 2).astype(np.uint8)  # noqa: PLR2004  (the same)
        _, line_labels = cv2.distanceTransformWithLabels(known, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
        nearest = line_labels.astype(np.int32)
        owner = np.zeros(int(nearest.max()) + 1, grown.dtype)
        owner[nearest[known == 0]] = grown[known == 0]
        grown[lost] = owner[nearest[lost]]
    return [grown == n for n in np.unique(grown[places]).tolist() if n > 1]
