"""People who walk about in the buildings of the virtual robots."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.robot.buildings import catalogue
from lustra.robot.maps.floor import Floor, once_for_each_grid
from lustra.robot.simulation.people import CLEAR_M, COUNT, NEAREST_M, SPEED, find_people, find_walks

FLOORS = [("Kestrel Quay Hotel", "floor 1"), ("St. Orla Clinic", "ward 3"), ("Jade Gate Mall", "floor 1")]
AWAY = (-1000.0, -1000.0)
HOTEL = catalogue.floor(*FLOORS[0])
seconds = st.floats(0, 1e9)


def clearance(floor: Floor, place: tuple[float, float]) -> float:
    [(column, row)] = floor.to_vertices([place]).astype(int)
    return float(floor.echo[row + 1, column + 1]) * floor.resolution


@pytest.mark.parametrize("name", FLOORS)
def test_people_keep_clear_of_walls_and_furniture_on_their_whole_way(name: tuple[str, str]):
    floor = catalogue.floor(*name)
    assert len(find_walks(floor)) == COUNT
    for second in range(0, 120, 3):
        assert all(clearance(floor, place) >= CLEAR_M for place in find_people(floor, second, AWAY))


def test_compute_once_for_each_of_several_floors():
    """A fleet's cameras are on several floors, and ask in turn."""
    looks: list[str] = []

    @once_for_each_grid
    def look(floor: Floor) -> str:
        looks.append(floor.name)
        return floor.name

    floors = [catalogue.floor(*name) for name in FLOORS]
    names = [floor.name for floor in floors]
    assert [look(floor) for floor in floors * 3] == names * 3
    assert looks == names
    assert look(floors[0].changed(revision=9)) == names[0]


@given(seconds)
def test_people_walk_on_at_their_pace_and_are_where_the_time_says(at: float):
    before, after = find_people(HOTEL, at, AWAY), find_people(HOTEL, at + 0.5, AWAY)
    assert find_people(HOTEL, at, AWAY) == before
    assert all(math.dist(here, later) <= SPEED * 0.5 + 1e-3 for here, later in zip(before, after, strict=True))
    assert before != after


@given(seconds, st.integers(0, COUNT - 1), st.floats(0, 1))
def test_keep_people_at_the_distance_that_the_way_allows(at: float, number: int, share: float):
    walk = find_walks(HOTEL)[number]
    robot = walk.at(walk.length * share)
    place = find_people(HOTEL, at, robot)[number]
    ends = (walk.start, walk.end)  # where there is no room
    assert math.dist(place, robot) >= NEAREST_M - 1e-6 or any(math.dist(place, end) < 1e-6 for end in ends)
