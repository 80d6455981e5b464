"""What a robot's camera sees of the building around it, and how it is encoded."""

import io

import av
import numpy as np
import pytest

from lustra.protocol.refusals import RobotRefusal
from lustra.protocol.video import SendVideo
from lustra.robot.cameras import view
from lustra.robot.cameras.encoder import RATE, Encoder
from lustra.robot.cameras.video import Cameras
from lustra.robot.cameras.view import Eye
from lustra.robot.maps.floor import FREE, OCCUPIED, Floor
from lustra.robot.simulation.machine import Machine


def corridor() -> Floor:
    """20 m long, 4 m wide, closed at its ends; a small cupboard stands in its middle."""
    grid = np.full((80, 400), FREE, np.uint8)
    grid[[0, -1]] = grid[:, [0, -1]] = OCCUPIED
    grid[38:42, 200:204] = OCCUPIED
    return Floor("Corridor", grid)


def wall_rows(picture: view.Picture, column: int) -> int:
    """How many rows of a column are neither ceiling nor tiles: brightness does not change from row to row."""
    middle = picture[view.HEIGHT // 2, column].astype(int)
    return int((np.abs(picture[:, column].astype(int) - middle).sum(axis=1) == 0).sum())


def test_draw_near_things_larger_than_far_ones():
    floor, middle = corridor(), view.WIDTH // 2
    rows = [wall_rows(view.draw(floor, Eye(x, 2.6, 0.0), ""), middle) for x in (12.0, 17.0, 19.0)]
    assert rows == sorted(rows)
    assert rows[0] < rows[-1]


def test_furniture_has_another_colour_than_walls():
    floor = corridor()
    cupboard = view.draw(floor, Eye(8.0, 2.0, 0.0), "")[view.HEIGHT // 2, view.WIDTH // 2]
    wall = view.draw(floor, Eye(18.0, 2.0, 0.0), "")[view.HEIGHT // 2, view.WIDTH // 2]
    assert int(cupboard[2]) - int(cupboard[0]) > 40  # red over blue: wood
    assert abs(int(wall[2]) - int(wall[0])) < 40


def test_a_person_is_seen_before_the_wall_and_smaller_the_farther_away():
    floor, eye = corridor(), Eye(2.0, 1.5, 0.0)
    alone = view.draw(floor, eye, "")

    def size_of(*people: tuple[float, float]) -> int:
        return int((view.draw(floor, eye, "", people) != alone).any(axis=2).sum())

    near, far = size_of((4.0, 1.5)), size_of((8.0, 1.5))
    assert near > 3 * far > 0
    assert size_of((8.0, 1.5), (4.0, 1.5)) == near  # who stands in front hides who stands behind
    assert size_of((1.0, 1.5)) == 0  # behind the camera
    assert size_of((30.0, 1.5)) == 0  # behind the wall at the corridor's end


def test_a_robot_in_no_world_sees_the_dark():
    picture = view.draw_dark("")
    assert picture.shape == (view.HEIGHT, view.WIDTH, 3)
    assert picture.max() == view.NIGHT
    assert Cameras(Machine("SC0001", lambda _: None)).picture("front").shape == picture.shape


def test_a_key_frame_comes_each_second_and_nothing_is_held_back():
    coder, data = Encoder(), b""
    for number in range(2 * RATE + 2):
        data += coder.encode(view.draw(corridor(), Eye(1 + number / 10, 2.0, 0.0), ""), number / RATE)
    coder.close()
    assert coder.encode(view.draw_dark(""), 9.0) == b""  # after its end
    keys: list[int] = []
    with av.open(io.BytesIO(data), "r") as container:
        for place, packet in enumerate(container.demux(video=0)):
            keys += [place] if packet.is_keyframe else []
    assert keys == [0, RATE, 2 * RATE]


async def test_an_order_for_a_camera_that_there_is_not_is_refused():
    cameras = Cameras(Machine("SC0001", lambda _: None))
    with pytest.raises(RobotRefusal):
        cameras.accept(SendVideo(camera="roof", url="http://127.0.0.1:1/", seconds=1))
    cameras.accept(SendVideo())  # nothing runs: there is nothing to end
