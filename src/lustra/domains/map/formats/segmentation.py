"""Which cells of a floor belong to one room.

The method is the watershed of the distance to the nearest wall: from each cell one climbs to where the floor is widest,
and cells that lead to the same summit are one basin. Basins are then joined over their passages, the widest passage
first, unless it is a door: much narrower than either side of it. What stands alone, such as a table, is no wall.
"""

from collections.abc import Iterator

import numpy as np

from lustra.protocol.masks import Cells
from lustra.protocol.raster import Labels, Lengths, find_windows, label_cells, measure_depth

SMALLEST_ROOM = 2.5  # m²; what is smaller goes to the neighbour that it is widest open to
NARROWEST_ROOM = 0.3  # m from its middle to the nearest wall: a slit is no room
# What stands alone is furniture if it is short, or a block; else it is a piece of wall.
SHORT = 1.5  # m
BLOCK = 0.45  # m thick
LARGEST_BLOCK = 10.0  # m²
# A passage is a door by its half width, compared with that of both sides at their widest.
DOOR_TO_NARROWER = 0.75
DOOR_TO_WIDER = 0.35
WIDEST_DOOR = 1.8  # m: a wider passage joins whatever it lies between
AROUND = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]


def label_rooms(free: Cells, cell: float) -> Labels:
    """The number of each cell's room, from 1; 0: none. `cell`: its edge in m."""
    floor = without_furniture(np.pad(free, 1), cell)
    distance = measure_depth(floor) * cell
    basins = climb(distance, floor)
    rooms = Rooms(basins, distance, cell)
    rooms.join_open()
    rooms.join_small()
    return number_rooms(rooms, basins)[1:-1, 1:-1]


def without_furniture(free: Cells, cell: float) -> Cells:
    """The free cells, and those of what stands alone on them and is no wall."""
    parts = label_cells(~free, corners=True)
    around = parts[0, 0]
    count = int(parts.max())
    area = np.bincount(parts.ravel(), minlength=count + 1) * cell**2
    thickness = (find_peaks(measure_depth(~free & (parts != around)), parts) * 2 - 1) * cell
    length = np.zeros(count + 1)
    for part, window in enumerate(find_windows(parts), 1):
        length[part] = max(edge.stop - edge.start for edge in window) * cell
    furniture = (length <= SHORT) | ((thickness >= BLOCK) & (area <= LARGEST_BLOCK))
    furniture[around] = False  # what lies about the floor
    furniture[0] = True
    return furniture[parts]


def find_peaks(distance: Lengths, labels: Labels) -> Lengths:
    """The largest distance within each label, by the label from 0 on."""
    peaks = np.zeros(int(labels.max()) + 1)
    np.maximum.at(peaks, labels.ravel(), distance.ravel())
    return peaks


def climb(distance: Lengths, floor: Cells) -> Labels:
    """The basin of each cell of the floor, from 1: that of the summit that it leads to."""
    places = np.arange(distance.size).reshape(distance.shape)
    highest, leads_to = distance.copy(), places.copy()
    for step in AROUND:
        beside = np.roll(distance, step, (0, 1))
        higher = beside > highest
        highest[higher] = beside[higher]
        leads_to[higher] = np.roll(places, step, (0, 1))[higher]
    summits = leads_to.ravel()
    while not np.array_equal(farther := summits[summits], summits):
        summits = farther
    basins = np.zeros(distance.shape, np.int64)
    basins[floor] = np.unique(summits[floor.ravel()], return_inverse=True)[1] + 1
    return basins


def find_passages(basins: Labels, distance: Lengths) -> Iterator[tuple[int, int, float]]:
    """Pairs of basins that meet, with half the width of the passage between them, the widest first."""
    pairs: list[Labels] = []
    widths: list[Lengths] = []
    for first, second in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        a, b = basins[first], basins[second]
        meet = (a != b) & (a > 0) & (b > 0)
        pairs.append(np.sort(np.stack([a[meet], b[meet]], 1), 1))
        widths.append(np.minimum(distance[first][meet], distance[second][meet]))
    meeting, place = np.unique(np.concatenate(pairs), axis=0, return_inverse=True)
    widest = np.zeros(len(meeting))
    np.maximum.at(widest, place.ravel(), np.concatenate(widths))
    for each in np.argsort(-widest, kind="stable").tolist():
        yield *meeting[each].tolist(), float(widest[each])


class Rooms:
    """Basins, and which of them are joined. `peak`: half the width where a room is widest."""

    def __init__(self, basins: Labels, distance: Lengths, cell: float) -> None:
        every = np.arange(int(basins.max()) + 1)
        self.joined_to = every.tolist()
        self.peak: list[float] = find_peaks(distance, basins).tolist()
        self.area: list[float] = (np.bincount(basins.ravel()) * cell**2).tolist()
        self.passages = list(find_passages(basins, distance))

    def root(self, basin: int) -> int:
        while self.joined_to[basin] != basin:
            self.joined_to[basin] = self.joined_to[self.joined_to[basin]]
            basin = self.joined_to[basin]
        return basin

    def join(self, a: int, b: int) -> None:
        self.joined_to[b] = a
        self.peak[a] = max(self.peak[a], self.peak[b])
        self.area[a] += self.area[b]

    def meeting(self) -> Iterator[tuple[int, int, float]]:
        """Rooms that a passage lies between, as they are joined by then."""
        for first, second, width in self.passages:
            a, b = self.root(first), self.root(second)
            if a != b:
                yield a, b, width

    def join_open(self) -> None:
        for a, b, width in self.meeting():
            narrower, wider = sorted((self.peak[a], self.peak[b]))
            is_door = width < DOOR_TO_NARROWER * narrower or width < DOOR_TO_WIDER * wider
            if width >= WIDEST_DOOR or not is_door:
                self.join(a, b)

    def join_small(self) -> None:
        """Each time round, what has become large enough by joining takes no more."""
        joining = True
        while joining:
            joining = False
            for a, b, _ in self.meeting():
                if min(self.area[a], self.area[b]) < SMALLEST_ROOM:
                    self.join(a, b)
                    joining = True

    def is_room(self, root: int) -> bool:
        return self.area[root] >= SMALLEST_ROOM and self.peak[root] >= NARROWEST_ROOM


def number_rooms(rooms: Rooms, basins: Labels) -> Labels:
    roots = np.array([rooms.root(basin) for basin in range(len(rooms.joined_to))])
    large = [root for root in np.unique(roots[1:]).tolist() if rooms.is_room(root)]
    number = np.zeros(len(roots), np.int64)
    number[large] = np.arange(1, len(large) + 1)
    return number[roots][basins]
